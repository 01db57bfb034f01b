import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { isHere } from "../../identity/xchans/web-url.ts";
import type { Head } from "../sources/source.ts";

/**
 * People of this hub whom the channel knew from another one, where they have the ids by which other hubs know them: their hashes
 * here by these ids.
 */
export type Neighbours = ReadonlyMap<string, string>;

/** Those whom an export names. */
export async function neighboursIn(hub: Hub, { sections }: Pick<Head, "sections">): Promise<Neighbours> {
  const named = (sections.get("xchan") ?? []).map((record) => textIn(record, "xchan_hash"));
  const ids = named.filter((id) => isHere(hub, id));
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select(["xchan_url", "xchan_hash"])
    .where(isOneOf(hub.engine, sql.ref("xchan_url"), ids, "text"))
    .where("channel_removed", "=", 0)
    .execute();
  return new Map(rows.map((row) => [row.xchan_url, row.xchan_hash]));
}

/** The export as it names them here; where they are is known. */
export function byNamesHere(head: Head, neighbours: Neighbours): Head {
  if (neighbours.size === 0) return head;
  const sections = new Map(head.sections);
  for (const [section, field] of Object.entries(namedIn)) {
    const records = sections.get(section);
    if (records)
      sections.set(
        section,
        records.map((record) => renamed(record, field, neighbours)),
      );
  }
  const places = sections.get("hubloc");
  if (places)
    sections.set(
      "hubloc",
      places.filter((record) => !neighbours.has(textIn(record, "hubloc_hash"))),
    );
  return { ...head, sections };
}

const namedIn = { xchan: "xchan_hash", abook: "abook_xchan", group_member: "xchan" } as const;

function renamed(record: PortableRecord, field: string, neighbours: Neighbours): PortableRecord {
  const hash = neighbours.get(textIn(record, field));
  return hash === undefined ? record : { ...record, [field]: hash };
}
