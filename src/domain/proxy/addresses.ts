import { createHmac } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { isSameSecret } from "../identity/same-secret.ts";

/** May the hub keep a copy of it (`cache`), or does it fetch it whenever somebody looks (`proxy`)? */
export type Keeping = "cache" | "proxy";

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
export function proxiedBy(
  hub: Signing,
  signature: string,
  encoded: string,
): { url: string; keeping: Keeping } | undefined {
  const url = Buffer.from(encoded, "base64url").toString();
  const keeping = (["cache", "proxy"] as const).find((one) => isSameSecret(signature, signatureOf(hub, url, one)));
  return keeping && { url, keeping };
}

function signatureOf({ mediaKey }: Signing, url: string, keeping: Keeping): string {
  return createHmac("sha256", mediaKey).update(`${keeping} ${url}`).digest("base64url");
}
