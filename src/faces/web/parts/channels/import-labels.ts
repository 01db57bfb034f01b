import type { Report, SectionReport } from "../../../../domain/import/report.ts";
import type { PageContext } from "../../page.ts";

/** Sections of an export as people read them, by their names there; texts are called by the second. */
const sections = {
  channel: "channel",
  config: "config",
  photo: "photo",
  profile: "profile",
  xchan: "xchan",
  hubloc: "hubloc",
  abook: "abook",
  group: "group",
  group_member: "group-member",
  atoken: "atoken",
  term: "term",
  obj: "obj",
  likes: "likes",
  app: "app",
  sysapp: "sysapp",
  chatroom: "chatroom",
  conv: "conv",
  mail: "mail",
  event: "event",
  event_item: "event-item",
  menu: "menu",
  wiki: "wiki",
  webpages: "webpages",
  item: "item",
  elsewhere: "elsewhere",
  notify: "notify",
  file: "file",
} as const;

/** What people call a section of an export. */
export function sectionName({ say }: PageContext, section: string): string {
  return isKnown(section) ? say(`moving.section-${sections[section]}`) : section;
}

function isKnown(section: string): section is keyof typeof sections {
  return Object.hasOwn(sections, section);
}

/** The sections of a report in the order above. */
export function inReadingOrder(report: Report): [section: string, entry: SectionReport][] {
  const place = (section: string): number => Object.keys(sections).indexOf(section) + 1 || Infinity;
  return Object.entries(report.sections).toSorted(([one], [other]) => place(one) - place(other));
}
