import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Outgoing } from "../../../domain/delivery/outgoing.ts";
import { inboxesAt } from "../../../domain/items/delivery/inboxes.ts";
import type { Addressed } from "../../../domain/items/delivery/elsewhere.ts";
import type { Hub } from "../../../hub.ts";
import { bytesOf, provenBytesOf, vouchedBytesOf } from "./serialise.ts";

/** One deed on its way out. */
export type Sent = Pick<Outgoing, "deed" | "objectId" | "stage"> & {
  sender: Channel;
  /** What vouches for it when somebody else hands it on; nothing does for a private post, which is for nobody else. */
  vouched: "fully" | "by proof" | "by nothing";
  /** The activity as these people read it, by the ids of actors; undefined where there is nothing to tell them. */
  activity: (readers: readonly string[]) => object | undefined | Promise<object | undefined>;
};

/**
 * What goes to whom: one form for all, or one for each host, which learns of nobody but its own people (federation contract 5).
 */
export async function variantsOf(hub: Hub, sent: Sent, addressed: Addressed): Promise<Outgoing[]> {
  const { deed, objectId, stage, sender } = sent;
  const of = (variant: string, bytes: string, to: Outgoing["to"]): Outgoing => ({
    deed,
    variant,
    sender: sender.channel_id,
    objectId,
    bytes,
    to,
    ...(stage && { stage }),
  });
  if (addressed.how === "people") {
    const hosts = Map.groupBy(addressed.people, ({ host }) => host);
    const variants = [...hosts].map(async ([host, people]) => {
      const activity = await sent.activity(people.map(({ actor }) => actor));
      return activity ? [of(host, await bytesFor(hub, sent, activity), inboxesAt(people))] : [];
    });
    return (await Promise.all(variants)).flat();
  }
  const activity = addressed.targets.length > 0 ? await sent.activity([]) : undefined;
  if (!activity) return [];
  return [of("", await bytesFor(hub, sent, activity), addressed.targets)];
}

async function bytesFor(hub: Hub, { sender, vouched }: Sent, activity: object): Promise<string> {
  if (vouched === "by nothing") return bytesOf(activity);
  return (vouched === "fully" ? vouchedBytesOf : provenBytesOf)(hub, sender, activity);
}
