/**
 * What happened, as one transaction says it to all who listen: ids and nothing else. Who may hear of it, and what, is found out when
 * it is passed on (domain/listeners).
 */
export type LiveEvent = Happened & {
  /** The listener whose doing it was, where that knows already what it changes. */
  by?: string | undefined;
};

type Happened =
  /** Channels have got copies of a message, with ids from and to these; or the message can be seen only now. */
  | { what: "item"; message: number; from: number; to: number }
  /** A message has another text; something about it or below it is different; copies of it are no longer to be seen. */
  | { what: "edit" | "touch" | "gone"; message: number }
  /** Something else that waits for channels, or that they have set. */
  | { what: OfChannels; channels: readonly number[] }
  /** Something that the hub says to all members is shown now, is different, or is gone; or somebody has said something to it. */
  | { what: "announcement"; announcement: number }
  | { what: "announcement-reaction"; announcement: number; name: string }
  /** Something was said in a chatroom, or the room itself is different. */
  | { what: "room"; room: number }
  /** Log-ins or permissions of applications of an account have ended, or act as another channel. */
  | { what: "access"; account: number };

/** The ids of an event that is about whatever copies there are. */
export const anyCopy = { from: 0, to: Number.MAX_SAFE_INTEGER } as const;

/**
 * What waits for a channel: notices, direct messages, requests to connect; that older notices stand among the others now; and the
 * words that it does not want to read.
 */
export type OfChannels = "notices" | "messages" | "requests" | "merged" | "filters";

/** What one transaction has to say, with nothing in it twice. */
export class Emission {
  readonly #events = new Map<string, LiveEvent>();

  add(event: LiveEvent): void {
    const key = keyOf(event);
    const known = this.#events.get(key);
    this.#events.set(key, known ? joined(known, event) : event);
  }

  get events(): LiveEvent[] {
    return [...this.#events.values()];
  }
}

function keyOf(event: LiveEvent): string {
  if ("message" in event) return `${event.what} ${event.message}`;
  if ("name" in event) return `${event.what} ${event.announcement} ${event.name}`;
  if ("room" in event) return `${event.what} ${event.room}`;
  if ("announcement" in event) return `${event.what} ${event.announcement}`;
  return "account" in event ? `${event.what} ${event.account}` : event.what;
}

/** Two events of the same key as one. */
function joined(one: LiveEvent, other: LiveEvent): LiveEvent {
  if (one.what === "item" && other.what === "item")
    return { ...one, from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
  if ("channels" in one && "channels" in other)
    return { ...one, channels: [...new Set([...one.channels, ...other.channels])] };
  return other;
}
