import { afterAll, beforeAll, expect, test } from "vitest";
import { limits } from "../../src/domain/identity/channels/roles.ts";
import { setPermissionLimits } from "../../src/domain/identity/channels/permission-limits.ts";
import { mastodonPerson } from "../support/mastodon.ts";
import { copyOf, follows, inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** Direct messages between two hubs, a hub that is away, and what comes more than once. */

let world: TestHubs;
let ann: Inhabitant;
let ben: Inhabitant;
let bella: Inhabitant;

beforeAll(async () => {
  world = await openHubs(2);
  const [one, two] = world.hubs;
  ann = await inhabitant(one!, "ann");
  [ben, bella] = [await inhabitant(two!, "ben"), await inhabitant(two!, "bella")];
  for (const other of [ben, bella]) {
    await follows(world, other, ann);
    await follows(world, ann, other);
  }
});
afterAll(() => world.close());

const mails = async ({ at, channel }: Inhabitant) =>
  at.hub.db
    .selectFrom("mail")
    .select(["id", "body", "mid", "conv_guid", "mail_recalled"])
    .where("channel_id", "=", channel.channel_id)
    .orderBy("id")
    .execute();

test("a message reaches the one to whom it is, is answered in its conversation, and is nobody else's", async () => {
  const to = (await ann.get("/api/users/show.json", { screen_name: `ben@${ben.at.host}` })).json;
  const sent = await ann.post("/api/direct_messages/new.json", { user_id: to.id, text: "Coffee at ten?" });
  expect(sent.status).toBe(200);
  await world.settle();
  expect(await mails(ben)).toMatchObject([{ body: expect.stringContaining("Coffee at ten?") }]);
  expect([await mails(bella), await copyOf(bella, (await mails(ben))[0]!.mid)]).toEqual([[], undefined]);
  const inbox = (await ben.get("/api/direct_messages.json")).json as { id: number; sender_id: number }[];
  const answer = await ben.post("/api/direct_messages/new.json", {
    user_id: inbox[0]!.sender_id,
    text: "Yes",
    replyto: inbox[0]!.id,
  });
  expect(answer.status).toBe(200);
  await world.settle();
  const conversation = await mails(ann);
  expect(conversation).toHaveLength(2);
  expect(conversation[1]).toMatchObject({
    body: expect.stringContaining("Yes"),
    conv_guid: conversation[0]!.conv_guid,
  });
});

test("a direct post to an address that nobody here knows yet looks it up, and reaches whom it names", async () => {
  const dora = await inhabitant(ben.at, "dora");
  await setPermissionLimits(dora.at.hub, dora.channel.channel_id, { post_mail: limits.authenticated });
  const here = await mastodonPerson(ann.at, ann.channel);
  const address = `dora@${dora.at.host}`;
  const status = `@${address} have we met? @nobody@${dora.at.host}`;
  const { json } = await here.post("/api/v1/statuses", { status, visibility: "direct" });
  expect(json.mentions.map(({ acct }: { acct: string }) => acct)).toEqual([address]);
  await world.settle();
  const there = await mastodonPerson(dora.at, dora.channel);
  const [talk] = (await there.get("/api/v1/conversations")).json;
  expect([talk.accounts[0].acct, talk.last_status.content]).toEqual([
    `ann@${ann.at.host}`,
    expect.stringContaining("have we met?"),
  ]);
});

test("nothing is lost for a hub that is away for two hours", async () => {
  await ben.at.leave();
  const mids: string[] = [];
  for (let n = 0; n < 8; n++) {
    const answer = await ann.post("/api/z/1.0/item/update", { body: `While you were away ${n}` });
    mids.push((answer.json.item as { mid: string }).mid);
    await world.settle();
    world.advance(15 * 60);
  }
  const standing = await ann.at.hub.db
    .selectFrom("peer")
    .select("circuit")
    .where("host", "=", ben.at.host)
    .executeTakeFirst();
  expect(standing).toEqual({ circuit: "open" });
  await ben.at.comeBack();
  for (let n = 0; n < 6; n++) {
    world.advance(3600);
    await world.settle();
  }
  const copies = await Promise.all(mids.map((mid) => copyOf(ben, mid)));
  expect(copies.map((copy) => copy?.body)).toEqual(mids.map((_, n) => `While you were away ${n}`));
});

test("what comes three times, by both kinds of inboxes, is there once and is told once", async () => {
  const answer = await ann.post("/api/z/1.0/item/update", { body: `Hello @ben@${ben.at.host}` });
  await world.settle();
  const { mid } = answer.json.item as { mid: string };
  const { db } = ann.at.hub;
  const notices = async () =>
    (await ben.at.hub.db.selectFrom("notify").select("id").where("uid", "=", ben.channel.channel_id).execute()).length;
  const before = await notices();
  const rows = await db.selectFrom("delivery").selectAll().orderBy("id", "desc").limit(1).execute();
  for (const inbox of [`${ben.at.url}/inbox`, `${ben.at.url}/inbox/ben`, `${ben.at.url}/inbox/ben`]) {
    const { id: _, ...row } = rows[0]!;
    await db
      .insertInto("delivery")
      .values({ ...row, inbox, state: "waiting", attempts: 0, next_at: row.created })
      .execute();
  }
  const posts = ben.at.received.length;
  await world.settle();
  expect(ben.at.received.slice(posts).filter(({ method, status }) => method === "POST" && status === 202)).toHaveLength(
    3,
  );
  const copies = await ben.at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("mid", "=", mid)
    .where("uid", "=", ben.channel.channel_id)
    .execute();
  expect([copies.length, await notices()]).toEqual([1, before]);
});
