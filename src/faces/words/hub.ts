import type { hubRefusals } from "../../refusals/hub.ts";
import type { Messages } from "../../refusals/messages.ts";
import type { Thing } from "../../refusals/things.ts";

const things: Readonly<Record<Thing, string>> = {
  Account: "Account",
  Album: "Album",
  Block: "Block",
  Channel: "Channel",
  Chatroom: "Chatroom",
  Connection: "Connection",
  Directory: "Directory",
  Event: "Event",
  File: "File",
  Group: "Group",
  Host: "Server",
  Guest: "Guest",
  Identity: "Identity",
  Import: "Import",
  Item: "Item",
  "Log-in": "Log-in",
  Menu: "Menu",
  Message: "Message",
  Notice: "Notice",
  Page: "Page",
  "Permission set": "Permission set",
  Photo: "Photo",
  Profile: "Profile",
  Recipient: "Recipient",
  Report: "Report",
  Search: "Search",
  Share: "Share",
  Status: "Status",
  Tag: "Tag",
  Token: "Token",
  User: "User",
  Wiki: "Wiki",
};

export const hubWords: Messages<typeof hubRefusals> = {
  busy: "Too much is going on at the moment. Try again soon.",
  stopping: "This hub is being stopped.",
  database_away: "The database of this hub does not answer at the moment. Please try again soon.",
  disk_full: "The disk of this hub is full; nothing was stored.",
  disk_read_only: "The disk of this hub can only be read at the moment; nothing was stored.",
  file_too_large: ({ most }) => `The file is larger than ${most} bytes.`,
  permission_denied: "You may not do that here.",
  name_needed: "A name is needed.",
  date_wrong: "This is not a date.",
  longer_than: ({ most }) => `This is longer than ${most} characters.`,
  value_too_long: "This value is too long.",
  address_is_settled: ({ former, asked }) =>
    `The address of this hub is ${former} and can never change, but HUBBUB_BASE_URL says ${asked}.`,
  strange_folder: ({ folder }) =>
    `The data folder ${folder} does not belong to this database: set HUBBUB_DATA and HUBBUB_DATABASE_URL to a pair, or make these two one with \`hubbub files adopt\`.`,
  database_is_newer: "The database belongs to a newer version of Hubbub than this one: update the program.",
  restore_under_way: "A backup is being restored into this database: start when that is done.",
  missing: ({ what }) => `${things[what]} not found.`,
};
