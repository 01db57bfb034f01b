import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { observerOf } from "../../src/domain/identity/channels/observer.ts";
import { selectItems } from "../../src/domain/items/queries.ts";
import type { Item } from "../../src/domain/items/types.ts";
import { may } from "../../src/domain/permissions/may.ts";
import type { Hub } from "../../src/hub.ts";

/** Search over all rows of the hub in plain code: slow, and simple enough to be read against microblog contract 8.5. */

/** What is looked for, in parts that are joined by spaces; texts are plain ASCII words. */
export type Part =
  | { kind: "word"; text: string; not: boolean }
  | { kind: "beginning"; text: string; not: boolean }
  | { kind: "tag"; text: string; not: boolean }
  | { kind: "phrase"; words: string[]; not: boolean }
  | { kind: "from"; nick: string; not: boolean }
  | { kind: "since"; day: string }
  | { kind: "until"; day: string };

/** The query as somebody would type it. */
export function typedQuery(parts: readonly Part[]): string {
  return parts.map((part) => ("not" in part && part.not ? "-" : "") + written(part)).join(" ");
}

function written(part: Part): string {
  if (part.kind === "word") return part.text.toUpperCase();
  if (part.kind === "beginning") return `${part.text}*`;
  if (part.kind === "tag") return `#${part.text}`;
  if (part.kind === "phrase") return `"${part.words.join(" ")}"`;
  return part.kind === "from" ? `from:${part.nick}` : `${part.kind}:${part.day}`;
}

/** The ids that the search must answer, newest first. */
export async function expectedIds(
  hub: Hub,
  me: Channel,
  parts: readonly Part[],
  excludeReplies: boolean,
): Promise<number[]> {
  const rows = await selectItems(hub).orderBy("item.id", "desc").execute();
  const unwanted = await unwantedBy(hub, me);
  const authors = new Map(
    (await hub.db.selectFrom("xchan").select(["xchan_id", "xchan_addr"]).execute()).map((one) => [
      one.xchan_id,
      one.xchan_addr.split("@")[0]!,
    ]),
  );
  const open = new Map<number, boolean>();
  for (const { uid } of rows) if (!open.has(uid)) open.set(uid, await may(hub, observerOf(me), "view_stream", uid));
  const isShown = (row: Item): boolean => row.item_normal === 1 && row.item_notshown === 0;
  const held = new Set(
    rows.filter((row) => row.uid === me.channel_id && row.item_normal === 1).map((row) => row.message_id),
  );
  const isFindable = (row: Item): boolean => {
    if (!isShown(row) || unwanted.has(row.author_id) || unwanted.has(row.owner_id)) return false;
    if (excludeReplies && row.item_thread_top === 0) return false;
    const mine = row.uid === me.channel_id;
    const isPublic = row.item_wall === 1 && row.item_private === 0 && !held.has(row.message_id) && open.get(row.uid)!;
    return mine || isPublic;
  };
  const findable = rows.filter(isFindable);
  const ids = (fit: (row: Item) => boolean): number[] => findable.filter(fit).map((row) => row.id);
  const found = ids((row) => fits(row, parts, me, authors));
  if (found.length > 0 || !parts.every((part) => part.kind === "word" && !part.not)) return found;
  // Nothing but text, and no status has its words: then those in which it stands somewhere.
  return ids((row) => row.body.toLowerCase().includes(typedQuery(parts).toLowerCase()));
}

async function unwantedBy(hub: Hub, me: Channel): Promise<Set<number>> {
  const rows = await hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan.xchan_hash", "abook.abook_xchan")
    .select("xchan.xchan_id")
    .where("abook.abook_channel", "=", me.channel_id)
    .where((x) => x.or([x("abook.abook_blocked", "=", 1), x("abook.abook_ignored", "=", 1)]))
    .execute();
  return new Set(rows.map((row) => row.xchan_id));
}

function fits(row: Item, parts: readonly Part[], me: Channel, authors: Map<number, string>): boolean {
  const words: string[] = row.plain.toLowerCase().match(/[a-z]+/g) ?? [];
  const tags: string[] = row.plain.toLowerCase().match(/(?<=#)[a-z]+/g) ?? [];
  const has = (part: Exclude<Part, { day: string }>): boolean => {
    if (part.kind === "word") return words.includes(part.text);
    if (part.kind === "beginning") return words.some((word) => word.startsWith(part.text));
    if (part.kind === "tag") return tags.includes(part.text);
    if (part.kind === "phrase")
      return words.some((_, at) => part.words.every((word, place) => words[at + place] === word));
    return authors.get(row.author_id) === (part.nick === "me" ? me.channel_address : part.nick);
  };
  return parts.every((part) => {
    if (part.kind === "since") return row.created.slice(0, 10) >= part.day;
    if (part.kind === "until") return row.created.slice(0, 10) <= part.day;
    return has(part) !== part.not;
  });
}
