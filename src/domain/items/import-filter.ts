import type { Hub } from "../../hub.ts";
import { now } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { dateIn, flagIn, recordOf, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { addFilter, filterActions, filterContexts, listFilters } from "./filters.ts";
import type { Filter } from "./filters.ts";

/** Takes a filter over from an export, unless the channel has one like it; one that has ended stays behind. */
export async function importFilter(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const places = textIn(record, "context").split(" ");
  const contexts = filterContexts.filter((one) => places.includes(one));
  const action = filterActions.find((one) => one === textIn(record, "action"));
  const title = textIn(record, "title");
  const ends = dateIn(record, "ends");
  const words = (Array.isArray(record["words"]) ? record["words"] : [])
    .map((word) => recordOf(word))
    .map((word) => ({ phrase: textIn(word, "phrase"), wholeWords: flagIn(word, "whole_words") === 1 }));
  if (title === "" || contexts.length === 0 || !action) return "unreadable";
  if (ends !== zeroDate && ends <= now(hub)) return "there";
  const fields = { title, contexts, action, ends: ends === zeroDate ? undefined : ends };
  const known = await listFilters(hub, channel.channel_id);
  if (known.some((filter) => sameAs(filter, { ...fields, words }))) return "there";
  await addFilter(hub, channel, fields, words);
  return "imported";
}

type Comparable = Pick<Filter, "title" | "contexts" | "action" | "ends"> & {
  words: readonly { phrase: string; wholeWords: boolean }[];
};

function sameAs(one: Comparable, other: Comparable): boolean {
  const form = ({ title, contexts, action, ends, words }: Comparable) =>
    JSON.stringify([title, contexts, action, ends, words.map(({ phrase, wholeWords }) => [phrase, wholeWords])]);
  return form(one) === form(other);
}
