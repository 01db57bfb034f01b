import type { Courier } from "../../../domain/delivery/delivery.ts";
import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetAgain } from "../retrieve/actor.ts";
import { post } from "./post.ts";

/** How deliveries are made: by ActivityPub. */
export const courier: Courier = {
  post,
  async meetAgain(hub, xchanId) {
    const person = await findXchan(hub, { id: xchanId });
    if (person) await meetAgain(hub, person.xchan_hash);
  },
};
