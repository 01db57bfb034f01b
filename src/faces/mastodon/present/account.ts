import type { z } from "zod";
import { applicationHtml, asciiUrl } from "../../../domain/bodies/application-html.ts";
import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { isWebUrl } from "../../../domain/identity/xchans/web-url.ts";
import type { AccountDetails } from "../../../domain/people/account-details.ts";
import type { User } from "../../../domain/people/users.ts";
import type { Account } from "../entities/account.ts";
import { emojiOfName } from "./emoji.ts";
import { datetime, dayOrNull, midnight } from "./dates.ts";

export type AccountObject = z.infer<typeof Account>;

/** People with all that account objects are made of. */
export type Accounts = {
  users: ReadonlyMap<number, User>;
  details: ReadonlyMap<number, AccountDetails>;
  /** As whom those go on who have moved, by xchan_id; they are among the people. */
  successors: ReadonlyMap<number, number>;
  baseUrl: string;
  /** Those who have been presented: a page names the same few people in every status. */
  presented: Map<number, AccountObject>;
};

const noDetails: AccountDetails = {
  locked: false,
  bot: false,
  administrator: false,
  forum: false,
  hidden: false,
  streamPublic: true,
  limited: false,
  suspended: false,
  lastPost: "",
  movedTo: "",
  actorId: "",
  quoters: "everybody",
  fields: [],
};

/** Mastodon contract 11.1. Somebody whose record is gone is shown as `unknown`. */
export function presentAccount(accounts: Accounts, id: number): AccountObject {
  const known = accounts.presented.get(id) ?? withSuccessor(accounts, id);
  accounts.presented.set(id, known);
  return known;
}

function withSuccessor(accounts: Accounts, id: number): AccountObject {
  const successor = accounts.successors.get(id);
  const account = presentOne(accounts, id);
  return successor === undefined ? account : { ...account, moved: presentOne(accounts, successor) };
}

function presentOne({ users, details, baseUrl }: Accounts, id: number): AccountObject {
  const user = users.get(id);
  if (!user) return unknownAccount(baseUrl);
  const known = details.get(id) ?? noDetails;
  const { username, acct } = namesOf(user);
  const page = pageOf(user, baseUrl);
  const header = user.cover === "" || known.suspended ? `${baseUrl}/assets/headers/missing.png` : user.cover;
  const avatar = known.suspended ? `${baseUrl}/assets/logo-64.png` : user.xchan_photo_l;
  const discoverable = user.local ? !known.hidden : null;
  const indexable = discoverable === true && known.streamPublic;
  return {
    id: String(id),
    username,
    acct,
    url: page,
    uri: user.local ? page : known.actorId || (isWebUrl(user.xchan_hash) ? user.xchan_hash : page),
    display_name: known.suspended ? "" : user.xchan_name,
    note: known.suspended ? "" : paragraphs(user.xchan_about),
    avatar,
    avatar_static: avatar,
    avatar_description: "",
    header,
    header_static: header,
    header_description: "",
    locked: known.locked,
    fields: user.describes && !known.suspended ? known.fields.map(presentField) : [],
    emojis: known.suspended ? [] : emojiOfName(baseUrl, user),
    bot: known.bot,
    group: known.forum,
    discoverable,
    indexable,
    ...(user.local && { noindex: !indexable }),
    ...(known.suspended && { suspended: true }),
    ...(known.limited && { limited: true }),
    created_at: midnight(user.xchan_created),
    last_status_at: dayOrNull(known.lastPost),
    statuses_count: known.suspended ? 0 : user.statuses_count,
    followers_count: known.suspended ? 0 : user.followers,
    following_count: known.suspended ? 0 : user.friends,
    hide_collections: user.local ? !user.showsConnections : null,
    show_media: true,
    show_media_replies: true,
    show_featured: false,
    roles: known.administrator ? [administrators] : [],
    feature_approval: { automatic: [], manual: [], current_user: "denied" },
  };
}

/** Mastodon contract 11.37, as far as others see it. */
export const administrators = { id: "1", name: "Administrator", color: "" };

const noContext = { personAt: () => undefined, tagUrl: () => "" };

function presentField({ name, html, verified }: AccountDetails["fields"][number]): AccountObject["fields"][number] {
  const verified_at = verified === undefined ? null : datetime(verified);
  return { name, value: inOneLine(applicationHtml(html, noContext)), verified_at };
}

/** Programs show a field within a line. */
function inOneLine(html: string): string {
  return html.replace(/^<p>|<\/p>$/g, "");
}

/** The nick, and the name under which the person is found from here. */
export function namesOf(user: Pick<User, "xchan_addr" | "xchan_url" | "xchan_name" | "local">): {
  username: string;
  acct: string;
} {
  const { xchan_addr: address, xchan_url: url } = user;
  const nick = address.split("@")[0] || lastPart(url) || user.xchan_name.replace(/\s+/g, "_") || "unknown";
  if (user.local) return { username: nick, acct: nick };
  if (address.includes("@")) return { username: nick, acct: address };
  return { username: nick, acct: isWebUrl(url) ? `${nick}@${new URL(url).host}` : nick };
}

/** The page of somebody: what mentions in texts lead to. */
export function pageOf({ xchan_url: url }: Pick<User, "xchan_url">, baseUrl: string): string {
  return isWebUrl(url) ? asciiUrl(url) : baseUrl;
}

function lastPart(url: string): string {
  return isWebUrl(url)
    ? (new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "").replace(/^@/, "")
    : "";
}

/** Plain text as paragraphs. */
export function paragraphs(text: string): string {
  const parts = text.split(/\n{2,}/).filter((part) => part.trim() !== "");
  return parts.map((part) => `<p>${escapeHtml(part.trim()).replaceAll("\n", "<br>")}</p>`).join("");
}

function unknownAccount(baseUrl: string): AccountObject {
  const header = `${baseUrl}/assets/headers/missing.png`;
  const picture = `${baseUrl}/assets/logo-64.png`;
  return {
    id: "0",
    username: "unknown",
    acct: "unknown",
    url: baseUrl,
    uri: baseUrl,
    display_name: "unknown",
    note: "",
    avatar: picture,
    avatar_static: picture,
    avatar_description: "",
    header,
    header_static: header,
    header_description: "",
    locked: false,
    fields: [],
    emojis: [],
    bot: false,
    group: false,
    discoverable: null,
    indexable: false,
    created_at: datetime("1970-01-01 00:00:00"),
    last_status_at: null,
    statuses_count: 0,
    followers_count: 0,
    following_count: 0,
    hide_collections: null,
    show_media: true,
    show_media_replies: true,
    show_featured: false,
    roles: [],
    feature_approval: { automatic: [], manual: [], current_user: "denied" },
  };
}
