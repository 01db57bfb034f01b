import type { Readable } from "node:stream";
import { refusal } from "../../../errors.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { numberIn, textIn } from "../../identity/records/portable-fields.ts";
import { jsonEntries } from "./json-rows.ts";
import type { JsonEntry } from "./json-rows.ts";
import { recordsIn } from "./shape.ts";
import { isRecord } from "../../../record-of.ts";

/** Sections that may be long: they are read as a stream, a few rows at a time. All others are read whole. */
const longSections = [
  "event",
  "event_item",
  "wiki",
  "webpages",
  "mail",
  "item",
  "elsewhere",
  "notify",
  "file",
] as const;
export type LongSection = (typeof longSections)[number];

/** Those that are read whole, beside `shortSections`: objects, and the lists of the part that is all or nothing. */
const objects: ReadonlySet<string> = new Set(["compatibility", "relocate", "channel", "photo"]);
const shortLists: ReadonlySet<string> = new Set(
  `profile config abook xchan hubloc group group_member atoken term followed_tag filter draft obj likes app sysapp chatroom conv menu`.split(
    /\s+/,
  ),
);

function isLong(section: string): section is LongSection {
  return (longSections as readonly string[]).includes(section);
}

/** The sections whose rows are items. */
export const itemSections: ReadonlySet<LongSection> = new Set(["item", "webpages", "wiki", "event_item", "elsewhere"]);

/** What comes only when posts are wanted: the channel's own, its part in the threads of others, and what it was told of both. */
export function isPosts(section: LongSection): boolean {
  return section === "item" || section === "elsewhere" || section === "notify";
}

/** One record of a long section. */
export type SourceRow = {
  section: LongSection;
  record: PortableRecord;
  /** Of a file: its bytes, if the source has them. They are read before the next row, or never. */
  bytes?: () => Promise<Readable>;
};

/** The part of an export that is read whole. */
export type Head = {
  compatibility: PortableRecord | undefined;
  relocate: { nick: string; url: string };
  channel: PortableRecord | undefined;
  photo: PortableRecord | undefined;
  sections: ReadonlyMap<string, readonly PortableRecord[]>;
  /** How many records there are of kinds that this hub has no place for, by name. */
  unknown: ReadonlyMap<string, number>;
  /** How many rows the long sections have; files of a remote hub are not counted. */
  total: number;
  /** An archive of the old form, which has no list of its entries. */
  unlisted?: boolean;
};

/** Where an import comes from. Both can be read again and again. */
export type Source = {
  head(): Promise<Head>;
  /** The rows of the long sections, always in the same order; the first `skip` of them may be left out or come without bytes. */
  rows(skip: number): AsyncGenerator<SourceRow>;
};

/** Far more than a channel with ten thousand connections has. */
const mostRecords = 1_000_000;
/** So many kinds of records that are not known are named. */
const mostUnknown = 100;

/** Collects what is read whole from the entries of one JSON object or several. */
export class HeadReader {
  readonly #objects = new Map<string, Record<string, unknown>>();
  readonly #sections = new Map<string, PortableRecord[]>();
  readonly #unknown = new Map<string, number>();
  #records = 0;
  #total = 0;

  take({ section, key, value }: JsonEntry): void {
    if (isLong(section)) this.#total += typeof key === "number" ? 1 : 0;
    else if (typeof key === "string" && objects.has(section)) {
      const object = this.#objects.get(section) ?? (Object.create(null) as Record<string, unknown>);
      object[key] = value;
      this.#objects.set(section, object);
    } else if (!shortLists.has(section)) this.#countUnknown(section);
    else if (isRecord(value)) this.#add(section, value);
  }

  /** Rows of a long section that are not entries of a list. */
  count(): void {
    this.#total += 1;
  }

  #countUnknown(section: string): void {
    const name = /^[a-z]\w{0,39}$/i.test(section) && this.#unknown.size < mostUnknown ? section : "others";
    this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1);
  }

  #add(section: string, record: PortableRecord): void {
    const records = this.#sections.get(section) ?? [];
    records.push(record);
    this.#sections.set(section, records);
    this.#records += 1 + recordsIn(record["abconfig"]).length;
    if (this.#records > mostRecords) throw refusal("export_too_many_records");
  }

  head(): Head {
    const relocate = this.#objects.get("relocate") ?? {};
    return {
      compatibility: this.#objects.get("compatibility"),
      relocate: { nick: textIn(relocate, "channel_address"), url: textIn(relocate, "url").replace(/(?<!\/)\/+$/, "") },
      channel: this.#objects.get("channel"),
      photo: this.#objects.get("photo"),
      sections: this.#sections,
      unknown: this.#unknown,
      total: this.#total,
    };
  }
}

/** A JSON export or a page of items; `open` starts reading it from its beginning. */
export function jsonSource(open: () => Promise<Readable>): Source {
  return {
    async head() {
      const reader = new HeadReader();
      for await (const entry of jsonEntries(await open())) reader.take(entry);
      return reader.head();
    },
    async *rows() {
      for await (const entry of jsonEntries(await open())) yield* longRow(entry);
    },
  };
}

/** The entry as a row, if it is one of a long section. */
export function* longRow({ section, key, value }: JsonEntry): Generator<SourceRow> {
  if (typeof key === "number" && isLong(section)) yield { section, record: isRecord(value) ? value : {} };
}

/**
 * Refuses what no import can read. A page of items has no `compatibility`, but says where it is from. Throws invalid.
 */
export function checkCompatibility({ compatibility, relocate, channel, total }: Head): void {
  if (!compatibility) {
    if (!channel && relocate.url !== "" && total > 0) return;
    throw refusal("export_without_program");
  }
  if ("codebase" in compatibility) throw refusal("export_of_a_variant");
  if (!channel) throw refusal("export_without_channel");
}

/** The number of the format that this hub writes and reads without translating. */
const ownFormat = 1188;

/** What to tell the owner about an export of another program or version; nothing if it is one of ours. */
export function formatWarnings({ compatibility, unlisted }: Head): string[] {
  const database = compatibility ? numberIn(compatibility, "database") : ownFormat;
  const newer = `The export has a newer format (${database}) than this hub knows (${ownFormat}): some of it may be missing.`;
  const older = "The archive was made by an older version and has no list of its entries: damage to it goes unnoticed.";
  return [...(database > ownFormat ? [newer] : []), ...(unlisted ? [older] : [])];
}

/** Other programs store texts HTML-escaped; ours never (native contract 5.2). Undefined when the export does not say. */
export function isEscaped({ compatibility }: Head): boolean | undefined {
  return compatibility && textIn(compatibility, "project").toLowerCase() !== "hubbub";
}
