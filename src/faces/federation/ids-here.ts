import type { Hub } from "../../hub.ts";

/** Which channels these ids name, by nick, and which messages, by UUID; others are of other hubs, or of nothing. */
export function idsHere({ config }: Hub, ids: readonly string[]): { nicks: string[]; uuids: string[] } {
  const paths = ids.filter((id) => id.startsWith(`${config.baseUrl}/`)).map((id) => id.slice(config.baseUrl.length));
  const named = (pattern: RegExp): string[] => paths.flatMap((path) => pattern.exec(path)?.[1] ?? []);
  return { nicks: named(/^\/channel\/([^/?#]+)$/), uuids: named(/^\/item\/([^/?#]+)$/) };
}
