import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { rule } from "../../src/faces/federation/authority.ts";
import { effects } from "../../src/faces/federation/inbox/effects.ts";
import { knownOf } from "../../src/faces/federation/inbox/known.ts";
import { readActivity } from "../../src/faces/federation/translate/activity.ts";
import { readJson } from "../../src/faces/federation/translate/json.ts";
import { Node } from "../../src/faces/federation/translate/node.ts";
import type { Hub } from "../../src/hub.ts";

/** Lets an activity take effect that its actor has signed; `inboxes` are those whose own ones it came to. */
export type Arrives = (activity: object, inboxes?: readonly Channel[]) => Promise<void>;

export function arrivesIn(hub: Hub): Arrives {
  return async (document, recipients = []) => {
    const bytes = Buffer.from(JSON.stringify(document));
    const read = readJson(bytes);
    const node = Node.of("value" in read ? read.value : undefined)!;
    const activity = readActivity(node);
    if (typeof activity === "string") throw new Error(activity);
    const ruling = rule(activity, { signer: activity.actor }, await knownOf(hub, activity));
    if (ruling.do === "drop" || ruling.do === "fetch") return;
    const actor = (await findXchan(hub, { hash: activity.actor }))!;
    await effects[activity.type]?.({ hub, activity, node, bytes, ruling, actor, recipients });
  };
}
