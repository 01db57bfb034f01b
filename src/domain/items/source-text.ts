import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { tagsOf } from "../bodies/texts.ts";
import { asTyped, partsOf } from "../bodies/typed-text.ts";
import type { TextParts } from "../bodies/typed-text.ts";
import type { Item } from "./types.ts";

/**
 * A post as its author typed it, apart from what it quotes and the codes of its files: mentions are `@nick@host`, of people of this
 * hub `@nick` (mastodon contract 4.6).
 */
export async function sourceOf(hub: Hub, { body, mimetype }: Pick<Item, "body" | "mimetype">): Promise<TextParts> {
  const parts = partsOf(body, mimetype);
  const found = await tagsOf(hub, parts.text, mimetype);
  const urls = found.mentions.map(({ name }) => name).filter((name) => /^https?:/.test(name));
  const addresses = await addressesOf(hub, urls);
  const groups = `${hub.config.baseUrl}/group/`;
  const typed = asTyped(parts.text, found, (url, label) => {
    if (url.startsWith(groups) && label !== "") return `"${label}"`;
    const address = addresses.get(url) ?? "";
    return address.endsWith(`@${hub.config.host}`) ? address.split("@")[0] : address || undefined;
  });
  return { ...parts, text: typed };
}

async function addressesOf(hub: Hub, urls: readonly string[]): Promise<Map<string, string>> {
  if (urls.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .select(["xchan_url", "xchan_addr"])
    .where(isOneOf(hub.engine, sql.ref("xchan_url"), [...new Set(urls)]))
    .where("xchan_deleted", "=", 0)
    .where("xchan_hearsay", "=", 0)
    .where("xchan_addr", "like", "%@%")
    .orderBy("xchan_id", "desc")
    .execute();
  return new Map(rows.map((row) => [row.xchan_url, row.xchan_addr]));
}
