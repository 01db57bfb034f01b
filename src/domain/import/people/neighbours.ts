import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { hostOf, isHere } from "../../identity/xchans/web-url.ts";
import { formerHost } from "../channel/former-id.ts";
import type { Head } from "../sources/source.ts";

/**
 * People whom the channel knows here by another hash than where it comes from: those of this hub, which has their ids there by
 * which other hubs know them, and those of the hub there whom an earlier import has found again.
 */
export type Neighbours = ReadonlyMap<string, string>;

/** Those whom an export names, with their hashes here. */
export async function neighboursIn(hub: Hub, head: Head): Promise<Neighbours> {
  return new Map([...(await peopleHere(hub, head)), ...(await foundAgain(hub, head))]);
}

async function peopleHere(hub: Hub, { sections }: Head): Promise<Neighbours> {
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

/** Those of the hub there in whose place somebody is a connection of the channel, which is here already (`reunite`). */
async function foundAgain(hub: Hub, head: Head): Promise<Neighbours> {
  const host = formerHost(hub, head);
  const stayed = (head.sections.get("xchan") ?? []).filter(
    (record) => textIn(record, "xchan_network") === "zot" && hostOf(textIn(record, "xchan_addr")) === host,
  );
  if (host === undefined || !head.channel || stayed.length === 0) return new Map();
  const addresses = stayed.map((record) => textIn(record, "xchan_addr"));
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("abook", "abook_channel", "channel_id")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .select(["xchan_addr", "xchan_hash", "xchan_network"])
    .where("channel_hash", "=", textIn(head.channel, "channel_hash"))
    .where("channel_removed", "=", 0)
    .where(isOneOf(hub.engine, sql.ref("xchan_addr"), addresses, "text"))
    .execute();
  const connected = new Set(rows.map((row) => row.xchan_hash));
  const found = new Map(
    rows.filter((row) => row.xchan_network === "activitypub").map((row) => [row.xchan_addr, row.xchan_hash]),
  );
  return new Map(
    stayed.flatMap((record) => {
      const [former, successor] = [textIn(record, "xchan_hash"), found.get(textIn(record, "xchan_addr"))];
      return successor === undefined || connected.has(former) ? [] : [[former, successor] as const];
    }),
  );
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
