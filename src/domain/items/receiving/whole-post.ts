import type { Hub } from "../../../hub.ts";
import { layOutReceived } from "./layout.ts";
import type { ReceivedPost } from "./received.ts";
import { termsOf } from "./terms.ts";
import type { Whole } from "./whole.ts";
import { meantBy } from "./withheld.ts";
import type { Meant } from "./withheld.ts";
import { once } from "../../../once.ts";

/** A post as it came. Whom it means here, and what it is as a whole, is found out once, when it is first asked for. */
export type WholePost = { post: ReceivedPost; meant(): Promise<Meant>; whole(): Promise<Whole> };

/** For all that is done with a post that has come. Inside no transaction: texts are laid out before one. */
export function wholePost(hub: Hub, post: ReceivedPost): WholePost {
  const meant = once(() => meantBy(hub, post));
  const whole = once(async () => {
    const [audience, layout, named] = await Promise.all([meant(), layOutReceived(hub, post), termsOf(hub, post)]);
    return { post, layout, ...named, audience };
  });
  return { post, meant, whole };
}
