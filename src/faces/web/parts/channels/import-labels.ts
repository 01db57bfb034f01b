import type { Report, SectionReport } from "../../../../domain/import/report.ts";

const names: Readonly<Record<string, string>> = {
  channel: "Channel",
  config: "Settings",
  photo: "Profile photo",
  profile: "Profiles",
  xchan: "People",
  hubloc: "Places where people are",
  abook: "Connections",
  group: "Groups",
  group_member: "Members of groups",
  atoken: "Guests",
  term: "Saved searches",
  obj: "Things",
  likes: "Likes of the profile",
  app: "Apps",
  sysapp: "Installed apps",
  chatroom: "Chatrooms",
  conv: "Conversations",
  mail: "Messages",
  event: "Events",
  event_item: "Posts about events",
  menu: "Menus",
  wiki: "Wiki pages",
  webpages: "Pages",
  item: "Posts and comments",
  elsewhere: "In threads of others",
  notify: "Notices",
  file: "Files and photos",
};

/** What people call a section of an export. */
export function sectionName(section: string): string {
  return names[section] ?? section;
}

/** The sections of a report in the order of their names above. */
export function inReadingOrder({ sections }: Report): [section: string, entry: SectionReport][] {
  const place = (section: string): number => Object.keys(names).indexOf(section) + 1 || Infinity;
  return Object.entries(sections).toSorted(([one], [other]) => place(one) - place(other));
}
