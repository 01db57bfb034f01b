import { createHmac } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { isSameSecret } from "../identity/same-secret.ts";

/**
 * May the hub keep a copy of it (`cache`), or does it fetch it whenever somebody looks (`proxy`)? What belongs to a text for some
 * (`private`) is fetched in the name of who looks where others do not get it, and its copies are apart.
 */
export type Keeping = (typeof keepings)[number];

const keepings = ["cache", "proxy", "private"] as const;

/** Something of another site, as one of our addresses names it. */
export type Source = { url: string; keeping: Keeping };

type Signing = Pick<Hub, "config" | "mediaKey">;

/**
 * Our own address for a picture, film or sound of another site (federation contract 14); what is here, and what no browser would
 * fetch, keeps its address. It is signed, so that nobody has the hub fetch what the hub does not show.
 */
export function proxied(hub: Signing, url: string, keeping: Keeping = "cache"): string {
  const { baseUrl } = hub.config;
  if (!/^https?:\/\//i.test(url) || url.startsWith(`${baseUrl}/`) || url === baseUrl) return url;
  return `${baseUrl}/proxy/${signatureOf(hub, url, keeping)}/${Buffer.from(url).toString("base64url")}`;
}

/** What one of our addresses stands for; undefined for what we have not signed. */
export function proxiedBy(hub: Signing, signature: string, encoded: string): Source | undefined {
  const url = Buffer.from(encoded, "base64url").toString();
  const keeping = keepings.find((one) => isSameSecret(signature, signatureOf(hub, url, one)));
  return keeping && { url, keeping };
}

/** What one of our whole addresses stands for; undefined for every other address. */
export function sourceOf(hub: Signing, address: string): Source | undefined {
  const start = `${hub.config.baseUrl}/proxy/`;
  const [signature = "", encoded = ""] = address.startsWith(start) ? address.slice(start.length).split("/") : [];
  return proxiedBy(hub, signature, encoded);
}

function signatureOf({ mediaKey }: Signing, url: string, keeping: Keeping): string {
  return createHmac("sha256", mediaKey).update(`${keeping} ${url}`).digest("base64url");
}
