import { comparableId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Walk } from "../../../domain/items/receiving/thread-fetch.ts";
import type { Collection } from "../translate/collection.ts";
import { readCollection } from "../translate/collection.ts";
import { Node } from "../translate/node.ts";

/** In which order the answers of a thread are asked for, and how many of them (federation contract 6.6, 10). Pure. */

/** One document to ask for: a page of a collection, or else a post, so many levels below the top of the thread. */
export type Stop = Walk["waiting"][number];

/** What came of a stop: what to ask for next, and whether that origin is to be left alone. */
export type Findings = { found: Stop[]; isAway?: boolean };

/** Answers to answers to answers are looked for, no deeper ones. */
export const deepest = 3;
const mostPosts = 100;
const mostPages = 10;
const mostRequests = 200;
/** One origin is asked only once in so many milliseconds. */
const pause = 5000;

export function beginWalk(top: string): Walk {
  return { step: 0, asked: 0, posts: 0, waiting: [{ url: top, level: 0 }], seen: [comparableId(top)], free: {} };
}

/** What is asked for next, and when; undefined where there is nothing more, or has been enough. */
export function nextStop({ waiting, asked, free }: Walk): { stop: Stop; at: number } | undefined {
  if (asked >= mostRequests) return undefined;
  const moments = waiting.map((stop) => ({ stop, at: free[new URL(stop.url).origin] ?? 0 }));
  return moments.toSorted((one, other) => one.at - other.at)[0];
}

/** The walk after a stop, for which each of these origins was asked so many times. */
export function walkOn(
  walk: Walk,
  stop: Stop,
  { found, isAway = false }: Findings,
  asked: ReadonlyMap<string, number>,
  now: number,
): Walk {
  const { origin } = new URL(stop.url);
  const isLeft = (one: Stop): boolean => one !== stop && !(isAway && new URL(one.url).origin === origin);
  const waits = Object.entries(walk.free).filter(([, until]) => until > now);
  const paused = [...asked].map(([one, times]) => [one, now + times * pause]);
  const next = {
    ...walk,
    step: walk.step + 1,
    asked: walk.asked + [...asked.values()].reduce((sum, times) => sum + times, 0),
    waiting: walk.waiting.filter(isLeft),
    seen: [...walk.seen],
    free: Object.fromEntries([...waits, ...paused]) as Record<string, number>,
  };
  for (const one of found) add(next, one);
  return next;
}

function add(walk: Walk, stop: Stop): void {
  const id = comparableId(stop.url);
  if (stop.again) return void walk.waiting.push(stop);
  if (walk.seen.includes(id) || (stop.page ?? 0) > mostPages) return;
  if (stop.page === undefined && ++walk.posts > mostPosts) return;
  walk.seen.push(id);
  walk.waiting.push(stop);
}

/** What a collection, or a page of one, leads to: the posts in it, by their ids alone, and its next page. */
export function stopsIn(collection: Collection, level: number, page: number): Stop[] {
  const { first, items, next } = collection;
  const inner = first instanceof Node ? readCollection(first) : undefined;
  const posts = [...items, ...(inner?.items ?? [])].flatMap((member) => postIn(member));
  const further = [next, inner?.next, ...(typeof first === "string" ? [first] : [])].find((url) => url !== undefined);
  return [
    ...posts.map((url) => ({ url, level })),
    ...(further === undefined ? [] : [{ url: further, level, page: page + 1 }]),
  ];
}

/** A member may be what somebody did with the post (FEP-171b), up to twice over: added it, and before that, made it. */
function postIn(member: Node | string, depth = 0): string[] {
  if (typeof member === "string") return [member];
  const [type = ""] = member.types;
  if (!["Add", "Create"].includes(type)) return member.id === undefined ? [] : [member.id];
  const [object] = member.members("object");
  return object === undefined || depth > 1 ? [] : postIn(object, depth + 1);
}
