import type { Courier } from "../../../domain/delivery/delivery.ts";
import { post } from "./post.ts";

/** How deliveries are made: by ActivityPub. */
export const courier: Courier = {
  post,
  meetAgain: () => Promise.resolve(),
};
