import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { notify } from "./notify.ts";

/** Tells a channel that one of its webhooks is told nothing any more, because it has failed too often. */
export async function notifySwitchedOff(hub: Hub, owner: Channel): Promise<void> {
  await notify(hub, [{ kind: "webhook-off", to: owner, actor: 0 }]);
}
