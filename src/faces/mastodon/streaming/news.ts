import { listSights } from "../../../domain/items/timelines/live-statuses.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import type { Hub } from "../../../hub.ts";
import type { StatusObject } from "../present/status-object.ts";
import { showTo } from "./board.ts";
import type { Asked, Seen, Sights } from "./board.ts";
import type { Subscription } from "./subscriptions.ts";

/** What a reader is told of what was heard: everything is loaded once, with the conditions of pages. */
export type News = {
  /** The reader's own rows that are new or have another text, by their ids. */
  own: ReadonlyMap<number, StatusObject>;
  /** Which of them stand at home. */
  home: ReadonlySet<number>;
  /** Public messages on walls, by message. */
  seen: ReadonlyMap<number, Seen>;
  /** What members of groups wrote, by group and message. */
  listed: ReadonlyMap<number, ReadonlyMap<number, Listed>>;
  /** Ids under which messages were seen that are not to be seen any more. */
  gone: ReadonlyMap<number, number>;
};

/** `owned` says that it is the reader's own row. */
export type Listed = { status: StatusObject; owned: boolean };

/** What of all that was heard is looked up for a reader of these streams. */
export function askedOf(streams: readonly Subscription[], heard: readonly Heard[]): Asked {
  const isOpen = streams.some(({ takes }) => takes);
  const holdsOwn = streams.some(({ home, takes, onlyHere, list }) => home || list || (takes && !onlyHere));
  return {
    own: holdsOwn ? copiesIn(heard).map(({ id }) => id) : [],
    open: isOpen ? presentIn(heard) : [],
    gone: heard.flatMap((one) => (one.what === "message" && one.event === "gone" ? [one.message] : [])),
  };
}

export async function loadNews(
  hub: Hub,
  observer: Observer,
  streams: readonly Subscription[],
  heard: readonly Heard[],
  sights: Sights,
): Promise<News> {
  const own = sights.own.length > 0 ? await sights.show() : new Map<number, StatusObject>();
  return {
    own,
    home: new Set(sights.own.flatMap(({ item, isHome }) => (isHome ? [item.id] : []))),
    seen: sights.seen,
    listed: await loadListed(hub, observer, streams, heard, own),
    gone: goneOf(heard, sights),
  };
}

type Copy = Extract<Heard, { what: "new" | "edit" }>;

function copiesIn(heard: readonly Heard[]): Copy[] {
  return heard.filter((one): one is Copy => (one.what === "new" || one.what === "edit") && one.isShown);
}

/** Messages of which nothing more is known. */
function presentIn(heard: readonly Heard[]): number[] {
  return heard.flatMap((one) => (one.what === "message" && one.event !== "gone" ? [one.message] : []));
}

async function loadListed(
  hub: Hub,
  observer: Observer,
  streams: readonly Subscription[],
  heard: readonly Heard[],
  own: ReadonlyMap<number, StatusObject>,
): Promise<News["listed"]> {
  const lists = streams.flatMap(({ list }) => list ?? []);
  if (lists.length === 0) return new Map();
  const messages = [...new Set([...presentIn(heard), ...copiesIn(heard).map(({ message }) => message)])];
  const found = await Promise.all(lists.map(({ id, replies }) => listSights(hub, observer, id, messages, replies)));
  const others = new Map(found.flat().map((item) => [item.id, item]));
  const shown = await showTo(
    hub,
    observer,
    [...others.values()].filter(({ id }) => !own.has(id)),
  );
  const known = new Map([...own, ...shown]);
  return new Map(lists.map(({ id }, at) => [id, byMessage(observer, found[at]!, known)]));
}

/** A reader knows a message by its own copy where it has one. */
function goneOf(heard: readonly Heard[], { gone }: Sights): ReadonlyMap<number, number> {
  const own = heard.flatMap((one) => (one.what === "gone" && one.isShown ? [[one.message, one.id] as const] : []));
  return own.length === 0 ? gone : new Map([...gone, ...own]);
}

function byMessage(
  { channelId }: Observer,
  items: readonly StatusItem[],
  shown: ReadonlyMap<number, StatusObject>,
): Map<number, Listed> {
  return new Map(
    items.map(({ id, message_id, uid }) => [message_id, { status: shown.get(id)!, owned: uid === channelId }]),
  );
}
