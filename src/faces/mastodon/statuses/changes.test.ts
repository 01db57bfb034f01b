import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonClient, mastodonPeople, postStatus, uploadPicture } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { postItem } from "../../../domain/items/posting/post.ts";

/** What becomes of posts: edits, votes, pins, and who liked and shared them (mastodon contract 11.6, 11.10, 11.11, 12.5, 13.3). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
/** Connected with nobody. */
let cara: MastodonPerson;
let dora: MastodonPerson;
let nobody: Client;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara, dora] = await mastodonPeople(world, "ann", "bob", "cara", "dora");
  nobody = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, dora.channel);
  await world.work();
});
afterAll(() => world.close());

const post = (client: Client, form: object) => postStatus(world, client, form);

const put = (client: MastodonPerson, id: string, form: object) => client.put(`/api/v1/statuses/${id}`, form);
const deed = async (client: Client, id: string, name: string) => client.post(`/api/v1/statuses/${id}/${name}`);
const upload = async (client: Client, description: string): Promise<string> =>
  (await uploadPicture(client, { description })).id;

describe("an edit", () => {
  test("changes what is sent, keeps what is not, and is known as one", async () => {
    const before = await post(ann, { status: "Tea @bob #green", spoiler_text: "hot", visibility: "public" });
    expect(before.edited_at).toBe(null);
    const source = (await ann.get(`/api/v1/statuses/${before.id}/source`)).json;
    expect(source).toEqual({ id: before.id, text: "Tea @bob #green", spoiler_text: "hot" });
    const { status, json } = await put(ann, before.id, { status: "Coffee for @bob", language: "de" });
    expect([status, json.id, json.spoiler_text, json.visibility, json.language]).toEqual([
      200,
      before.id,
      "hot",
      "public",
      "de",
    ]);
    expect(json.content).toContain("Coffee for");
    expect([json.mentions[0].username, json.tags]).toEqual(["bob", []]);
    expect((await put(ann, before.id, { spoiler_text: "", sensitive: false })).json).toMatchObject({
      spoiler_text: "",
      sensitive: false,
      content: json.content,
    });
    const history = (await bob.get(`/api/v1/statuses/${before.id}/history`)).json;
    expect(history.map((one: any) => [/Tea|Coffee/.exec(one.content)?.[0], one.spoiler_text])).toEqual([
      ["Tea", "hot"],
      ["Coffee", "hot"],
      ["Coffee", ""],
    ]);
  });

  test("is for the author alone, and so is what was typed", async () => {
    const { id } = await post(ann, { status: "mine", visibility: "public" });
    for (const client of [bob, cara]) {
      expect((await put(client, id, { status: "yours" })).status).toBe(404);
      expect((await client.get(`/api/v1/statuses/${id}/source`)).status).toBe(404);
      expect((await client.get(`/api/v1/statuses/${id}/history`)).status).toBe(200);
    }
    const secret = await post(ann, { status: "@bob psst", visibility: "direct" });
    expect((await cara.get(`/api/v1/statuses/${secret.id}/history`)).status).toBe(404);
    expect((await put(ann, id, { status: " " })).json.error).toBe("Validation failed: Text can't be blank");
    expect((await put(ann, id, { status: "x", language: "xxx" })).status).toBe(422);
  });

  test("says what pictures show, takes others, and takes them away", async () => {
    const [one, two] = [await upload(ann, "A boat"), await upload(ann, "A tree")];
    const { id } = await post(ann, { status: "look", media_ids: [one], visibility: "public" });
    const described = await put(ann, id, {
      media_attributes: [{ id: one, description: "A ship", focus: "0.5,-0.25" }],
    });
    expect(described.json).toMatchObject({ content: "<p>look</p>" });
    expect(described.json.media_attachments).toMatchObject([{ id: one, description: "A ship" }]);
    expect((await ann.get(`/api/v1/statuses/${id}/source`)).json.text).toBe("look");
    const kept = await put(ann, id, { status: "look here" });
    expect([kept.json.content, kept.json.media_attachments.length]).toEqual(["<p>look here</p>", 1]);
    const other = await put(ann, id, { media_ids: [two, one] });
    expect(other.json.media_attachments.map((file: any) => file.description)).toEqual(["A tree", "A ship"]);
    expect((await put(ann, id, { media_ids: ["999999"] })).json.error).toBe("Validation failed: Media not found");
    const none = await put(ann, id, { media_ids: [], status: "words" });
    expect([none.json.content, none.json.media_attachments]).toEqual(["<p>words</p>", []]);
    expect((await put(ann, id, { media_attributes: [{ id: two, focus: "3,1" }] })).status).toBe(422);
  });

  test("leaves behind what pictures showed in words, and what could be chosen", async () => {
    const file = await upload(ann, "");
    const shown = await post(ann, { status: "look", media_ids: [file], visibility: "public" });
    await put(ann, shown.id, { media_attributes: [{ id: file, description: "A ship" }] });
    const seen = (await bob.get(`/api/v1/statuses/${shown.id}/history`)).json;
    expect(seen.map((one: any) => one.media_attachments[0].description)).toEqual([null, "A ship"]);

    const options = (...names: string[]) => ({ poll: { options: names, expires_in: 600 } });
    const { id } = await post(ann, { status: "Which?", visibility: "public" });
    await put(ann, id, { ...options("Tea", "Coffee") });
    await put(ann, id, { ...options("Tea", "Milk"), status: "Which now?" });
    // Another end is no other question.
    await put(ann, id, { ...options("Tea", "Milk") });
    const history = (await bob.get(`/api/v1/statuses/${id}/history`)).json;
    expect(history.map((one: any) => one.poll?.options.map(({ title }: any) => title))).toEqual([
      undefined,
      ["Tea", "Coffee"],
      ["Tea", "Milk"],
    ]);
  });

  test("leaves behind what was not for every eye", async () => {
    const { id } = await post(ann, { status: "look", visibility: "public" });
    expect((await put(ann, id, { sensitive: true })).json.sensitive).toBe(true);
    await put(ann, id, { sensitive: true });
    const history = (await bob.get(`/api/v1/statuses/${id}/history`)).json;
    expect(history.map((one: any) => one.sensitive)).toEqual([false, true]);
  });

  test("of an answer stays an answer", async () => {
    const top = await post(ann, { status: "top", visibility: "public" });
    const answer = await post(bob, { status: "reply", in_reply_to_id: top.id });
    const { json } = await put(bob, answer.id, { status: "reply, mended" });
    expect([json.in_reply_to_id, json.content]).toEqual([answer.in_reply_to_id, "<p>reply, mended</p>"]);
  });
});

describe("a poll", () => {
  const asked = { options: ["Tea", "Coffee"], expires_in: 600 };

  test("is posted, counted once for each, and says what the caller chose", async () => {
    const { id, poll } = await post(ann, {
      status: "Which?",
      poll: { ...asked, multiple: true },
      visibility: "public",
    });
    expect(poll).toMatchObject({
      id,
      multiple: true,
      expired: false,
      voted: true,
      own_votes: [],
      votes_count: 0,
      options: [
        { title: "Tea", votes_count: 0 },
        { title: "Coffee", votes_count: 0 },
      ],
    });
    const vote = (client: Client, ...choices: unknown[]) => client.post(`/api/v1/polls/${id}/votes`, { choices });
    const voted = await vote(bob, "0", 1);
    expect(voted.json).toMatchObject({ votes_count: 2, voters_count: 1, voted: true, own_votes: [0, 1] });
    expect((await vote(bob, 1, 0)).json.votes_count).toBe(2);
    expect((await cara.get(`/api/v1/polls/${id}`)).json).toMatchObject({ voted: false, own_votes: [], votes_count: 2 });
    expect("voted" in (await nobody.get(`/api/v1/polls/${id}`)).json).toBe(false);
    for (const [client, choices] of [
      [bob, [0]],
      [cara, [2]],
      [cara, ["x"]],
      [cara, []],
      [ann, [0]],
    ] as const)
      expect((await vote(client, ...choices)).status).toBe(422);
    expect((await cara.get(`/api/v1/statuses/${id}`)).json.poll.votes_count).toBe(2);
  });

  test("with one choice takes one, and none after its end or where there is none", async () => {
    const { id } = await post(ann, { status: "Which?", poll: { ...asked, multiple: false }, visibility: "public" });
    expect((await bob.post(`/api/v1/polls/${id}/votes`, { choices: [0, 1] })).status).toBe(422);
    const plain = await post(ann, { status: "none", visibility: "public" });
    expect((await bob.post(`/api/v1/polls/${plain.id}/votes`, { choices: [0] })).status).toBe(404);
    expect((await bob.get(`/api/v1/polls/${plain.id}`)).status).toBe(404);
    const secret = await post(ann, { status: "Which?", poll: asked, visibility: "direct" });
    expect((await bob.post(`/api/v1/polls/${secret.id}/votes`, { choices: [0] })).status).toBe(404);
  });

  test.each([
    { options: ["one"], expires_in: 600 },
    { options: Array.from({ length: 21 }, (_, n) => `${n}`), expires_in: 600 },
    { options: ["a", ""], expires_in: 600 },
    { options: ["a", "b".repeat(201)], expires_in: 600 },
    { options: ["a", "a"], expires_in: 600 },
    { ...asked, expires_in: 0 },
    { ...asked, expires_in: -1 },
    { ...asked, expires_in: "soon" },
    { ...asked, expires_in: 99_999_999 },
  ])("is not %j", async (poll) => {
    expect((await ann.post("/api/v1/statuses", { status: "x", poll })).status).toBe(422);
  });

  test("begins anew with other options, and keeps its votes with another end", async () => {
    const { id } = await post(ann, { status: "Which?", poll: asked, visibility: "public" });
    await bob.post(`/api/v1/polls/${id}/votes`, { choices: [0] });
    const later = await put(ann, id, { poll: { ...asked, expires_in: 1200 } });
    expect(later.json.poll).toMatchObject({ votes_count: 1, expires_at: expect.stringMatching(/^\d{4}-/) });
    expect((await put(ann, id, { status: "Which one?" })).json.poll.votes_count).toBe(1);
    const other = await put(ann, id, { poll: { options: ["Milk", "Water"], expires_in: 600 } });
    expect(other.json.poll).toMatchObject({ votes_count: 0, options: [{ title: "Milk" }, { title: "Water" }] });
    expect((await bob.post(`/api/v1/polls/${id}/votes`, { choices: [1] })).json.own_votes).toEqual([1]);
  });

  test("is also what a decision asks for, and there another choice replaces the former", async () => {
    const item = await postItem(world.hub, ann.channel, { body: "Shall we?", consensus: true });
    await world.work();
    const vote = async (choice: number) => bob.post(`/api/v1/polls/${item.id}/votes`, { choices: [choice] });
    expect((await vote(0)).json).toMatchObject({
      options: [{ title: "Agree", votes_count: 1 }, { title: "Disagree" }, { title: "Abstain" }],
      own_votes: [0],
    });
    expect((await vote(1)).json).toMatchObject({ votes_count: 1, own_votes: [1] });
    expect((await ann.post(`/api/v1/polls/${item.id}/votes`, { choices: [0] })).status).toBe(422);
  });
});

describe("who likes and shares a post", () => {
  test("is listed by pages, and not where it is not to be seen", async () => {
    const { id } = await post(ann, { status: "popular", visibility: "public" });
    const names = async (client: Client, list: string, query = {}) => {
      const answer = await client.get(`/api/v1/statuses/${id}/${list}`, query);
      return { names: answer.json.map((one: any) => one.username), link: answer.headers.get("link") };
    };
    expect(await names(nobody, "favourited_by")).toEqual({ names: [], link: null });
    for (const client of [bob, dora]) for (const name of ["favourite", "reblog"]) await deed(client, id, name);
    await world.work();
    for (const list of ["favourited_by", "reblogged_by"]) {
      expect((await names(nobody, list)).names.toSorted()).toEqual(["bob", "dora"]);
      // Shares go by the order in which they came to whoever asks.
      const { names: first, link } = await names(ann, list, { limit: 1 });
      const next = new URL(/<([^>]*)>; rel="next"/.exec(link!)![1]!);
      const { names: second } = await names(ann, list, Object.fromEntries(next.searchParams));
      expect([...first, ...second].toSorted()).toEqual(["bob", "dora"]);
    }
    await deed(bob, id, "unfavourite");
    await deed(bob, id, "unreblog");
    for (const list of ["favourited_by", "reblogged_by"]) expect((await names(ann, list)).names).toEqual(["dora"]);
    const secret = await post(ann, { status: "@bob psst", visibility: "direct" });
    for (const list of ["favourited_by", "reblogged_by"])
      expect((await cara.get(`/api/v1/statuses/${secret.id}/${list}`)).status).toBe(404);
  });

  test("and whoever likes something finds it again, what was liked last first, while it is to be seen", async () => {
    const [one, two, three] = [
      await post(ann, { status: "liked one", visibility: "public" }),
      await post(ann, { status: "liked two", visibility: "public" }),
      await post(ann, { status: "liked three", visibility: "public" }),
    ];
    for (const { id } of [two, three, one]) await deed(bob, id, "favourite");
    await world.work();
    const liked = async (query: object = {}) => {
      const { json, headers } = await bob.get("/api/v1/favourites", query as Record<string, string>);
      const links = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      return { texts: json.map(({ content }: any) => content.replace(/<[^>]*>/g, "")), next: links && new URL(links) };
    };
    expect((await liked()).texts.slice(0, 3)).toEqual(["liked one", "liked three", "liked two"]);
    const { texts, next } = await liked({ limit: 2 });
    expect(texts).toEqual(["liked one", "liked three"]);
    const below = Object.fromEntries((next as URL).searchParams);
    expect((await liked({ ...below, limit: 1 })).texts).toEqual(["liked two"]);
    expect((await liked({ limit: 1, min_id: below["max_id"] })).texts).toEqual(["liked one"]);
    await ann.send("DELETE", `/api/v1/statuses/${three.id}`);
    await deed(bob, one.id, "unfavourite");
    await world.work();
    expect((await liked({ limit: 1 })).texts).toEqual(["liked two"]);
  });

  test("and what is done with a share is done with what it repeats", async () => {
    const { id, uri } = await post(ann, { status: "original", visibility: "public" });
    const share = (await deed(bob, id, "reblog")).json;
    const liked = (await deed(dora, share.id, "favourite")).json;
    expect([liked.id, liked.reblog.uri, liked.favourited, liked.reblog.favourites_count]).toEqual([
      share.id,
      uri,
      true,
      1,
    ]);
    expect((await ann.get(`/api/v1/statuses/${id}/favourited_by`)).json).toMatchObject([{ username: "dora" }]);
    expect((await ann.get(`/api/v1/statuses/${share.id}/favourited_by`)).json).toMatchObject([{ username: "dora" }]);
    expect((await deed(bob, share.id, "pin")).status).toBe(422);
  });
});

test("five posts are pinned and no sixth, public ones and others", async () => {
  const codes: number[] = [];
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    const { id } = await post(dora, { status: `pin ${n}`, visibility: n % 2 === 0 ? "public" : "private" });
    ids.push(id);
    codes.push((await deed(dora, id, "pin")).status);
  }
  expect(codes).toEqual([200, 200, 200, 200, 200, 422]);
  for (const id of ids) expect((await deed(dora, id, "unpin")).json.pinned).toBe(false);
});

test("a thread is muted and heard again, and a post pinned", async () => {
  const { id } = await post(ann, { status: "loud", visibility: "public" });
  expect((await deed(bob, id, "mute")).json.muted).toBe(true);
  expect((await bob.get(`/api/v1/statuses/${id}`)).json.muted).toBe(true);
  expect((await ann.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ muted: false, pinned: false });
  expect((await deed(bob, id, "unmute")).json.muted).toBe(false);
  expect((await deed(ann, id, "pin")).json.pinned).toBe(true);
  expect((await deed(ann, id, "pin")).json.pinned).toBe(true);
  expect((await deed(bob, id, "pin")).status).toBe(422);
  expect((await deed(ann, id, "unpin")).json.pinned).toBe(false);
});

test("several are asked for at once, by the ids that they are named by", async () => {
  const one = await post(ann, { status: "one", visibility: "public" });
  const two = await post(ann, { status: "two", visibility: "public" });
  const secret = await post(ann, { status: "three", visibility: "direct" });
  const ask = async (client: Client) =>
    (await client.get(`/api/v1/statuses?id[]=${two.id}&id[]=${secret.id}&id[]=${one.id}&id[]=x&id[]=${two.id}`)).json;
  for (const client of [bob, nobody]) expect((await ask(client)).map((s: any) => s.id)).toEqual([two.id, one.id]);
  expect((await ask(ann)).length).toBe(3);
  expect((await nobody.get("/api/v1/statuses")).json).toEqual([]);
});
