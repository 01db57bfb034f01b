import { createHmac } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { isSameSecret } from "../identity/same-secret.ts";

/**
 * May the hub keep a copy of it (`cache`), or does it fetch it whenever somebody looks (`proxy`)? What belongs to a text for some
 * (`private`) is fetched in the name of who looks where others do not get it, and its copies are apart.
 */
export type Keeping = (typeof keepings)[number];

const keepings = ["cache", "proxy", "private"] as const;

/**
 * Something of another site, as one of our addresses names it: with `digest`, the SHA-256 in hex, only these bytes are meant. What is
 * `private` has `shownIn`, the text for some that shows it and whose readers alone may see it: the mid of an item, or of a message
 * behind the id of its recipient's channel. Addresses of before this was so have none, and still stand in texts.
 */
export type Source = { url: string; keeping: Keeping; digest?: string | undefined; shownIn?: string | undefined };

type Signing = Pick<Hub, "config" | "mediaKey">;

/** The parts of one of our addresses. */
type Parts = { signature?: string; address?: string; item?: string };

/**
 * Our own address for a picture, film or sound of another site (federation contract 14); what is here, and what no browser would
 * fetch, keeps its address. It is signed, so that nobody has the hub fetch what the hub does not show.
 */
export function proxied(hub: Signing, url: string, about: Omit<Source, "url"> = { keeping: "cache" }): string {
  const { baseUrl } = hub.config;
  if (!/^https?:\/\//i.test(url) || url.startsWith(`${baseUrl}/`) || url === baseUrl) return url;
  const { keeping, digest = "", shownIn = "" } = about;
  const named = digest === "" ? url : `${url} ${digest}`;
  const [item, how] = shownIn === "" ? ["", keeping] : [`item/${encode(shownIn)}/`, howShownIn(shownIn)];
  return `${baseUrl}/proxy/${item}${signatureOf(hub, named, how)}/${encode(named)}`;
}

/** What one of our addresses stands for; undefined for what we have not signed. */
export function proxiedBy(hub: Signing, { signature = "", address = "", item = "" }: Parts): Source | undefined {
  const [named, shownIn] = [decode(address), decode(item)];
  const isSigned = (how: string): boolean => isSameSecret(signature, signatureOf(hub, named, how));
  const [, url = named, digest] = /^(.*) ([0-9a-f]{64})$/s.exec(named) ?? [];
  const meant = { url, ...(digest !== undefined && { digest }) };
  if (shownIn !== "") return isSigned(howShownIn(shownIn)) ? { ...meant, keeping: "private", shownIn } : undefined;
  const keeping = keepings.find(isSigned);
  return keeping && { ...meant, keeping };
}

/** What one of our whole addresses stands for; undefined for every other address. */
export function sourceOf(hub: Signing, address: string): Source | undefined {
  const start = `${hub.config.baseUrl}/proxy/`;
  return address.startsWith(start) ? proxiedBy(hub, partsOf(address.slice(start.length))) : undefined;
}

function partsOf(path: string): Parts {
  const [first = "", second = "", signature = "", address = ""] = path.split("/");
  return first === "item" ? { item: second, signature, address } : { signature: first, address: second };
}

/** Ids have no spaces: where they end is certain. */
function howShownIn(shownIn: string): string {
  return `shown in ${shownIn}`;
}

function signatureOf({ mediaKey }: Signing, named: string, how: string): string {
  return createHmac("sha256", mediaKey).update(`${how} ${named}`).digest("base64url");
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function decode(text: string): string {
  return Buffer.from(text, "base64url").toString();
}
