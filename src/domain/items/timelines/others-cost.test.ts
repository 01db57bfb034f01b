import { anonymous } from "../../../../test/support/observers.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hardlyMore, numbers, openCostHub } from "../../../../test/support/cost.ts";
import type { CostHub } from "../../../../test/support/cost.ts";
import { newcomer } from "../../../../test/support/people.ts";
import { addMembers, createGroup } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { lastComments } from "./network-page.ts";
import { listTimeline } from "./list-timeline.ts";
import { postItem } from "../posting/post.ts";
import { assembleStatuses } from "./statuses.ts";
import { visibleThread, wall } from "./thread.ts";
import { directAnswers, wholeThread } from "./thread-timeline.ts";
import { homeTimeline, userTimeline } from "./timelines.ts";
import type { Item } from "../types.ts";

/** What somebody reads costs the same whatever others have in private, and however many like, answer and share. */

const page = { count: 20, page: 1 };
const date = "'2026-02-03 00:00:00'";

let hub: CostHub;
let ann: Channel;
let wanda: Channel;
/** Everybody likes, answers and shares what it posts. */
let host: Channel;
let group: number;
let top: Item;

beforeAll(async () => {
  hub = await openCostHub();
  [ann, wanda, host] = [await newcomer(hub, "ann"), await newcomer(hub, "wanda"), await newcomer(hub, "host")];
  for (let n = 0; n < 5; n++) await postItem(hub, wanda, { body: `open ${n}` });
  group = (await createGroup(hub, ann.channel_id, "Some")).id;
  await addMembers(hub, ann.channel_id, group, [wanda.channel_hash]);
  top = await postItem(hub, host, { body: "for everybody" });
  await fill(100_000, { private: 2100, likes: 600, comments: 5100, shares: 600 });
});
afterAll(() => hub.close());

/** More than anybody looks at, and then much more. */
async function fill(from: number, many: Record<"private" | "likes" | "comments" | "shares", number>): Promise<void> {
  const wandas = { author: String(wanda.xchan_id), uid: String(wanda.channel_id) };
  await write(from, many.private, { ...wandas, isTop: true, isPrivate: true });
  await write(from + 30_000, many.likes, { uid: String(host.channel_id), verb: "like" });
  await write(from + 60_000, many.comments, { uid: String(host.channel_id) });
  await write(from + 90_000, many.shares, { isTop: true, shared: top.message_id });
  await hub.settle();
}

type Kind = { uid?: string; author?: string; isTop?: boolean; isPrivate?: boolean; verb?: string; shared?: number };

async function write(
  first: number,
  many: number,
  { uid = "n", author = "n", verb = "post", ...kind }: Kind,
): Promise<void> {
  const rows = numbers(first, many);
  await hub.run(`insert into message (id, mid, uuid, parent_mid, thr_parent, verb, obj_type, author_id, created, edited, body, shared_id)
    select n, 'm' || n, 'u' || n, 'm' || n, 'm' || n, 'http://activitystrea.ms/schema/1.0/${verb}', 't', ${author}, ${date}, ${date},
      '[share author=x]text[/share]', ${kind.shared ?? 0} from ${rows}`);
  const parent = kind.isTop ? "n" : String(top.id);
  await hub.run(`insert into item (id, uid, aid, message_id, parent, thr_parent_id, author_id, owner_id, created, commented, received,
      changed, item_thread_top, item_wall, item_origin, item_private, item_notshown, public_policy)
    select n, ${uid}, 1, n, ${parent}, ${parent}, ${author}, ${author}, ${date}, ${date}, ${date}, ${date}, ${kind.isTop ? 1 : 0}, 1, 1,
      ${kind.isPrivate ? 1 : 0}, ${verb === "like" ? 1 : 0}, '${kind.isPrivate ? "contacts" : ""}' from ${rows}`);
}

/** What is read, as far as others decide how much of it there is. */
const reads: Record<string, () => Promise<{ length: number }>> = {
  "user timeline": () => userTimeline(hub, ann, wanda.xchan_id, page),
  "user timeline, tops": () => userTimeline(hub, ann, wanda.xchan_id, { ...page, excludeReplies: true }),
  "timeline of a list": () => listTimeline(hub, ann, group, page),
  "channel page": async () => (await wall(hub, observerOf(ann), wanda, { count: 20 })).items,
  "channel page for anybody": async () => (await wall(hub, anonymous, wanda, { count: 20 })).items,
  "what stands around a post": async () => {
    const post = (await homeTimeline(hub, host, { count: 1, page: 1, maxId: top.id }))[0]!;
    const { reactions, comments, shares, users } = await assembleStatuses(hub, observerOf(host), [post]);
    expect(reactions.get(top.id)?.["like"]).toHaveLength(500);
    expect([comments.get(top.id), shares.get(top.message_id)?.count]).toEqual([5000, 500]);
    return [...users.values()];
  },
  "thread page": () => visibleThread(hub, observerOf(host), { id: top.id }),
  "thread in a stream": () => lastComments(hub, observerOf(host), [top], 3),
  "whole thread": () => wholeThread(hub, host, top, page),
  "direct answers": () => directAnswers(hub, host, top, page),
};

test("others' private posts, likes, comments and shares cost nothing more", async () => {
  const before: Record<string, { found: number; cost: number }> = {};
  for (const [name, read] of Object.entries(reads))
    before[name] = { found: (await read()).length, cost: await hub.costOf(read) };
  await fill(300_000, { private: 20_000, likes: 20_000, comments: 20_000, shares: 20_000 });
  for (const [name, read] of Object.entries(reads)) {
    const { found, cost } = before[name]!;
    const enough = hardlyMore(cost);
    const now = await hub.costOf(read, enough);
    expect([name, (await read()).length]).toEqual([name, found]);
    expect([name, cost, now, now < enough]).toEqual([name, cost, now, true]);
  }
});
