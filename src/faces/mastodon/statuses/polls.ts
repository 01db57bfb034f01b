import { findShown } from "../../../domain/items/find.ts";
import { pollOf } from "../../../domain/items/poll.ts";
import { originalSeen } from "../../../domain/items/posting/reshares.ts";
import { choose } from "../../../domain/items/posting/vote.ts";
import { recountLater } from "../../../domain/items/recount-later.ts";
import type { NewPoll } from "../../../domain/items/types.ts";
import { missing } from "../../../errors.ts";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { within } from "../../../http/nested.ts";
import { asText, lastOf } from "../../../http/values.ts";
import { isRecord } from "../../../record-of.ts";
import { polls } from "../offered.ts";
import { invalid, isYes, numbers, wholeNumber } from "../parameters.ts";
import { presentStatus } from "../present/status.ts";
import { seeing } from "../seeing.ts";
import { showOne, statusId } from "./named-status.ts";
import type { StatusAnswers } from "./status-answers.ts";

/** Mastodon contract 12.5; a poll has the id of its post. */
export const pollRows = [
  endpoint({
    path: "v1/polls/:id",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "The poll that a post is. How it stands elsewhere is asked for, for the next who looks.",
    answer: "Poll",
    example: { id: "812" },
    input: statusId,
    async handle(hub, caller, input) {
      const anybody = await seeing(hub, caller);
      const named = await findShown(hub, anybody.observer, { id: input.id });
      if (caller) await recountLater(hub, [await originalSeen(hub, anybody.observer, named)]);
      return showOne(hub, anybody, input.id);
    },
    present: presentOnly,
  }),
  endpoint({
    path: "v1/polls/:id/votes",
    methods: ["POST"],
    access: "channel",
    scope: "write:statuses",
    writes: true,
    summary: "Votes in a poll, once; the same vote again changes nothing.",
    answer: "Poll",
    errors: {
      own_poll: [422, "Validation failed: You can't vote in your own poll"],
      poll_ended: [422, "Validation failed: The poll has already ended"],
      voted_already: "Validation failed: You have already voted on this poll",
      option_unknown: "Validation failed: The chosen vote option does not exist",
    },
    example: { id: "812", "choices[]": "0" },
    input: statusId.extend({ choices: numbers("Places of what is chosen in the list of options, from 0.") }),
    async handle(hub, caller, input) {
      const named = await findShown(hub, caller.observer, { id: input.id });
      const item = await originalSeen(hub, caller.observer, named);
      if (!pollOf(item) && item.item_consensus === 0) throw missing("Item");
      await choose(hub, caller.channel, { id: item.id }, input.choices);
      return showOne(hub, caller, input.id);
    },
    present: presentOnly,
  }),
];

function presentOnly(sheet: StatusAnswers) {
  const { poll } = presentStatus(sheet, sheet.page.items[0]!);
  if (!poll) throw missing("Item");
  return poll;
}

/** The poll of a new post as it was sent, which ends so long after the post is published; undefined for none. Throws invalid (mastodon contract 13.3). */
export function pollIn(hub: Hub, values: readonly unknown[] | undefined, wait = 0): NewPoll | undefined {
  const sent = values?.findLast(isRecord);
  if (!sent) return undefined;
  const options = (within(sent, "options") ?? []).map((option) => asText(option) ?? "");
  if (options.some((option) => option.trim() === "")) throw invalid("Options can't be blank");
  return { options, several: isYes(lastOf(within(sent, "multiple"))) ?? false, ends: endIn(hub, sent, wait) };
}

function endIn(hub: Hub, sent: Readonly<Record<string, unknown>>, wait: number): string | undefined {
  const given = lastOf(within(sent, "expires_in"));
  if (given === undefined || given === "") return undefined;
  const seconds = wholeNumber(given) ?? 0;
  if (seconds < polls.min_expiration) throw invalid("Expires at is too soon");
  if (seconds > polls.max_expiration) throw invalid("Expires at is too far in the future");
  return momentIn(hub, wait + seconds * 1000);
}
