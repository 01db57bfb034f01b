import type { z } from "zod";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import { hasEnded, pollOf } from "../../../domain/items/poll.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import { consensusNames } from "../../../domain/items/vocabulary.ts";
import { hasCome } from "../../../lasting.ts";
import { unsetDate } from "../../../http/dates.ts";
import { storedJson } from "../../../stored-json.ts";
import type { Poll } from "../entities/status.ts";
import { datetime } from "./dates.ts";
import type { Sheet } from "./sheet.ts";

export type PollObject = z.infer<typeof Poll>;

/** Mastodon contract 11.6: the poll that a status is, or the consensus that it asks for; null for all others. */
export function presentPoll(sheet: Sheet, item: ApplicationItem, details: StatusDetails): PollObject | null {
  const { hub, named, me } = sheet;
  const id = String(named.get(item.message_id) ?? item.id);
  const poll = pollOf(details);
  if (!poll) return details.item_consensus === 1 ? presentConsensus(sheet, item, details, id) : null;
  const own = details.choices === null ? [] : storedJson<string[]>(details.choices);
  return {
    id,
    expires_at: poll.ends === undefined ? null : datetime(poll.ends),
    expired: hasEnded(hub, poll),
    multiple: poll.several,
    votes_count: poll.options.reduce((sum, { votes }) => sum + votes, 0),
    voters_count: poll.voters ?? null,
    options: poll.options.map(({ name, votes }) => ({ title: name, votes_count: votes })),
    emojis: [],
    ...(me !== undefined && {
      voted: own.length > 0 || item.author_id === me,
      own_votes: poll.options.flatMap(({ name }, place) => (own.includes(name) ? [place] : [])),
    }),
  };
}

function presentConsensus(
  { hub, page, me }: Sheet,
  item: ApplicationItem,
  { comments_closed: ends, item_nocomment }: StatusDetails,
  id: string,
): PollObject {
  const reactions = page.reactions.get(item.id) ?? {};
  const votes = consensusNames.map((name) => reactions[name] ?? []);
  const sum = votes.reduce((count, people) => count + people.length, 0);
  const hasEnd = ends !== unsetDate;
  return {
    id,
    expires_at: hasEnd ? datetime(ends) : null,
    expired: item_nocomment === 1 || (hasEnd && hasCome(hub, ends)),
    multiple: false,
    votes_count: sum,
    voters_count: sum,
    options: consensusNames.map((name, place) => ({
      title: name[0]!.toUpperCase() + name.slice(1),
      votes_count: votes[place]!.length,
    })),
    emojis: [],
    ...(me !== undefined && {
      voted: item.author_id === me || votes.some((people) => people.includes(me)),
      own_votes: votes.flatMap((people, place) => (people.includes(me) ? [place] : [])),
    }),
  };
}
