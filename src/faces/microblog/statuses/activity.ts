import { z } from "zod";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { findAnswerable } from "../../../domain/items/media/photo-thread.ts";
import { react, unreact } from "../../../domain/items/posting/react.ts";
import type { Item } from "../../../domain/items/types.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { permitWords } from "../../words/items.ts";
import { requiredId, text } from "../parameters.ts";
import { ok } from "../small-answers.ts";

const verbs: readonly string[] = ["like", "dislike", "attendyes", "attendno", "attendmaybe"];

/** Microblog contract 9.1. */
export const activityRows = [
  endpoint({
    path: "svc/activity",
    pathId: "verb",
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    summary: "Gives a status a reaction, or with `un` before the verb takes it back; repeating either changes nothing.",
    errors: {
      missing_parameter: "Item id not found",
      missing: [400, "Item id not found"],
      denied: [400, "Error adding activity"],
      likes_limited: [403, permitWords.likes_limited],
    },
    example: { verb: "like", id: "812" },
    input: z.object({
      verb: text("`like`, `dislike`, `attendyes`, `attendno` or `attendmaybe`; with `un` before it, it is taken back."),
      id: requiredId("Id of the status."),
    }),
    async handle(hub, { channel }, { verb, id }) {
      const { name, takesBack } = readVerb(verb);
      const item = await findReactable(hub, channel, id);
      if (takesBack) await unreact(hub, channel, { id: item.id }, name);
      else await react(hub, channel, { id: item.id }, name, "stays");
      return "ok";
    },
    ...ok,
  }),
];

/**
 * A status that the channel may react to; the item of a photo that nobody has answered yet is shown by its first reaction.
 * Throws missing.
 */
export async function findReactable(hub: Hub, channel: Channel, id: number): Promise<Item> {
  const item = await findAnswerable(hub, observerOf(channel), { id });
  if (item.item_notshown === 1) throw missing("Item");
  return item;
}

function readVerb(verb = ""): { name: string; takesBack: boolean } {
  const takesBack = verb.startsWith("un");
  const name = takesBack ? verb.slice(2) : verb;
  if (!verbs.includes(name)) throw new HubError("invalid", "Unknown activity verb", { reason: "unknown_verb" });
  return { name, takesBack };
}
