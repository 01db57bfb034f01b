import type { ForeignKey } from "../../../domain/identity/xchans/foreign-actor.ts";
import type { Hub } from "../../../hub.ts";
import { isKeyOf } from "../authority.ts";
import { PublicKeys } from "../signatures/public-keys.ts";
import type { Actor } from "../translate/actor.ts";
import { keyIn } from "../translate/key.ts";
import type { KeyText } from "../translate/key.ts";
import { retrieve } from "./retrieve.ts";
import type { RetrieveOptions } from "./retrieve.ts";

/** Of keys in documents of their own so many are asked for. */
const mostElsewhere = 4;

/** The keys of an actor: those that it names and that name it, in its own document or in ones of theirs (federation contract 8). */
export async function keysFor(hub: Hub, actor: Actor, options: RetrieveOptions = {}): Promise<ForeignKey[]> {
  const elsewhere = actor.keyIds.slice(0, mostElsewhere).map(async (id) => {
    const document = await retrieve(hub, id, undefined, options);
    return "fault" in document ? undefined : keyIn(document.node, id);
  });
  const all = [...actor.keys, ...(await Promise.all(elsewhere))];
  return all.flatMap((key) => (key && isKeyOf(key, actor) ? (readKey(key) ?? []) : []));
}

/** In the one form in which they are kept; undefined for what is no key that is taken. */
function readKey({ id, text }: KeyText): ForeignKey | undefined {
  const key = new PublicKeys(1).parse(text);
  if (!key) return undefined;
  const { kind, object } = key;
  return { id, kind, key: kind === "rsa" ? object.export({ type: "spki", format: "pem" }).toString() : text };
}
