import type { Hub } from "../../hub.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { withoutBrackets } from "../bodies/escape.ts";

/** The part of a local address that names an item: native contract 8.2. */
export function linkId(baseUrl: string, mid: string): string {
  const own = `${baseUrl}/item/`;
  if (mid.startsWith(own)) return mid.slice(own.length);
  return /[:/&?<>"']/.test(mid) ? `b64.${Buffer.from(mid).toString("base64url")}` : mid;
}

/** The mid that a link id names; a uuid may be that of a post that moved here and kept the mid of its first hub. */
export async function midOfLink(hub: Hub, id: string): Promise<string> {
  // No column holds NUL, and PostgreSQL takes none in a question either.
  if (id.startsWith("b64.")) return Buffer.from(id.slice(4), "base64url").toString().replaceAll("\0", "");
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  const mid = `${hub.config.baseUrl}/item/${id}`;
  const rows = await hub.db
    .selectFrom("message")
    .select("mid")
    .where((x) => x.or([x("mid", "=", mid), x("uuid", "=", id)]))
    .execute();
  return rows.some((row) => row.mid === mid) ? mid : (rows[0]?.mid ?? mid);
}

/** The address where people of this hub see the thread (llink). */
export function localLink(hub: Hub, mid: string): string {
  return displayUrl(hub.config.baseUrl, mid);
}

/** The same for those who know no more of the hub than its address. */
export function displayUrl(baseUrl: string, mid: string): string {
  return `${baseUrl}/display/${linkId(baseUrl, mid)}`;
}

/** A person as a link in a bbcode sentence. */
export function personLink(xchan: Pick<Xchan, "xchan_name" | "xchan_url">): string {
  return `[zrl=${xchan.xchan_url}]${withoutBrackets(xchan.xchan_name)}[/zrl]`;
}

/** The files of this hub that the addresses in a text lead to. */
export function hashesIn(hub: Hub, text: string): string[] {
  const base = hub.config.baseUrl;
  const hashes = new Set<string>();
  for (const address of text.split(/[\s"'<>[\]]+|(?=https?:\/\/)/)) {
    const hash = address.startsWith(`${base}/`) && /\/(?:photo|attach|image)\/([0-9a-f]{64})/.exec(address)?.[1];
    if (hash) hashes.add(hash);
  }
  return [...hashes];
}
