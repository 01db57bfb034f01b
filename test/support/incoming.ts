import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { takeIn } from "../../src/faces/federation/inbox/take-in.ts";
import type { Hub } from "../../src/hub.ts";

/** Lets an activity take effect; `inboxes` are those whose own ones it came to. Its actor has signed, unless it is said who. */
export type Arrives = (activity: object, inboxes?: readonly Channel[], signer?: string) => Promise<void>;

export function arrivesIn(hub: Hub): Arrives {
  return async (document, inboxes = [], signer = (document as { actor: string }).actor) =>
    takeIn(hub, {
      signer,
      bytes: Buffer.from(JSON.stringify(document)),
      recipients: inboxes.map(({ channel_id }) => channel_id),
    });
}
