import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setAccountFlag } from "../src/domain/identity/accounts/accounts.ts";
import { exportArchive } from "../src/domain/export/archive.ts";
import { findChannelById } from "../src/domain/identity/channels/channels.ts";
import { setPermissionLimits } from "../src/domain/identity/channels/permission-limits.ts";
import { importNow } from "../src/domain/import/start.ts";
import { deleteItem } from "../src/domain/items/posting/delete.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { withFormerVotes } from "../src/domain/items/poll.ts";
import { vote } from "../src/domain/items/posting/vote.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import { makeAccount, openTestHub, password } from "./support/hub.ts";
import { visitorOf } from "./support/visitor.ts";
import type { VisitedPage, Visitor } from "./support/visitor.ts";
import { statementsOf } from "./support/statements.ts";

/** Polls as other hubs write them, shown on pages and voted in by their forms. */

let world: TestApp;
let asker: Person;
let people: Person[];
let visitors: Visitor[];

beforeAll(async () => {
  world = await openTestApp({ clock: "2026-12-01T12:00:00Z" });
  asker = await world.person("pia");
  people = [await world.person("voter1"), await world.person("voter2"), await world.person("voter3")];
  visitors = people.map(() => visitorOf(world.app));
  await setPermissionLimits(world.hub, asker.channel.channel_id, { post_comments: 256 });
  for (const [at, visitor] of visitors.entries()) await visitor.logIn(`voter${at + 1}@example.org`, password);
});
afterAll(() => world?.close());

type Question = Record<string, unknown>;
type Asked = { id: number; uuid: string; mid: string };

const note = (name: string, totalItems = 0) => ({ type: "Note", name, replies: { type: "Collection", totalItems } });
const soups = { type: "Question", oneOf: [note("Leek"), note("Pea", 4)], endTime: "2026-12-08T12:00:00Z" };

/** A poll that Pia posts through the API. */
async function ask(obj: Question, more: object = {}, by = asker): Promise<Asked> {
  const form = { body: "Which soup?", obj_type: "Question", obj: JSON.stringify(obj), ...more };
  const { status, json } = await by.post("/api/z/1.0/channel/stream", form);
  expect(status).toBe(200);
  const { id, mid, uuid } = json.activity;
  return { id: Number(id), mid, uuid: uuid ?? mid.split("/").at(-1) };
}

/** The page of a poll and what its form says to these choices. */
async function choose(visitor: Visitor, { id, uuid }: Asked, choice: string[]): Promise<VisitedPage> {
  await visitor.get(`/display/${uuid}`);
  return visitor.post(`/item/${id}/vote`, { choice, back: `/display/${uuid}` });
}

const pollOn = (text: string): string => /<(form|div)\s+class="poll"[^]*?<\/\1>/.exec(text)?.[0] ?? "";
const words = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

async function shown(visitor: Visitor, { uuid }: Asked): Promise<string> {
  return words(pollOn((await visitor.get(`/display/${uuid}`)).text));
}

async function objectOf({ mid }: Asked): Promise<any> {
  return (await asker.get("/api/z/1.0/item/full", { mid })).json.item[0].object;
}

describe("a poll with one choice", () => {
  test("is a form for members, counts a vote once, and shows the result afterwards", async () => {
    const poll = await ask(soups);
    const [first] = visitors as [Visitor];
    const { text } = await first.get(`/display/${poll.uuid}`);
    expect(pollOn(text)).toMatch(/type="radio"\s+name="choice"\s+value="1"/);
    expect(words(pollOn(text))).toMatch(/^Choose one Leek 0 votes Pea 4 votes Vote 4 votes · ends 8 December$/);
    expect(await shown(visitorOf(world.app), poll)).toBe("Leek 0 votes Pea 4 votes 4 votes · ends 8 December");
    const sent = await choose(first, poll, ["0"]);
    expect([sent.status, sent.location]).toEqual([303, expect.stringContaining(`/display/${poll.uuid}`)]);
    expect(await shown(first, poll)).toBe("Leek your choice 1 vote Pea 4 votes 5 votes · ends 8 December");
    expect(await objectOf(poll)).toEqual({ ...soups, oneOf: [note("Leek", 1), note("Pea", 4)] });

    const again = await choose(first, poll, ["1"]);
    expect([again.status, words(again.text)]).toEqual([422, expect.stringContaining("You have voted already.")]);
    expect((await objectOf(poll)).oneOf).toEqual([note("Leek", 1), note("Pea", 4)]);
  });

  test("shows nobody what somebody chose", async () => {
    const poll = await ask(soups);
    await choose(visitors[0]!, poll, ["0"]);
    await world.work();
    expect(await shown(visitors[1]!, poll)).toContain("Choose one Leek 1 vote");
    const whole = await asker.get("/api/z/1.0/item/full", { mid: poll.mid });
    const status = await people[1]!.get(`/api/statuses/show/${poll.id}.json`);
    for (const answer of [whole, status])
      expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining("Answer")]);
    const thread = await visitorOf(world.app).get(`/display/${poll.uuid}`);
    expect(thread.text.match(/<article/g)).toHaveLength(1);
  });

  test.each([
    ["nothing", [], 422, "Choose an option first."],
    ["an option that is not there", ["2"], 422, "This poll has no such option."],
    ["two options", ["0", "1"], 422, "Choose one option only."],
    ["what is no place", ["x"], 404, "Nothing to see here"],
  ])("refuses %s", async (_what, choice, status, sentence) => {
    const poll = await ask(soups);
    const answer = await choose(visitors[0]!, poll, choice);
    expect([answer.status, words(answer.text)]).toEqual([status, expect.stringContaining(sentence)]);
    expect((await objectOf(poll)).oneOf).toEqual(soups.oneOf);
  });
});

test("of a poll with several choices each is counted, and the person once", async () => {
  const several = { type: "Question", anyOf: [note("Mon", 2), note("Tue"), note("Wed")], votersCount: 2 };
  const poll = await ask(several);
  expect(pollOn((await visitors[0]!.get(`/display/${poll.uuid}`)).text)).toContain('type="checkbox"');
  await choose(visitors[0]!, poll, ["0", "2", "2"]);
  const choices = "Mon your choice 3 votes Tue 0 votes Wed your choice 1 vote 3 people";
  expect(await shown(visitors[0]!, poll)).toBe(choices);
  expect(await objectOf(poll)).toMatchObject({ anyOf: [note("Mon", 3), note("Tue"), note("Wed", 1)], votersCount: 3 });
});

test("two votes of one person at once count once, and those of several people all", async () => {
  const poll = await ask(soups);
  const tries = [0, 0, 1, 2].map((who) => vote(world.hub, people[who]!.channel, { mid: poll.mid }, [who > 0 ? 1 : 0]));
  await Promise.all(tries);
  expect((await objectOf(poll)).oneOf).toEqual([note("Leek", 1), note("Pea", 6)]);
});

test.each([
  ["has ended", { ...soups, endTime: "2026-11-30T12:00:00Z" }, {}, "This poll has ended.", "ended 1 day ago"],
  ["was closed", { ...soups, endTime: undefined, closed: true }, {}, "This poll has ended.", "ended"],
  ["takes no answers", soups, { item_nocomment: 1 }, "This thread takes no more comments.", "ends 8 December"],
])("a poll that %s shows its result and takes no vote", async (_how, obj, more, sentence, end) => {
  const poll = await ask(obj, more);
  expect(pollOn((await visitors[0]!.get(`/display/${poll.uuid}`)).text)).not.toContain("<form");
  const answer = await choose(visitors[0]!, poll, ["0"]);
  expect([answer.status, words(answer.text)]).toEqual([403, expect.stringContaining(sentence)]);
  expect(await shown(visitors[0]!, poll)).toContain(`4 votes · ${end}`);
});

test("whoever may not comment may not vote, and gets no form", async () => {
  const poll = await ask(soups, {}, await world.person("shy"));
  expect(pollOn((await visitors[0]!.get(`/display/${poll.uuid}`)).text)).toMatch(/^<div/);
  const answer = await choose(visitors[0]!, poll, ["0"]);
  expect([answer.status, words(answer.text)]).toEqual([403, expect.stringContaining("You may not do that here.")]);
  expect(await shown(visitors[0]!, poll)).toContain("Leek 0 votes");
});

test("a page of many asks as few questions as a page of one", async () => {
  const [reader, ...askers] = [people[0]!, asker, people[1]!, people[2]!] as const;
  for (const { channel } of askers) await setPermissionLimits(world.hub, channel.channel_id, { post_comments: 256 });
  await ask(soups, { body: "Lonely soup" });
  for (const by of [...askers, ...askers.slice(1)]) await ask(soups, { body: "Crowded soup" }, by);
  const visitor = visitors[people.indexOf(reader)]!;
  const statements = async (word: string, ballots: number): Promise<number> => {
    const page = await visitor.get(`/search?search=${word}`);
    expect(page.text.match(/<form\s+class="poll"/g)).toHaveLength(ballots);
    return statementsOf(world.hub, () => visitor.get(`/search?search=${word}`));
  };
  expect(await statements("crowded", 5)).toBe(await statements("lonely", 1));
});

test("nobody votes in a poll of their own", async () => {
  const poll = await ask(soups);
  await expect(vote(world.hub, asker.channel, { mid: poll.mid }, [0])).rejects.toMatchObject({ code: "own_poll" });
});

test("a poll that is not shown, or is none, answers like an unknown one", async () => {
  const secret = await ask(soups, { allow_cid: [`<${people[1]!.channel.channel_hash}>`] });
  const plain = (await asker.post("/api/z/1.0/item/update", { body: "No poll" })).json.item_id;
  await visitors[0]!.get("/network");
  const unknown = await visitors[0]!.post("/item/999999/vote", { choice: "0" });
  for (const id of [secret.id, plain]) {
    const answer = await visitors[0]!.post(`/item/${id}/vote`, { choice: "0" });
    expect([answer.status, words(answer.text)]).toEqual([404, words(unknown.text)]);
  }
  expect((await choose(visitors[1]!, secret, ["0"])).status).toBe(303);
});

test("odd objects are no polls, or poor ones, and never a fault", async () => {
  const odd: Question[] = [
    { type: "Question" },
    { oneOf: "x", anyOf: { a: 1 } },
    { oneOf: [null, 1, [], { name: 5 }, { name: "<>" }] },
    { oneOf: [{ name: "A" }, { name: "A" }, { name: "B", replies: { totalItems: "many" } }], endTime: "soon" },
    { anyOf: [{ name: "A", replies: { totalItems: -3 } }], votersCount: 1.5, endTime: "+999999-01-01T00:00:00Z" },
  ];
  const seen: string[] = [];
  for (const obj of odd) seen.push(await shown(visitors[0]!, await ask(obj)));
  expect(seen).toEqual([
    "",
    "",
    "",
    "Choose one A 0 votes B 0 votes Vote 0 votes",
    expect.stringMatching(/^Choose one or more A 0 votes Vote 0 votes/),
  ]);
});

test("a deleted poll leaves no votes behind", async () => {
  const poll = await ask(soups);
  await choose(visitors[0]!, poll, ["0"]);
  const votes = () =>
    world.hub.db
      .selectFrom("poll_vote")
      .innerJoin("message", "message.id", "poll_vote.message_id")
      .select("xchan_id")
      .where("message.mid", "=", poll.mid)
      .execute();
  expect(await votes()).toHaveLength(1);
  await deleteItem(world.hub, asker.channel, { id: poll.id });
  expect(await votes()).toHaveLength(0);
});

test("it ends for all who voted while its author is suspended, and for the author, too", async () => {
  const { hub } = world;
  const ends = new Date(hub.clock().getTime() + 3600_000).toISOString();
  const apps = await Promise.all([asker, people[0]!].map(({ channel }) => mastodonPerson(world, channel)));
  const poll = await ask({ ...soups, endTime: ends });
  await world.work();
  await choose(visitors[0]!, poll, ["0"]);
  await setAccountFlag(hub, asker.channel.channel_account_id, "blocked", true);
  hub.advance(3601);
  await world.work();
  await setAccountFlag(hub, asker.channel.channel_account_id, "blocked", false);
  for (const app of apps) {
    const [told] = (await app.get("/api/v1/notifications", { types: ["poll"] })).json;
    expect(told).toMatchObject({ type: "poll", status: { poll: { expired: true, votes_count: 5 } } });
  }
});

test("votes go along with the threads of a channel, and are not counted again", async () => {
  const voter = asker.channel;
  await setPermissionLimits(world.hub, voter.channel_id, { post_wall: 256 });
  const { mid } = await postItem(world.hub, people[2]!.channel, {
    body: "On your wall: which soup?",
    wall: voter.channel_id,
    objType: "Question",
    obj: JSON.stringify(soups),
  });
  await world.work();
  await vote(world.hub, voter, { mid }, [0]);
  const folder = mkdtempSync(join(tmpdir(), "hubbub-polls-"));
  const file = join(folder, "voter.tar");
  await pipeline(Readable.fromWeb(exportArchive(world.hub, voter) as never), createWriteStream(file));
  const there = await openTestHub({ clock: "2026-12-01T12:00:00Z", env: { HUBBUB_BASE_URL: "http://b.example" } });
  try {
    const { account_id } = await makeAccount(there, "pia@example.org");
    const options = { mode: "clone", nick: "", posts: true } as const;
    const run = await importNow(there, account_id, { file }, options, () => undefined);
    expect(run.state).toBe("done");
    const copy = (await findChannelById(there, run.channelId))!;
    await expect(vote(there, copy, { mid }, [1])).rejects.toMatchObject({ code: "voted_already" });
    const rows = there.db.selectFrom("message").select("obj").where("mid", "=", mid);
    const { obj } = await rows.executeTakeFirstOrThrow();
    expect(JSON.parse(obj).oneOf).toEqual([note("Leek", 1), note("Pea", 4)]);
    const votes = await there.db
      .selectFrom("poll_vote")
      .select("choices")
      .where("xchan_id", "=", copy.xchan_id)
      .execute();
    expect(votes).toEqual([{ choices: '["Leek"]' }]);
  } finally {
    await there.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a newer copy of a poll takes no vote away that was given here", () => {
  const newer = { ...soups, oneOf: [note("Leek", 3), note("Pea", 1), note("Kale", 2)] };
  const former = { ...soups, oneOf: [note("Leek", 1), note("Pea", 4)] };
  const merged = JSON.parse(withFormerVotes(JSON.stringify(newer), JSON.stringify(former)));
  expect(merged.oneOf).toEqual([note("Leek", 3), note("Pea", 4), note("Kale", 2)]);
});
