import { displayUrl, personLink } from "../items/links.ts";
import { reactionOf, reactionSentence } from "../items/vocabulary.ts";
import { kindOf } from "../notifications/kinds.ts";
import type { NoticeKind } from "../notifications/kinds.ts";
import type { KnownNotice, Notice, NoticeWords } from "../notifications/stored.ts";

/** How both APIs tell of a notice: "Bob likes a post", where the thing is a link. Some have no thing, or words after it. */
export type Telling = { does: string; thing: string; after: string };

/** The words of a notice whose kind the hub knows. */
export function tellingOf({ kind, verb }: KnownNotice): Telling {
  const [does, thing = "", after = ""] =
    kind === "reaction" ? [reactionSentence(reactionOf(verb) ?? ""), "a post"] : tellings[kind];
  return { does, thing, after };
}

const tellings: Record<Exclude<NoticeKind, "reaction">, [does: string, thing?: string, after?: string]> = {
  request: ["would like to connect with you"],
  follower: ["has connected with you"],
  confirmed: ["has confirmed the connection with you"],
  declined: ["has declined the connection with you"],
  wall: ["wrote", "a post", " on your wall"],
  post: ["wrote", "a post"],
  comment: ["commented on", "a post"],
  held: ["commented on", "a post; the comment waits for you"],
  mail: ["sent you a message"],
  mention: ["mentioned you in", "a post"],
  tag: ["tagged", "a post"],
  share: ["shared", "your post"],
  edit: ["edited", "a post", " that you answered or shared"],
  poll: ["asked in", "a poll", " that has ended"],
  stranger: ["has written to you; nobody here knows them, so it waits for you"],
  "sign-up": ["would like to join this hub"],
  report: ["has reported somebody"],
  "webhook-off": ["A webhook of yours has failed too often and is switched off"],
  warned: ["Those who run this hub have written to you about your account"],
};

/** The fields of native contract 2.16 that tell who did what: those that came with the notice, or what its kind says. */
export function noticeWords(baseUrl: string, notice: Notice): NoticeWords {
  if (notice.kind === "worded") return notice.words;
  const { type, about, verb = notice.verb } = kindOf(notice.kind);
  const { name, url, photo } = notice.actor;
  const link = linkOf(baseUrl, notice);
  const { does, thing, after } = tellingOf(notice);
  const what = thing === "" ? "" : ` [zrl=${link}]${thing}[/zrl]`;
  const person =
    notice.kind === "report" && name === "" ? "Another hub" : personLink({ xchan_url: url, xchan_name: name });
  const who = notice.kind === "warned" || notice.kind === "webhook-off" ? "" : `${person} `;
  const msg = `${who}${does}${what}${after}`;
  return { xname: name, url, photo, msg, link, parent: notice.parent_mid, ntype: type, verb, otype: about };
}

/** Where a notice leads. */
function linkOf(baseUrl: string, { kind, mid, mail_id, abook_id }: KnownNotice): string {
  if (kind === "request") return `${baseUrl}/connections/ifpending`;
  if (kind === "follower" || kind === "confirmed" || kind === "declined") return `${baseUrl}/connedit/${abook_id}`;
  if (kind === "stranger") return `${baseUrl}/moderate/strangers`;
  if (kind === "held") return `${baseUrl}/moderate`;
  if (kind === "sign-up") return `${baseUrl}/admin/accounts?show=waiting`;
  if (kind === "report") return `${baseUrl}/admin/reports`;
  if (kind === "webhook-off") return `${baseUrl}/settings/webhooks`;
  if (kind === "warned") return `${baseUrl}/settings/warnings`;
  return kind === "mail" ? `${baseUrl}/mail/${mail_id}` : displayUrl(baseUrl, mid);
}
