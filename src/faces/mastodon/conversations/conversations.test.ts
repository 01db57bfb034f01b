import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonPeople } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend, mark } from "../../../../test/support/people.ts";
import { block } from "../../../domain/connections/connections.ts";
import { setConfig } from "../../../domain/identity/channels/channel-config.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { countUnseenMessages, sendMessage } from "../../../domain/messages/messages.ts";

/** Direct threads and messages as conversations (mastodon contract 6.5, 11.21). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  await befriend(world.hub, bob.channel, cara.channel);
  await world.work();
});
afterAll(() => world.close());

type Answered = {
  id: string;
  unread: boolean;
  accounts: { username: string }[];
  last_status: { id: string; content: string; visibility: string; account: { username: string } };
};

/** Everything is said in a minute of its own. */
function later(): void {
  world.hub.setClock(new Date(world.hub.clock().getTime() + 60_000));
}

async function direct(client: Client, status: string, more: object = {}): Promise<{ id: string }> {
  later();
  const { status: code, json } = await client.post("/api/v1/statuses", { status, visibility: "direct", ...more });
  expect([code, json.visibility]).toEqual([200, "direct"]);
  await world.work();
  return json;
}

async function mail({ channel }: MastodonPerson, to: MastodonPerson, body: string, replyTo?: number): Promise<number> {
  later();
  const sent = await sendMessage(world.hub, channel, {
    to: to.channel.channel_hash,
    body,
    ...(replyTo !== undefined && { replyTo }),
  });
  return sent.id;
}

const talks = async (client: Client, query = {}): Promise<Answered[]> =>
  (await client.get("/api/v1/conversations", query)).json;
const brief = ({ unread, accounts, last_status }: Answered) =>
  `${accounts.map(({ username }) => username).join("+")}: ${last_status.content.replaceAll(/<[^>]+>/g, "")}${unread ? " *" : ""}`;
const briefs = async (client: Client) => (await talks(client)).map(brief);

test("direct threads and messages stand together, what was said last first, for those alone who take part", async () => {
  const first = await direct(ann, "one @bob @cara");
  const sent = await mail(ann, bob, "two");
  expect(await briefs(ann)).toEqual(["bob: two", "bob+cara: one @bob @cara"]);
  expect(await briefs(bob)).toEqual(["ann: two *", "ann+cara: one @bob @cara *"]);
  expect(await briefs(cara)).toEqual(["ann+bob: one @bob @cara *"]);
  const [, own] = await talks(bob);
  await direct(bob, "three", { in_reply_to_id: own!.last_status.id });
  expect(await briefs(ann)).toEqual(["bob+cara: three *", "bob: two"]);
  expect((await briefs(cara))[0]).toBe("bob+ann: three *");
  const [thread, mails] = await talks(ann);
  expect(thread!.id).toBe(first.id);
  expect(Number(mails!.last_status.id)).toBe(2 ** 51 + sent);
  expect((await ann.get("/api/v1/timelines/direct")).json.map(({ id }: { id: string }) => id)).toEqual([
    thread!.last_status.id,
    mails!.last_status.id,
  ]);
});

test("a message is a status that names its reader and what it answers", async () => {
  const [, theirs] = await talks(bob);
  const answered = Number(theirs!.last_status.id) - 2 ** 51;
  await mail(bob, ann, "[b]four[/b]", answered);
  const [{ last_status: shown }] = (await ann.get("/api/v1/conversations")).json;
  expect(shown).toMatchObject({
    visibility: "direct",
    url: null,
    content: expect.stringContaining("<strong>four</strong>"),
    account: { username: "bob" },
    mentions: [{ username: "ann" }],
    replies_count: 0,
    filtered: [],
  });
  expect(Number(shown.in_reply_to_id)).toBeGreaterThan(2 ** 51);
});

test("they page by the keys of the Link header, in both directions and without gaps", async () => {
  await direct(cara, "five @ann");
  const all = (await talks(ann)).map(({ id }) => id);
  expect(all.length).toBe(3);
  const seen: string[] = [];
  let next: string | undefined = "/api/v1/conversations?limit=1";
  let last = "";
  while (next) {
    const { json, headers } = await ann.get(next);
    seen.push(...json.map(({ id }: Answered) => id));
    const link = headers.get("link") ?? "";
    last = /<[^>]*?(\/api[^>]+)>; rel="prev"/.exec(link)?.[1] ?? last;
    next = /<[^>]*?(\/api[^>]+)>; rel="next"/.exec(link)?.[1];
  }
  expect(seen).toEqual(all);
  expect((await ann.get(last)).json.map(({ id }: Answered) => id)).toEqual([all[1]]);
});

test("what is read is read in the whole house, and can be made unread", async () => {
  const ids = (await talks(ann)).map(({ id }) => id);
  for (const id of ids) expect((await ann.post(`/api/v1/conversations/${id}/read`)).json.unread).toBe(false);
  expect(await countUnseenMessages(world.hub, ann.channel.channel_id)).toBe(0);
  expect((await talks(ann)).filter(({ unread }) => unread)).toEqual([]);
  for (const id of ids) expect((await ann.post(`/api/v1/conversations/${id}/unread`)).json.unread).toBe(true);
  expect(await countUnseenMessages(world.hub, ann.channel.channel_id)).toBe(ids.length);
});

test("who is blocked or muted has no conversation", async () => {
  await mark(world.hub, ann.channel, cara.channel, { ignored: true });
  expect((await briefs(ann)).map((one) => one.split(":")[0])).toEqual(["bob", "bob+cara"]);
  await mark(world.hub, ann.channel, bob.channel, { blocked: true });
  expect((await briefs(ann)).map((one) => one.split(":")[0])).toEqual(["bob+cara"]);
  await mark(world.hub, ann.channel, cara.channel, { ignored: false });
  await mark(world.hub, ann.channel, bob.channel, { blocked: false });
});

test("a note to oneself names oneself, and removing takes the own copies alone", async () => {
  await direct(ann, "milk");
  expect(await briefs(ann)).toContainEqual("ann: milk");
  const before = await briefs(bob);
  for (const { id } of await talks(ann))
    expect((await ann.send("DELETE", `/api/v1/conversations/${id}`)).json).toEqual({});
  expect(await talks(ann)).toEqual([]);
  expect(await briefs(bob)).toEqual(before);
});

test("a stranger of this hub writes to whoever lets everybody, and is told that others take no messages of theirs", async () => {
  const [dan, eve] = await mastodonPeople(world, "dan", "eve");
  const wrote = await dan.post("/api/v1/statuses", { status: "hello @eve", visibility: "direct" });
  expect([wrote.status, wrote.json.error]).toEqual([
    422,
    "Validation failed: eve@hub.example takes messages from connections only. Connect first.",
  ]);
  await setConfig(world.hub, eve.channel.channel_id, "perm_limits", "post_mail", String(limits.site));
  await direct(dan, "hello @eve");
  expect(await briefs(eve)).toEqual(["dan: hello @eve *"]);
  expect((await eve.get("/api/v1/notifications")).json.map(({ type }: { type: string }) => type)).toEqual(["mention"]);
  // Nobody learns who blocks them: what they write is said by them, and not heard.
  await block(world.hub, eve.channel, (await findXchan(world.hub, { hash: dan.channel.channel_hash }))!);
  await direct(dan, "are you there, @eve?");
  expect(await briefs(eve)).toEqual([]);
});
