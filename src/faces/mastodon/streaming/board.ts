import { setImmediate } from "node:timers/promises";
import { oncePerHub } from "../../../caches.ts";
import { nobody } from "../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { ownSights, publicSights, publicTraces } from "../../../domain/items/timelines/live-statuses.ts";
import type { OwnSight, PublicSight } from "../../../domain/items/timelines/live-statuses.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import type { Hub } from "../../../hub.ts";
import { presentStatus } from "../present/status.ts";
import type { StatusObject } from "../present/status-object.ts";
import { showStatuses } from "../statuses/status-answers.ts";

/** A public post as every reader is shown it who has no copy; `owned` says that the reader has one. */
export type Seen = { status: StatusObject; fromHere: boolean; owned: boolean };

/** What a reader has heard of: ids of own rows, messages that may be public, and messages that are not to be seen any more. */
export type Asked = { own: readonly number[]; open: readonly number[]; gone: readonly number[] };

/** What a reader sees of it. */
export type Sights = {
  own: readonly OwnSight[];
  /** Own rows as they are shown, by id: presented for the first of a channel's readers who wants them, and for all of them. */
  show(): Promise<ReadonlyMap<number, StatusObject>>;
  /** By message. */
  seen: ReadonlyMap<number, Seen>;
  /** Ids under which messages were seen that are not to be seen any more. */
  gone: ReadonlyMap<number, number>;
};

/** What all readers see of what has just happened: looked up once for all who ask in the same turn of the event loop. */
class Board {
  #look: Look | undefined;

  async see(hub: Hub, reader: Observer, asked: Asked): Promise<Sights> {
    const look = (this.#look ??= this.#begin(hub));
    look.ask(reader.channelId, asked);
    return look.sightsOf(reader);
  }

  #begin(hub: Hub): Look {
    return new Look(hub, () => (this.#look = undefined));
  }
}

/** The board of this process. */
export const boardOf = oncePerHub(() => new Board());

type Found = {
  own: ReadonlyMap<number, readonly OwnSight[]>;
  seen: ReadonlyMap<number, ReadonlyMap<number, Seen>>;
  gone: ReadonlyMap<number, number>;
};

/** One look, for everybody who asks before it is taken. */
class Look {
  readonly #hub: Hub;
  readonly #owners = new Set<number>();
  readonly #ids = new Set<number>();
  readonly #readers = new Set<number>();
  readonly #messages = new Set<number>();
  readonly #gone = new Set<number>();
  readonly #shown = new Map<number, Promise<ReadonlyMap<number, StatusObject>>>();
  readonly #found: Promise<Found>;

  constructor(hub: Hub, begins: () => void) {
    this.#hub = hub;
    this.#found = setImmediate().then(() => {
      begins();
      return this.#take();
    });
  }

  ask(channel: number, { own, open, gone }: Asked): void {
    if (own.length > 0) this.#owners.add(channel);
    if (open.length > 0) this.#readers.add(channel);
    for (const id of own) this.#ids.add(id);
    for (const message of open) this.#messages.add(message);
    for (const message of gone) this.#gone.add(message);
  }

  async sightsOf(reader: Observer): Promise<Sights> {
    const found = await this.#found;
    const own = found.own.get(reader.channelId) ?? [];
    return {
      own,
      show: () => this.#show(reader, own),
      seen: found.seen.get(reader.channelId) ?? new Map<number, Seen>(),
      gone: found.gone,
    };
  }

  async #take(): Promise<Found> {
    const hub = this.#hub;
    const [own, sights, gone] = await Promise.all([
      ownSights(hub, [...this.#owners], [...this.#ids]),
      publicSights(hub, [...this.#readers], [...this.#messages]),
      publicTraces(hub, [...this.#gone]),
    ]);
    return { own, seen: await seenBy(hub, sights), gone };
  }

  #show(reader: Observer, own: readonly OwnSight[]): Promise<ReadonlyMap<number, StatusObject>> {
    const known = this.#shown.get(reader.channelId);
    if (known) return known;
    const shown = showTo(
      this.#hub,
      reader,
      own.map(({ item }) => item),
    );
    this.#shown.set(reader.channelId, shown);
    return shown;
  }
}

/** These statuses as their reader is shown them, by id. */
export async function showTo(
  hub: Hub,
  observer: Observer,
  items: ApplicationItem[],
): Promise<Map<number, StatusObject>> {
  if (items.length === 0) return new Map();
  const sheet = await showStatuses(hub, { observer }, items);
  return new Map(items.map((item) => [item.id, presentStatus(sheet, item)]));
}

async function seenBy(hub: Hub, sights: readonly PublicSight[]): Promise<Map<number, Map<number, Seen>>> {
  const items = [...new Map(sights.map(({ item }) => [item.id, item])).values()];
  const sheet = await showStatuses(hub, { observer: nobody({ blockPublic: false }) }, items);
  // Nobody's: what readers have done with it is said to none of them (Mastodon contract 14.4).
  const shown = new Map(items.map((item) => [item.id, presentStatus({ ...sheet, me: 0 }, item)]));
  const seen = new Map<number, Map<number, Seen>>();
  for (const { reader, item, fromHere, owned } of sights) {
    const ofReader = seen.get(reader) ?? new Map<number, Seen>();
    seen.set(reader, ofReader.set(item.message_id, { status: shown.get(item.id)!, fromHere, owned }));
  }
  return seen;
}
