import { HubError } from "../../../errors.ts";
import { keptForm } from "../../../refusals/messages.ts";
import type { Hub } from "../../../hub.ts";
import { importGuest } from "../../connections/guests.ts";
import { importApp } from "../../identity/belongings/apps.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { importChatroom } from "../../identity/belongings/chatrooms.ts";
import { importLike } from "../../identity/belongings/likes.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../../identity/records/portable-fields.ts";
import { importThing } from "../../identity/belongings/things.ts";
import { importFollowedTag } from "../../items/followed-tags.ts";
import { importFilter } from "../../items/import-filter.ts";
import { importSketch } from "../../items/posting/import-sketch.ts";
import { importOwnTerm } from "../../items/restoring/own-terms.ts";
import { importConversation } from "../../messages/import-mail.ts";
import { importMenu } from "../../portable/menu.ts";
import { renamed, termNames } from "../sources/legacy.ts";
import { note, sectionOf } from "../report.ts";
import type { Outcome, Report } from "../report.ts";
import { writeFor } from "../write-for.ts";

/** Takes one record over. */
type Take = (hub: Hub, channel: Channel, record: PortableRecord) => Promise<Taken>;

/** The sections of native contract 7.5, step 8, that are never long, each with the field that names a record. */
export const shortSections: readonly { name: string; take: Take; label: string }[] = [
  { name: "atoken", take: importGuest, label: "atoken_name" },
  {
    name: "term",
    take: (hub, channel, record) => importOwnTerm(hub, channel, renamed(record, termNames)),
    label: "term",
  },
  { name: "followed_tag", take: importFollowedTag, label: "term" },
  { name: "filter", take: importFilter, label: "title" },
  { name: "draft", take: importSketch, label: "name" },
  { name: "obj", take: importThing, label: "obj_term" },
  { name: "likes", take: importLike, label: "liker" },
  { name: "app", take: importApp, label: "app_name" },
  {
    name: "sysapp",
    take: (hub, channel, record) => importApp(hub, channel, { ...record, app_system: "1" }),
    label: "app_name",
  },
  { name: "chatroom", take: importChatroom, label: "cr_name" },
  { name: "conv", take: importConversation, label: "subject" },
  { name: "menu", take: importMenu, label: "pagetitle" },
];

/** Takes one section over, record by record: one that cannot be stored does not keep the others from it. */
export async function importShortSection(
  hub: Hub,
  channel: Channel,
  section: (typeof shortSections)[number],
  records: readonly PortableRecord[],
  report: Report,
): Promise<void> {
  sectionOf(report, section.name);
  for (const record of records) {
    const example = textIn(record, section.label);
    note(
      report,
      section.name,
      await takeOne(hub, () => writeFor(hub, channel, (hub) => section.take(hub, channel, record)), example),
    );
  }
}

/** What became of a record; a refusal or a fault concerns this record alone. */
export async function takeOne(
  hub: Hub,
  take: () => Promise<Outcome | "unreadable">,
  example: string,
): Promise<Outcome> {
  try {
    const taken = await take();
    return taken === "unreadable" ? { left: "it cannot be read", example } : taken;
  } catch (error) {
    // The disk is full or the old hub silent: that concerns everything, and may be over later.
    if (error instanceof HubError && error.kind === "unavailable") throw error;
    if (error instanceof HubError) return { left: keptForm(error).replace(/\.$/, ""), example };
    hub.log.warning("A record could not be imported: {error}", { error });
    return { left: "it could not be stored", example };
  }
}
