import { oncePerHub } from "../../../caches.ts";
import type { Courier } from "../../../domain/delivery/delivery.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";

const posting = oncePerHub(() => import("./post.ts"));

/** How deliveries are made: by ActivityPub, which is loaded with the first of them. */
export const courier: Courier = {
  post: async (hub, delivery) => (await posting(hub)).post(hub, delivery),
  async meetAgain(hub, xchanId) {
    const person = await findXchan(hub, { id: xchanId });
    if (person) await (await import("../retrieve/actor.ts")).meetAgain(hub, person.xchan_hash);
  },
};
