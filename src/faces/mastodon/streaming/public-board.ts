import { setImmediate } from "node:timers/promises";
import { oncePerHub } from "../../../caches.ts";
import { nobody } from "../../../domain/identity/channels/observer.ts";
import { publicSights } from "../../../domain/items/timelines/live-statuses.ts";
import type { PublicSight } from "../../../domain/items/timelines/live-statuses.ts";
import type { Hub } from "../../../hub.ts";
import { presentStatus } from "../present/status.ts";
import type { StatusObject } from "../present/status-object.ts";
import { showStatuses } from "../statuses/status-answers.ts";

/** A public post as every reader is shown it who has no copy; `owned` says that the reader has one. */
export type Seen = { status: StatusObject; fromHere: boolean; owned: boolean };

type Asking = { readers: Set<number>; messages: Set<number>; answer: Promise<Map<number, Map<number, Seen>>> };

/** What all readers of public streams see of what has just happened: looked up once for all who ask in the same turn. */
class PublicBoard {
  #asking: Asking | undefined;

  /** What this channel sees of these messages, by their ids. */
  async see(hub: Hub, reader: number, messages: readonly number[]): Promise<ReadonlyMap<number, Seen>> {
    const asking = (this.#asking ??= this.#ask(hub));
    asking.readers.add(reader);
    for (const message of messages) asking.messages.add(message);
    return (await asking.answer).get(reader) ?? new Map<number, Seen>();
  }

  #ask(hub: Hub): Asking {
    const [readers, messages] = [new Set<number>(), new Set<number>()];
    const look = async (): Promise<Map<number, Map<number, Seen>>> => {
      await setImmediate();
      this.#asking = undefined;
      return seenBy(hub, await publicSights(hub, [...readers], [...messages]));
    };
    return { readers, messages, answer: look() };
  }
}

/** The board of this process. */
export const publicBoard = oncePerHub(() => new PublicBoard());

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
