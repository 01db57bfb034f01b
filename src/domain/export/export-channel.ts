import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { version } from "../../version.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { beginExport } from "./moment.ts";
import { one } from "./parts.ts";
import type { Part } from "./parts.ts";
import { writeWhole } from "./whole.ts";
import type * as Sections from "./sections.ts";
import type { SectionName } from "./sections.ts";
import { namesIn } from "../../record-of.ts";

/** The number of this form of exports (native contract 6.1). */
const databaseNumber = 1188;

export type ExportOptions = {
  /** The default sections and the posts of the last three months; `sections` then says nothing. */
  posts?: boolean;
  /** Names of sections; unknown ones are ignored. */
  sections?: readonly string[] | undefined;
};

/**
 * The channel as a JSON object in pieces, with its private key in the section `channel`. The pieces are read from the
 * database as they are asked for, so that an export of any length takes little memory; what is added after the
 * beginning is not in it. Throws invalid when no section is known.
 */
export async function exportChannel(
  hub: Hub,
  channel: Channel,
  options: ExportOptions = {},
): Promise<AsyncGenerator<string>> {
  // Every section brings its records along, and channels are seldom exported.
  const sections = await import("./sections.ts");
  const names = namesOf(options, sections);
  const source = await beginExport(hub, channel);
  return writeWhole(hub, channel, [
    one("compatibility", () => Promise.resolve(compatibility)),
    relocatePart(hub, channel),
    ...sections.partsOf(source, names),
  ]);
}

/** Where the exported channel lives; on every kind of export. */
export function relocatePart(hub: Hub, channel: Channel): Part {
  const relocate = { channel_address: channel.channel_address, url: hub.config.baseUrl };
  return one("relocate", () => Promise.resolve(relocate));
}

const compatibility = { project: "hubbub", version, database: databaseNumber, server_role: "standard" };

function namesOf(
  { posts = false, sections: asked }: ExportOptions,
  { defaultSections, sections }: typeof Sections,
): readonly SectionName[] {
  if (posts) return [...defaultSections, "items"];
  if (!asked) return defaultSections;
  const known = namesIn(sections).filter((name) => asked.includes(name));
  if (known.length === 0) throw refusal("sections_unknown");
  return known;
}
