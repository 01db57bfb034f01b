import { z } from "zod";
import { quoters } from "../../domain/identity/channels/channel-settings.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import type { Audience, Draft, Edit } from "../../domain/items/types.ts";
import { storedDate, unsetDate } from "../../http/dates.ts";
import { given } from "./given.ts";
import { date, flag, hashes, id, integer, optionalFlag, text, word } from "./parameters.ts";

/** The form of `item/update`; `media` arrives as files. */
export const itemInput = z.object({
  body: text("What it says; may be empty only together with `media` or `allow_empty`."),
  title: text("Its title, up to 255 characters."),
  summary: text("A content warning, or what an article is about, up to 1000 characters."),
  contact_allow: hashes("Hashes of the people who may see it; one of the four lists replaces the usual audience."),
  group_allow: hashes("Hashes or ids of the groups that may see it."),
  contact_deny: hashes("Hashes of the people who may not see it."),
  group_deny: hashes("Hashes or ids of the groups that may not see it."),
  coord: text("Where it was written: latitude and longitude in decimal degrees."),
  location: text("Where it was written, in words."),
  expire: date("When it is to be removed."),
  mimetype: text("Content type of the body; `text/bbcode` unless said otherwise."),
  parent: id("Id of the item whose thread it joins as a comment."),
  parent_mid: text("Message id of the item whose thread it joins; `parent` wins."),
  remote_xchan: text("Hash of another identity that wrote it; it is seen by the channel alone."),
  consensus: optionalFlag("It offers to agree, disagree and abstain."),
  nocomment: optionalFlag("It takes no comments."),
  origin: integer("0 for what another network distributes itself: it is not delivered from here."),
  namespace: text("The other service that the item comes from."),
  remote_id: text("Its id there; posting the same pair again edits the item."),
  message_id: text("Message id of a new item; one is made unless given."),
  created: date("When it was written; a later time delays it."),
  post_id: id("Id of the item to edit."),
  app: text("The program that wrote it."),
  category: text("Its categories, with commas between them."),
  webpage: integer("Its kind; 0 is part of the conversation, other kinds are pages.", 0, 9),
  pagetitle: text("Name of a page."),
  layout_mid: text("Message id of the layout that a page uses."),
  plink: text("Its permalink, if it is not the usual one."),
  verb: text("What was done, as the URI of a verb; post unless said otherwise."),
  obj_type: text("URI of the type of the object; a note, or a comment for an answer."),
  public_policy: text("A narrower scope than the channel's own."),
  unlisted: flag("It is for everybody, but in no public timeline, list of a hashtag or search; only a new post."),
  quoters: word(
    "Who may quote it, if not those whom the channel usually lets; only a new post for everybody.",
    ...quoters,
  ),
  nopush: flag("It is not delivered to other hubs."),
  comments_closed: date("When it stops taking comments."),
  allow_empty: flag("Takes an empty body."),
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
    unlisted: input.unlisted,
    ...(input.quoters && { quoters: input.quoters }),
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
      summary: input.summary,
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
