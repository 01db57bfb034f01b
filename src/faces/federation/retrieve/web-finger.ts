import { isForeignId, isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { Hub } from "../../../hub.ts";
import { isObject, readJson } from "../translate/json.ts";
import type { Json } from "../translate/json.ts";
import type { RetrieveOptions } from "./retrieve.ts";
import { isDocumentType } from "../document-types.ts";

/** What WebFinger says of an address. */
export type Finger = {
  /** `nick@host`, as that host has it. */
  address: string;
  /** The id of the actor. */
  actor: string;
  /** Where one can ask to follow somebody from there, with `%s` in the place of an address. */
  follow: string;
};

/** `nick@host` in what somebody writes or a document says: with or without `acct:` and `@` before it. */
export function readAddress(text: string): string | undefined {
  const [, nick, host] =
    /^(?:acct:)?@?([^\s@\p{Cc}\p{Cf}<>"/?#:]{1,255})@([^\s@\p{Cc}\p{Cf}<>"/?#]{1,253})$/u.exec(text) ?? [];
  if (nick === undefined || host === undefined || !URL.canParse(`https://${host}`)) return undefined;
  return `${nick}@${new URL(`https://${host}`).host}`;
}

/** Asks the host of an address who that is (RFC 7033). Undefined where it says nothing of use. Throws as `hub.fetch` does. */
export async function webFinger(hub: Hub, address: string, options: RetrieveOptions = {}): Promise<Finger | undefined> {
  const host = address.slice(address.indexOf("@") + 1);
  const scheme = hub.config.allowPrivate ? new URL(hub.config.baseUrl).protocol : "https:";
  const query = new URLSearchParams({ resource: `acct:${address}` });
  const url = `${scheme}//${host}/.well-known/webfinger?${query.toString()}`;
  const answer = await hub.fetch(url, { headers: { accept: "application/jrd+json, application/json" }, ...options });
  if (answer.status !== 200 || !/^application\/(jrd\+)?json\s*(;|$)/i.test(answer.headers.get("content-type") ?? ""))
    return undefined;
  const read = readJson(new Uint8Array(await answer.arrayBuffer()));
  return "value" in read ? fingerIn(read.value) : undefined;
}

function fingerIn(value: Json): Finger | undefined {
  if (!isObject(value) || typeof value["subject"] !== "string") return undefined;
  const links = Array.isArray(value["links"]) ? value["links"].filter(isObject) : [];
  const self = links.find(
    ({ rel, type, href }) => rel === "self" && typeof type === "string" && isDocumentType(type) && isId(href),
  );
  const template = links.find(({ rel }) => rel === "http://ostatus.org/schema/1.0/subscribe")?.["template"];
  const address = readAddress(value["subject"]);
  if (!self || address === undefined) return undefined;
  return {
    address,
    actor: self["href"] as string,
    follow: typeof template === "string" && template.includes("{uri}") ? template.replace("{uri}", "%s") : "",
  };
}

function isId(href: Json | undefined): boolean {
  return typeof href === "string" && isForeignId(href);
}

/** The address at which somebody is known, and what goes with it. */
export type Confirmed = Pick<Finger, "address" | "follow">;

/**
 * Does this address lead to that actor, and how is it written there? A host may name another one as the better address, which
 * then has to say the same (federation contract 2). Undefined where it does not, or does not answer.
 */
export async function confirmAddress(
  hub: Hub,
  address: string,
  actor: string,
  options: RetrieveOptions = {},
): Promise<Confirmed | undefined> {
  const leads = async (one: string): Promise<Finger | undefined> => {
    const found = await webFinger(hub, one, options).catch(() => undefined);
    return found && isSameId(found.actor, actor) ? found : undefined;
  };
  const first = await leads(address);
  if (!first || first.address.toLowerCase() === address.toLowerCase()) return first;
  const better = await leads(first.address);
  return better?.address.toLowerCase() === first.address.toLowerCase() ? better : { ...first, address };
}
