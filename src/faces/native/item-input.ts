import { z } from "zod";
import type { Channel } from "../../domain/identity/channel.ts";
import type { Audience, Draft, Edit } from "../../domain/items/types.ts";
import { storedDate, unsetDate } from "../../http/dates.ts";
import { given } from "./given.ts";
import { date, flag, hashes, id, integer, optionalFlag, text } from "./parameters.ts";

/** The form of native contract 6.15; `media` arrives as files. */
export const itemInput = z.object({
  body: text(),
  title: text(),
  contact_allow: hashes(),
  group_allow: hashes(),
  contact_deny: hashes(),
  group_deny: hashes(),
  coord: text(),
  location: text(),
  expire: date(),
  mimetype: text(),
  parent: id(),
  parent_mid: text(),
  remote_xchan: text(),
  consensus: optionalFlag(),
  nocomment: optionalFlag(),
  origin: integer(),
  namespace: text(),
  remote_id: text(),
  message_id: text(),
  created: date(),
  post_id: id(),
  app: text(),
  category: text(),
  webpage: integer(0, 9),
  pagetitle: text(),
  layout_mid: text(),
  plink: text(),
  verb: text(),
  obj_type: text(),
  public_policy: text(),
  nopush: flag(),
  comments_closed: date(),
  allow_empty: flag(),
});

export type ItemInput = z.output<typeof itemInput>;

/** The new item that the form describes. */
export function draftOf(input: ItemInput, channel: Channel, now: Date): Draft {
  return {
    ...contentOf(input, channel, now),
    ...given({
      parent: parentOf(input),
      publicPolicy: input.public_policy || undefined,
      created: storedDate(input.created, channel.channel_timezone, now),
      mid: input.message_id || undefined,
      remoteXchan: input.remote_xchan || undefined,
      namespace: input.namespace || undefined,
      remoteId: input.remote_id || undefined,
      itemType: input.webpage,
    }),
    origin: input.origin !== 0,
    nopush: input.nopush,
  };
}

/** The change that the form describes: fields that it leaves out keep their value. */
export function editOf(input: ItemInput, channel: Channel, now: Date): Edit {
  return contentOf(input, channel, now);
}

/** What can be written and rewritten. */
function contentOf(input: ItemInput, channel: Channel, now: Date): Edit {
  return {
    body: input.body ?? "",
    allowEmpty: input.allow_empty,
    ...given({
      title: input.title,
      mimetype: input.mimetype || undefined,
      audience: audienceOf(input),
      coord: input.coord,
      location: input.location,
      expires: input.expire && (storedDate(input.expire, channel.channel_timezone, now) ?? unsetDate),
      commentsClosed:
        input.comments_closed && (storedDate(input.comments_closed, channel.channel_timezone, now) ?? unsetDate),
      app: input.app,
      categories: input.category === undefined ? undefined : categoriesOf(input.category),
      consensus: input.consensus,
      nocomment: input.nocomment,
      pageTitle: input.pagetitle || undefined,
      layoutMid: input.layout_mid,
      plink: input.plink || undefined,
      verb: input.verb || undefined,
      objType: input.obj_type || undefined,
    }),
  };
}

function parentOf({ parent, parent_mid: mid }: ItemInput): { id: number } | { mid: string } | undefined {
  if (parent !== undefined) return { id: parent };
  return mid ? { mid } : undefined;
}

/** One list in the request, and all four are the request's (native contract 6.15). */
function audienceOf(input: ItemInput): Audience | undefined {
  const { contact_allow, group_allow, contact_deny, group_deny } = input;
  if (!contact_allow && !group_allow && !contact_deny && !group_deny) return undefined;
  return {
    allow_cid: contact_allow ?? [],
    allow_gid: group_allow ?? [],
    deny_cid: contact_deny ?? [],
    deny_gid: group_deny ?? [],
  };
}

/** Native contract 5.5. */
function categoriesOf(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}
