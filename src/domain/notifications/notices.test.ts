import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { layOutOldNotices } from "./laid-out.ts";
import {
  countUnseen,
  listNotices,
  markAllSeen,
  markSeen,
  mostWaiting,
  noticeTypes,
  notify,
  trimNotices,
} from "./notices.ts";

let hub: TestHub;
let bob: Xchan;
beforeAll(async () => {
  hub = await openTestHub();
  bob = (await findXchan(hub, { id: (await makeChannel(hub, "bob")).xchan_id }))!;
});
afterAll(() => hub.close());

const tell = (to: Channel, link: string, type: number = noticeTypes.reaction, msg = "Bob likes a post", from = bob) =>
  notify(hub, {
    to,
    from,
    type,
    link,
    msg,
    verb: "http://activitystrea.ms/schema/1.0/like",
    otype: "item",
    itemId: 7,
    parent: "mid",
  });

test("a notice shows who did what", async () => {
  const to = await makeChannel(hub, "alma");
  await tell(to, "http://hub.example/display/1");
  const [notice] = await listNotices(hub, to.channel_id);
  expect(notice).toMatchObject({
    xname: "Bob",
    url: "http://hub.example/channel/bob",
    photo: bob.xchan_photo_s,
    aid: to.channel_account_id,
    uid: to.channel_id,
    parent: "mid",
    item_id: 7,
    seen: 0,
    ntype: 1024,
  });
  expect(notice!.hash).toMatch(/^[0-9a-f]{64}$/);
});

test("nobody is told about own actions", async () => {
  const to = await makeChannel(hub, "own");
  await tell(to, "link", noticeTypes.wall, "wrote", await findXchan(hub, { id: to.xchan_id }));
  expect(await listNotices(hub, to.channel_id)).toEqual([]);
});

test("comments on one link share a notice, which becomes unseen again", async () => {
  const to = await makeChannel(hub, "carl");
  await tell(to, "thread", noticeTypes.comment, "first");
  await markAllSeen(hub, to.channel_id);
  hub.advance(60);
  await tell(to, "thread", noticeTypes.comment, "second");
  await tell(to, "thread", noticeTypes.reaction, "like");
  await tell(to, "other", noticeTypes.comment, "third");
  const notices = await listNotices(hub, to.channel_id);
  expect(notices.map((notice) => notice.msg).sort()).toEqual(["like", "second", "third"]);
  expect(await countUnseen(hub, to.channel_id)).toBe(3);
});

test("of very many unseen ones only the first are counted", async () => {
  const to = await makeChannel(hub, "many");
  for (let n = 0; n < 3; n++) await tell(to, String(n));
  const { id: _, ...row } = (await listNotices(hub, to.channel_id))[0]!;
  const more = Array.from({ length: mostWaiting }, (_, n) => ({ ...row, link: `more ${n}` }));
  await hub.db.insertInto("notify").values(more.slice(5)).execute();
  expect(await countUnseen(hub, to.channel_id)).toBe(mostWaiting - 2);
  await hub.db.insertInto("notify").values(more.slice(0, 5)).execute();
  expect(await countUnseen(hub, to.channel_id)).toBe(mostWaiting);
});

test("unseen ones come first, then the newest", async () => {
  const to = await makeChannel(hub, "dan");
  for (const link of ["1", "2", "3", "4"]) {
    await tell(to, link);
    hub.advance(1);
  }
  const all = await listNotices(hub, to.channel_id);
  expect(all.map((notice) => notice.link)).toEqual(["4", "3", "2", "1"]);
  await markSeen(hub, to.channel_id, all[0]!.id);
  await markSeen(hub, to.channel_id, all[2]!.id);
  const links = async (limit?: number) => (await listNotices(hub, to.channel_id, limit)).map((notice) => notice.link);
  expect(await links()).toEqual(["3", "1", "4", "2"]);
  expect(await links(1)).toEqual(["3"]);
  expect(await links(3)).toEqual(["3", "1", "4"]);
});

test("the notices of others are missing", async () => {
  const to = await makeChannel(hub, "eve");
  await tell(to, "1");
  const [notice] = await listNotices(hub, to.channel_id);
  await expect(markSeen(hub, to.channel_id + 1, notice!.id)).rejects.toMatchObject({ kind: "missing" });
  expect(await listNotices(hub, to.channel_id)).toEqual([notice]);
});

test("its sentence is laid out when it is written, or by a job where it is older than that", async () => {
  const to = await makeChannel(hub, "gus");
  const words = { html: "<strong>Bob</strong> waves", plain: "Bob waves" };
  await tell(to, "new", noticeTypes.reaction, "[b]Bob[/b] waves");
  const stored = (): Promise<unknown> =>
    hub.db.selectFrom("notify").select(["html", "plain"]).where("uid", "=", to.channel_id).execute();
  expect(await stored()).toEqual([words]);
  await hub.db.updateTable("notify").set({ html: null, plain: null }).where("uid", "=", to.channel_id).execute();
  expect(await listNotices(hub, to.channel_id)).toMatchObject([words]);
  await layOutOldNotices(hub);
  expect(await stored()).toEqual([words]);
});

test("seen notices go after 90 days", async () => {
  const to = await makeChannel(hub, "fay");
  await tell(to, "seen");
  await markAllSeen(hub, to.channel_id);
  await tell(to, "unseen");
  hub.advance(91 * 24 * 3600);
  await trimNotices(hub);
  expect((await listNotices(hub, to.channel_id)).map((notice) => notice.link)).toEqual(["unseen"]);
});
