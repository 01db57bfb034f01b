import { z } from "zod";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { channelSetting } from "../../domain/identity/channels/channel-settings.ts";
import { assemblePage } from "../../domain/items/assemble.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { channelStream, networkStream } from "../../domain/items/timelines/stream.ts";
import type { StreamQuery } from "../../domain/items/types.ts";
import type { Hub } from "../../hub.ts";
import { storedDate } from "../../http/dates.ts";
import { endpoint } from "../../http/endpoint.ts";
import { given } from "./given.ts";
import { amount, date, flag, id, integer, itemType, text, word } from "./parameters.ts";
import { JsonText } from "../../http/json-text.ts";
import { itemRecord } from "../../domain/portable/item-record.ts";
import { activityDraft, activityInput } from "./activity-input.ts";
import { shortItems } from "../../domain/portable/item-portable.ts";

const mostThreads = 100;
const usualThreads = 20;
const fourteenDays = 14 * 86_400_000;

const networkInput = z.object({
  start: amount("How many to skip."),
  records: amount("How many threads to answer, 100 at most.", mostThreads),
  page: amount("Which page, counted from 1, in place of `start`."),
  order: word("Newest first by the last comment, or by the post.", "comment", "post"),
  nouveau: flag("Single items by when they arrived, instead of threads."),
  top: flag("Only the first item of each thread."),
  dbegin: date("Only threads begun at or after this time."),
  dend: date("Only threads begun at or before this time."),
  mindate: date("The same as `dbegin`."),
  since_id: id("Only items with a greater id."),
  star: flag("Only threads whose first item has a star."),
  wall: flag("Only threads on the channel's own wall."),
  conv: flag("Only threads that the channel takes part in."),
  unseen: flag("Only threads with something that was not seen yet."),
  mid: text("The thread that begins with this message id."),
  item_id: id("The thread that begins with this id."),
  gid: id("Id of a group: only threads of its members or for it."),
  cid: id("Id of a connection: only its threads."),
  xchan: text("Hash of an identity: only its threads."),
  cmin: integer("Only people who are at least so far away.", 0, 99),
  cmax: integer("Only people who are at most so far away.", 0, 99),
  cat: text("Only threads with something in this category."),
  tag: text("Only threads with this hashtag."),
  file: text("Only threads with something in this folder."),
  search: text("Only threads with these words; `#` before a word makes it a hashtag."),
  verb: text("Only threads that begin with this verb."),
  pages: flag("Pages instead of conversations."),
  item_type: itemType("The kind of items; `*` is every kind."),
  include_follow: flag("Also says who follows whom."),
  mark_seen: flag("What is answered counts as seen from then on."),
});

/** The streams, for reading. */
export const streamRows = [
  endpoint({
    path: "channel/stream",
    methods: ["GET"],
    access: "channel",
    permission: "view_stream",
    summary: "The channel's wall as conversations, oldest first.",
    answer: "ShortItem[]",
    example: { mindate: "now - 7 days" },
    input: z.object({
      mindate: date("Only threads with something later; the last 14 days unless given."),
      start: amount("How many to skip."),
      records: amount("How many threads to answer, 100 at most.", mostThreads),
    }),
    handle(hub, { channel }, { mindate, start = 0, records = mostThreads }) {
      const earliest = storedDate(
        mindate ?? { form: "moment", at: hub.clock().getTime() - fourteenDays },
        "UTC",
        hub.clock(),
      );
      return channelStream(hub, channel, { mindate: earliest ?? "", start, records });
    },
    present: (page, { baseUrl }) => new JsonText(shortItems(page, baseUrl)),
  }),
  endpoint({
    path: "channel/stream",
    methods: ["POST"],
    access: "channel",
    permission: "post_wall",
    writes: true,
    summary: "Stores one activity on the channel's wall as it is, for programs that build items themselves.",
    answer: "StoredActivity",
    fields: { message_id: "mid", group_allow: "allow_gid", group_deny: "deny_gid" },
    example: { body: "Good morning" },
    input: activityInput,
    async handle(hub, { channel }, input, { application }) {
      const draft = { ...activityDraft(hub, channel, input), app: input.app || application };
      const item = await postItem(hub, channel, draft);
      return assemblePage(hub, [item], item.uid);
    },
    present(page, { baseUrl }) {
      const [item] = page.items;
      return { success: true, item_id: String(item!.id), activity: itemRecord(item!, page, baseUrl) };
    },
  }),
  endpoint({
    path: "network/stream",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_stream",
    summary: "The channel's incoming and own conversations, newest first.",
    answer: "ShortItem[]",
    otherNames: { dbegin: ["datequery2"], dend: ["datequery"], gid: ["group"] },
    example: { records: "10", unseen: "true" },
    input: networkInput,
    handle: async (hub, { channel }, input) => networkStream(hub, channel, await streamQuery(hub, channel, input)),
    present: (page, { baseUrl }) => new JsonText(shortItems(page, baseUrl)),
  }),
];

async function streamQuery(hub: Hub, channel: Channel, input: z.output<typeof networkInput>): Promise<StreamQuery> {
  const records = input.records ?? (await pageSize(hub, channel));
  const start = input.start ?? Math.max((input.page ?? 1) - 1, 0) * records;
  const stored = (moment: typeof input.dbegin) => storedDate(moment, "UTC", hub.clock());
  return {
    start,
    records,
    order: input.order ?? "comment",
    nouveau: input.nouveau,
    top: input.top,
    star: input.star,
    wall: input.wall,
    conv: input.conv,
    unseen: input.unseen,
    closestMin: input.cmin ?? 0,
    closestMax: input.cmax ?? 99,
    pages: input.pages,
    itemType: input.item_type ?? 0,
    includeFollow: input.include_follow,
    markSeen: input.mark_seen,
    ...given({
      dbegin: stored(input.dbegin) ?? stored(input.mindate),
      dend: stored(input.dend),
      sinceId: input.since_id,
      mid: input.mid || undefined,
      itemId: input.item_id,
      groupId: input.gid,
      connectionId: input.cid,
      xchan: input.xchan || undefined,
      category: input.cat || undefined,
      tag: input.tag || undefined,
      file: input.file || undefined,
      search: input.search || undefined,
      verb: input.verb || undefined,
    }),
  };
}

/** How many threads the channel wants on a page. */
async function pageSize(hub: Hub, channel: Channel): Promise<number> {
  const set = await channelSetting(hub, channel.channel_id, "threadsPerPage");
  return set > 0 ? Math.min(set, mostThreads) : usualThreads;
}
