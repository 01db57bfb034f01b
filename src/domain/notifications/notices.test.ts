import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { updateChannel } from "../identity/channels/channels.ts";
import { postItem } from "../items/posting/post.ts";
import { noticeWords } from "../portable/notice-sentence.ts";
import { countUnseen, listNotices, mostWaiting } from "./notices.ts";
import { markAllSeen, markRequestSeen, markSeen } from "./seen.ts";
import { notify } from "./notify.ts";
import { trimNotices } from "./drop.ts";
import type { Deed } from "./new-notice.ts";
import type { Notice } from "./stored.ts";
import { statementsOf } from "../../../test/support/statements.ts";

let hub: TestHub;
let bob: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  bob = await makeChannel(hub, "bob");
});
afterAll(() => hub.close());

const like = "http://activitystrea.ms/schema/1.0/like";

/** Tells of something about a connection that needs no row: the number is enough to know it by. */
const tell = (to: Channel, connection: number, from = bob) => told(to, { kind: "confirmed", connection }, from);
const told = (to: Channel, deed: Deed, from = bob) => notify(hub, [{ ...deed, to, actor: from.xchan_id }]);

const numbers = (notices: Notice[]) => notices.map((notice) => notice.abook_id);

test("a notice says who did what to which item", async () => {
  const to = await makeChannel(hub, "alma");
  const item = await postItem(hub, to, { body: "x" });
  await told(to, { kind: "reaction", item: item.id, verb: like });
  const [notice] = await listNotices(hub, to.channel_id);
  expect(notice).toMatchObject({
    kind: "reaction",
    verb: like,
    actor: { hash: bob.channel_hash, name: "Bob", url: "http://hub.example/channel/bob" },
    uid: to.channel_id,
    item_id: item.id,
    mid: item.mid,
    parent_mid: item.mid,
    count: 1,
    seen: 0,
  });
  expect(notice!.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await hub.db.selectFrom("notify").select("words").where("uid", "=", to.channel_id).execute()).toEqual([
    { words: "" },
  ]);
});

test("people are named as they are named now", async () => {
  const [to, from] = [await makeChannel(hub, "ines"), await makeChannel(hub, "jon")];
  await tell(to, 1, from);
  await updateChannel(hub, from.channel_id, { name: "Joan" });
  const [notice] = await listNotices(hub, to.channel_id);
  expect(noticeWords("http://hub.example", notice!)).toMatchObject({
    xname: "Joan",
    msg: "[zrl=http://hub.example/channel/jon]Joan[/zrl] has confirmed the connection with you",
  });
});

test("nobody is told about own actions", async () => {
  const to = await makeChannel(hub, "own");
  await tell(to, 1, to);
  expect(await listNotices(hub, to.channel_id)).toEqual([]);
});

test("a comment has one notice, which becomes unseen again, and so have all that wait", async () => {
  const to = await makeChannel(hub, "carl");
  const verb = "http://activitystrea.ms/schema/1.0/post";
  for (const kind of ["first", "second"]) {
    await told(to, { kind: "comment", item: 5, verb, thread: 1 });
    await told(to, { kind: "held", verb }, kind === "first" ? bob : await makeChannel(hub, "kim"));
    if (kind === "first") await markAllSeen(hub, to.channel_id);
    hub.advance(60);
  }
  await told(to, { kind: "held", verb });
  await told(to, { kind: "reaction", item: 5, verb: like });
  await told(to, { kind: "comment", item: 6, verb, thread: 1 });
  const notices = await listNotices(hub, to.channel_id);
  expect(notices.map(({ kind, item_id, count, actor }) => [kind, item_id, count, actor.name]).toSorted()).toEqual([
    ["comment", 5, 1, "Bob"],
    ["comment", 6, 1, "Bob"],
    ["held", 0, 2, "Bob"],
    ["reaction", 5, 1, "Bob"],
  ]);
  expect(await countUnseen(hub, to.channel_id)).toBe(4);
});

test("many are told by as many statements as one", async () => {
  const people = await Promise.all(Array.from({ length: 20 }, (_, n) => makeChannel(hub, `reader${n}`)));
  const deeds = (to: Channel, n: number) =>
    ({ kind: "comment", to, actor: bob.xchan_id, item: 100 + n, verb: "", thread: 1 }) as const;
  const one = await statementsOf(hub, () => notify(hub, [deeds(people[0]!, 0)]));
  const many = await statementsOf(hub, () =>
    notify(
      hub,
      people.map((to, n) => deeds(to, n + 1)),
    ),
  );
  expect([one, many]).toEqual([2, 2]);
});

test("of very many unseen ones only the first are counted", async () => {
  const to = await makeChannel(hub, "many");
  const some = (count: number) =>
    notify(
      hub,
      Array.from({ length: count }, () => ({ kind: "request", to, actor: bob.xchan_id })),
    );
  await some(mostWaiting - 2);
  expect(await countUnseen(hub, to.channel_id)).toBe(mostWaiting - 2);
  await some(5);
  expect(await countUnseen(hub, to.channel_id)).toBe(mostWaiting);
});

test("unseen ones come first, then the newest", async () => {
  const to = await makeChannel(hub, "dan");
  for (const number of [1, 2, 3, 4]) {
    await tell(to, number);
    hub.advance(1);
  }
  const all = await listNotices(hub, to.channel_id);
  expect(numbers(all)).toEqual([4, 3, 2, 1]);
  await markSeen(hub, to.channel_id, all[0]!.id);
  await markSeen(hub, to.channel_id, all[2]!.id);
  const listed = async (limit?: number) => numbers(await listNotices(hub, to.channel_id, limit));
  expect(await listed()).toEqual([3, 1, 4, 2]);
  expect(await listed(1)).toEqual([3]);
  expect(await listed(3)).toEqual([3, 1, 4]);
});

test("the notices of others are missing", async () => {
  const to = await makeChannel(hub, "eve");
  await tell(to, 1);
  const [notice] = await listNotices(hub, to.channel_id);
  await expect(markSeen(hub, to.channel_id + 1, notice!.id)).rejects.toMatchObject({ kind: "missing" });
  expect(await listNotices(hub, to.channel_id)).toEqual([notice]);
});

test("a request that was answered is seen, others are not", async () => {
  const [to, other] = [await makeChannel(hub, "gus"), await makeChannel(hub, "hal")];
  for (const from of [bob, other]) await told(to, { kind: "request" }, from);
  await markRequestSeen(hub, to.channel_id, bob.channel_hash);
  const notices = await listNotices(hub, to.channel_id);
  expect(notices.map(({ actor, seen }) => [actor.name, seen])).toEqual([
    ["Hal", 0],
    ["Bob", 1],
  ]);
});

test("seen notices go after 90 days", async () => {
  const to = await makeChannel(hub, "fay");
  await tell(to, 1);
  await markAllSeen(hub, to.channel_id);
  await tell(to, 2);
  hub.advance(91 * 24 * 3600);
  await trimNotices(hub);
  expect(numbers(await listNotices(hub, to.channel_id))).toEqual([2]);
});
