import type { Hub } from "../../hub.ts";
import { hasCome } from "../../lasting.ts";
import { refusal } from "../../errors.ts";
import { now } from "../../hub.ts";
import { fromSqlDate, sqlDate } from "../../storage/sql.ts";
import { plainLine } from "../bodies/names.ts";
import type { Item, NewPoll } from "./types.ts";
import { isRecord } from "../../record-of.ts";

/**
 * Polls as other hubs write them: the object of a message says what can be chosen, how often that was done and until when.
 * It is the only place where that stands, so streams, exports and pages say the same.
 */

export const questionType = "Question";

/** A vote is an answer whose title is what was chosen. */
export const answerType = "Answer";

const mostOptions = 100;
const longestName = 255;

export type Poll = {
  /** More than one option may be chosen. */
  several: boolean;
  options: readonly { name: string; votes: number }[];
  /** When it ends or ended, in the stored form; undefined for never. */
  ends: string | undefined;
  /** It takes no more votes, whatever its end. */
  closed: boolean;
  /** How many people voted; undefined when nobody says. */
  voters: number | undefined;
};

/** The poll that a message is; undefined when it is none, or one without options. */
export function pollOf({ obj_type, obj }: Pick<Item, "obj_type" | "obj">): Poll | undefined {
  const question = obj_type === questionType ? read(obj) : undefined;
  const entries = question ? entriesOf(question) : [];
  if (!question || entries.length === 0) return undefined;
  const voters = question["votersCount"];
  return {
    several: choicesOf(question) === "anyOf",
    options: entries.map(({ name, votes }) => ({ name, votes })),
    ends: endOf(question),
    closed: question["closed"] === true,
    voters: isCount(voters) ? voters : undefined,
  };
}

/** So many options a poll of this hub has, each of so many characters. */
export const ownPolls = { fewest: 2, most: 20, longest: 200 } as const;

/** The object of a message that is such a poll. Throws invalid for too few, too many or equal options, and for an end that has come. */
export function questionOf(hub: Hub, { options, several, ends }: NewPoll): string {
  const names = options.map((option) => plainLine(option, longestName)).filter((name) => name !== "");
  const { fewest, most, longest } = ownPolls;
  if (names.length < fewest) throw refusal("poll_options_needed", { fewest });
  if (names.length > most) throw refusal("poll_options_too_many", { most });
  if (names.some((name) => [...name].length > longest)) throw refusal("poll_option_too_long", { most: longest });
  if (new Set(names).size < names.length) throw refusal("poll_options_alike");
  if (ends !== undefined && ends <= now(hub)) throw refusal("poll_ends_before");
  return JSON.stringify({
    type: questionType,
    [several ? "anyOf" : "oneOf"]: names.map((name) => ({
      type: "Note",
      name,
      replies: { type: "Collection", totalItems: 0 },
    })),
    ...(ends !== undefined && { endTime: fromSqlDate(ends).toISOString() }),
    votersCount: 0,
  });
}

/** Are both questions in which the same can be chosen, in the same way? */
export function hasSameOptions(question: string, newer: string): boolean {
  const [one, other] = [question, newer].map((obj) => pollOf({ obj_type: questionType, obj }));
  const names = (poll: Poll) => JSON.stringify([poll.several, ...poll.options.map(({ name }) => name)]);
  return one !== undefined && other !== undefined && names(one) === names(other);
}

/** The object with the end of another one, and the votes that it has. */
export function withEnd(obj: string, other: string): string {
  const { endTime: _, ...question } = read(obj) ?? {};
  const end = read(other)?.["endTime"];
  return JSON.stringify({ ...question, ...(end !== undefined && { endTime: end }) });
}

/** Does it take no more votes? */
export function hasEnded(hub: Hub, { closed, ends }: Poll): boolean {
  return closed || (ends !== undefined && hasCome(hub, ends));
}

/** The object with one more vote for each of these options, by one more person or by one who has voted before. */
export function withVotes(obj: string, names: readonly string[], people: 0 | 1 = 1): string {
  return changed(obj, (name, votes) => (names.includes(name) ? votes + 1 : votes), people);
}

/** A newer object, in which no option has fewer votes than in the former one: those given here are not known elsewhere. */
export function withFormerVotes(obj: string, former: string): string {
  const question = read(former);
  if (!question) return obj;
  const votes = new Map(entriesOf(question).map((entry) => [entry.name, entry.votes]));
  return changed(obj, (name, newer) => Math.max(newer, votes.get(name) ?? 0), 0);
}

type Json = Record<string, unknown>;
type Entry = { name: string; votes: number; json: Json };

function changed(obj: string, votesOf: (name: string, votes: number) => number, people: number): string {
  const question = read(obj);
  if (!question) return obj;
  for (const { name, votes, json } of entriesOf(question)) {
    const replies = isRecord(json["replies"]) ? json["replies"] : { type: "Collection" };
    json["replies"] = { ...replies, totalItems: votesOf(name, votes) };
  }
  const voters = question["votersCount"];
  if (isCount(voters)) question["votersCount"] = voters + people;
  return JSON.stringify(question);
}

function read(obj: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(obj);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function choicesOf(question: Json): "oneOf" | "anyOf" {
  const several = question["anyOf"];
  return Array.isArray(several) && several.length > 0 ? "anyOf" : "oneOf";
}

/** What can be chosen, each name once. */
function entriesOf(question: Json): Entry[] {
  const given = question[choicesOf(question)];
  const choices: unknown[] = Array.isArray(given) ? given.slice(0, mostOptions) : [];
  const entries = new Map<string, Entry>();
  for (const json of choices) {
    if (!isRecord(json) || typeof json["name"] !== "string") continue;
    const name = plainLine(json["name"], longestName);
    const votes = isRecord(json["replies"]) ? json["replies"]["totalItems"] : 0;
    if (name !== "" && !entries.has(name)) entries.set(name, { name, votes: isCount(votes) ? votes : 0, json });
  }
  return [...entries.values()];
}

/** `closed` and `endTime` are the same moment for some, and either alone for others: the earlier one counts. */
function endOf(question: Json): string | undefined {
  const dates = [question["endTime"], question["closed"]].flatMap(dateOf);
  return dates.toSorted()[0];
}

function dateOf(value: unknown): string[] {
  const moment = new Date(typeof value === "string" ? value : Number.NaN);
  const year = moment.getUTCFullYear();
  return year > 1 && year < 10_000 ? [sqlDate(moment)] : [];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1e12;
}
