import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Hub } from "../../../hub.ts";
import type { Ruling } from "../authority.ts";
import type { Activity } from "../translate/activity.ts";
import type { Node } from "../translate/node.ts";

/** An activity that is what it says to be, and may take effect: judged, and its actor met. */
export type Incoming = {
  hub: Hub;
  activity: Activity;
  node: Node;
  /** As it came; of what was fetched instead, what was found. */
  bytes: Uint8Array;
  ruling: Exclude<Ruling, { do: "drop" | "fetch" }>;
  actor: Xchan;
  /** Whose key signed what brought it: the actor's, or that of whoever handed it on. */
  signer: string;
  /** Not its author's hub has brought it, so it is not handed on again (federation contract 6.2). */
  isForwarded: boolean;
  /** Whose own inboxes it came to; empty for the shared one alone. */
  recipients: readonly Channel[];
  /** Who hands it on inside of an activity of their own, if somebody does, and that activity. */
  via?: { actor: Xchan; activity: Activity } | undefined;
  /** Lets the activity that this one is about take effect, as far as that is what it says to be by itself. */
  takeEnclosed(): Promise<void>;
};

/**
 * What an activity of some type does here. It may come twice, and does nothing then. Throws unavailable where it has to be tried
 * again; whatever else is refused drops the activity.
 */
export type Effect = (incoming: Incoming) => Promise<void>;

/** The same for what only some activities of a type are about; answers whether this one is. */
export type Attempt = (incoming: Incoming) => Promise<boolean>;

/** Does the first of these that the activity is about. */
export function firstOf(...attempts: readonly Attempt[]): Effect {
  return async (incoming) => {
    for (const attempt of attempts) if (await attempt(incoming)) return;
  };
}

/** What the activity is about, by its id; undefined where it is about nothing, or about something without one. */
export function objectIdOf({ objects: [object] }: Pick<Activity, "objects">): string | undefined {
  return typeof object === "string" ? object : object?.id;
}
