import { createHmac } from "node:crypto";
import type { Hub } from "../../hub.ts";
import { isSameSecret } from "../identity/same-secret.ts";

/**
 * May the hub keep a copy of it (`cache`), or does it fetch it whenever somebody looks (`proxy`)? What belongs to a text for some
 * (`private`) is fetched in the name of who looks where others do not get it, and its copies are apart.
 */
export type Keeping = (typeof keepings)[number];

const keepings = ["cache", "proxy", "private"] as const;

/** Something of another site, as one of our addresses names it: with `digest`, the SHA-256 in hex, only these bytes are meant. */
export type Source = { url: string; keeping: Keeping; digest?: string | undefined };

type Signing = Pick<Hub, "config" | "mediaKey">;

/**
 * Our own address for a picture, film or sound of another site (federation contract 14); what is here, and what no browser would
 * fetch, keeps its address. It is signed, so that nobody has the hub fetch what the hub does not show.
 */
export function proxied(hub: Signing, url: string, keeping: Keeping = "cache", digest = ""): string {
  const { baseUrl } = hub.config;
  if (!/^https?:\/\//i.test(url) || url.startsWith(`${baseUrl}/`) || url === baseUrl) return url;
  const named = digest === "" ? url : `${url} ${digest}`;
  return `${baseUrl}/proxy/${signatureOf(hub, named, keeping)}/${Buffer.from(named).toString("base64url")}`;
}

/** What one of our addresses stands for; undefined for what we have not signed. */
export function proxiedBy(hub: Signing, signature: string, encoded: string): Source | undefined {
  const named = Buffer.from(encoded, "base64url").toString();
  const keeping = keepings.find((one) => isSameSecret(signature, signatureOf(hub, named, one)));
  const [, url = named, digest] = /^(.*) ([0-9a-f]{64})$/s.exec(named) ?? [];
  return keeping && { url, keeping, ...(digest !== undefined && { digest }) };
}

/** What one of our whole addresses stands for; undefined for every other address. */
export function sourceOf(hub: Signing, address: string): Source | undefined {
  const start = `${hub.config.baseUrl}/proxy/`;
  const [signature = "", encoded = ""] = address.startsWith(start) ? address.slice(start.length).split("/") : [];
  return proxiedBy(hub, signature, encoded);
}

function signatureOf({ mediaKey }: Signing, named: string, keeping: Keeping): string {
  return createHmac("sha256", mediaKey).update(`${keeping} ${named}`).digest("base64url");
}
