import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { idsAtHome, listSights, ownStatuses, publicTraces } from "../../../domain/items/timelines/live-statuses.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import type { Hub } from "../../../hub.ts";
import { presentStatus } from "../present/status.ts";
import type { StatusObject } from "../present/status-object.ts";
import { showStatuses } from "../statuses/status-answers.ts";
import { publicBoard } from "./public-board.ts";
import type { Seen } from "./public-board.ts";
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
  listed: ReadonlyMap<number, ReadonlyMap<number, StatusObject>>;
  /** Ids under which messages were seen that are not to be seen any more. */
  gone: ReadonlyMap<number, number>;
};

export async function loadNews(
  hub: Hub,
  caller: Caller,
  streams: readonly Subscription[],
  heard: readonly Heard[],
): Promise<News> {
  const isOpen = streams.some(({ takes }) => takes);
  const lists = streams.flatMap(({ list }) => list ?? []);
  const holdsOwn = streams.some(
    ({ home, takes, onlyHere, list }) => home || list !== undefined || (takes && !onlyHere),
  );
  const copies = heard
    .filter((one) => "isShown" in one)
    .filter(({ what, isShown }) => isShown && (what === "new" || what === "edit"));
  const said = heard.filter((one) => one.what === "message");
  const present = said.filter(({ event }) => event !== "gone").map(({ message }) => message);
  const { channel_id: uid } = caller.channel;
  const messages = [...new Set([...present, ...copies.map(({ message }) => message)])];
  const ids = copies.map(({ id }) => id);
  const [seen, items, home, gone, ...listed] = await Promise.all([
    isOpen && present.length > 0 ? publicBoard(hub).see(hub, uid, present) : new Map<number, Seen>(),
    holdsOwn ? ownStatuses(hub, uid, ids) : [],
    streams.some((stream) => stream.home) ? idsAtHome(hub, caller.channel, ids) : new Set<number>(),
    goneOf(hub, heard),
    ...lists.map(({ id, replies }) => listSights(hub, caller.channel, id, messages, replies)),
  ]);
  const shown = await showAll(hub, caller, [...items, ...listed.flat()]);
  return {
    own: new Map(items.map(({ id }) => [id, shown.get(id)!])),
    home,
    seen,
    gone,
    listed: new Map(lists.map(({ id }, at) => [id, byMessage(listed[at] ?? [], shown)])),
  };
}

/** A reader knows a message by its own copy where it has one. */
async function goneOf(hub: Hub, heard: readonly Heard[]): Promise<Map<number, number>> {
  const gone = heard.flatMap((one) => (one.what === "message" && one.event === "gone" ? [one.message] : []));
  const own = heard.flatMap((one) => (one.what === "gone" && one.isShown ? [[one.message, one.id] as const] : []));
  return new Map([...(await publicTraces(hub, gone)), ...own]);
}

async function showAll(hub: Hub, caller: Caller, items: StatusItem[]): Promise<Map<number, StatusObject>> {
  const once = [...new Map(items.map((item) => [item.id, item])).values()];
  if (once.length === 0) return new Map();
  const sheet = await showStatuses(hub, caller, once);
  return new Map(once.map((item) => [item.id, presentStatus(sheet, item)]));
}

function byMessage(items: readonly StatusItem[], shown: ReadonlyMap<number, StatusObject>): Map<number, StatusObject> {
  return new Map(items.map((item) => [item.message_id, shown.get(item.id)!]));
}
