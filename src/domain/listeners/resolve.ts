import type { Hub } from "../../hub.ts";
import { anyCopy } from "../live/event.ts";
import type { LiveEvent } from "../live/event.ts";
import { liveThreads, ownLiveCopies, seenLiveCopies } from "../items/timelines/live-copies.ts";
import type { LiveCopy } from "../items/timelines/live-copies.ts";
import { mayEnter } from "../messages/rooms.ts";
import { heardOf } from "./heard.ts";
import type { Heard } from "./heard.ts";
import type { Listener } from "./listener.ts";

type ItemEvent = Extract<LiveEvent, { message: number }>;

/**
 * Finds out who hears what of these events: a few queries for all of them and all who listen, and one more for each who looks at a
 * thread of somebody else or at a chatroom in which something happens.
 */
export async function resolve<L extends Listener>(
  hub: Hub,
  events: readonly LiveEvent[],
  listeners: readonly L[],
): Promise<Map<L, Heard[]>> {
  const heard = new Map<L, Heard[]>();
  const say = (listener: L, what: Heard): void => {
    const known = heard.get(listener);
    if (known) known.push(what);
    else heard.set(listener, [what]);
  };
  const ofItems = events.filter((event) => "message" in event);
  const copies = await copiesByMessage(hub, ofItems, listeners);
  const byChannel = Map.groupBy(listeners, ({ observer }) => observer.channelId);
  const raw = listeners.filter(({ hearsAll }) => hearsAll);
  for (const event of events) {
    if ("channels" in event)
      for (const channel of event.channels)
        for (const listener of byChannel.get(channel) ?? []) say(listener, { what: event.what });
    if ("announcement" in event)
      for (const listener of listeners) if (listener.observer.channelId > 0) say(listener, event);
    if (!("message" in event)) continue;
    for (const copy of copies.get(event.message) ?? []) {
      const what = heardOf(event, copy);
      const mine = byChannel.get(copy.uid) ?? [];
      if (what) for (const listener of mine) if (!knows(listener, event)) say(listener, what);
    }
    const { what, message } = event;
    const { from, to } = event.what === "item" ? event : anyCopy;
    if (what !== "touch")
      for (const listener of raw) say(listener, { what: "message", event: what, message, from, to });
  }
  for (const [listener, threads] of await seenThreads(hub, ofItems, listeners))
    for (const thread of threads) say(listener, { what: "thread", thread });
  for (const event of events)
    if ("room" in event)
      for (const listener of listeners.filter(({ rooms }) => rooms?.includes(event.room)))
        if (await mayEnter(hub, listener.observer, event.room)) say(listener, event);
  return heard;
}

/** What it has done itself is not news. */
function knows({ doer }: Listener, { by }: LiveEvent): boolean {
  return by !== undefined && by === doer;
}

async function copiesByMessage(
  hub: Hub,
  events: readonly ItemEvent[],
  listeners: readonly Listener[],
): Promise<Map<number, LiveCopy[]>> {
  const uids = [...new Set(listeners.map(({ observer }) => observer.channelId).filter((id) => id > 0))];
  if (uids.length === 0 || events.length === 0) return new Map();
  const [fresh, others] = [events.filter(({ what }) => what === "item"), events.filter(({ what }) => what !== "item")];
  const newOnes = fresh.length === 0 ? [] : await ownLiveCopies(hub, uids, messagesOf(fresh), rangeOf(fresh));
  const known = others.length === 0 ? [] : await ownLiveCopies(hub, uids, messagesOf(others), anyCopy);
  const all = new Map([...newOnes, ...known].map((copy) => [copy.id, copy]));
  return Map.groupBy(all.values(), ({ message }) => message);
}

function rangeOf(events: readonly ItemEvent[]): { from: number; to: number } {
  const ranges = events.filter((event) => event.what === "item");
  return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
}

function messagesOf(events: readonly ItemEvent[]): number[] {
  return [...new Set(events.map(({ message }) => message))];
}

/** In which threads of others something happens that those who look at them may see. */
async function seenThreads<L extends Listener>(
  hub: Hub,
  events: readonly ItemEvent[],
  listeners: readonly L[],
): Promise<[L, Set<number>][]> {
  const looking = listeners.filter(({ threads }) => threads.length > 0);
  if (looking.length === 0 || events.length === 0) return [];
  const messages = messagesOf(events);
  const busy = new Set(await liveThreads(hub, [...new Set(looking.flatMap(({ threads }) => threads))], messages));
  const found: [L, Set<number>][] = [];
  for (const listener of looking) {
    const threads = listener.threads.filter((thread) => busy.has(thread));
    const news = messagesOf(events.filter((event) => !knows(listener, event)));
    if (threads.length === 0 || news.length === 0) continue;
    const seen = await seenLiveCopies(hub, listener.observer, threads, news);
    found.push([listener, new Set(seen.map(({ thread }) => thread))]);
  }
  return found;
}
