import { z } from "zod";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { activityObject, attachmentList } from "../../domain/items/posting/activity-json.ts";
import type { Audience, Draft } from "../../domain/items/types.ts";
import type { Hub } from "../../hub.ts";
import { storedDate } from "../../http/dates.ts";
import { given } from "./given.ts";
import { accessList, date, flag, id, integer, json, text } from "./parameters.ts";

/** The form of `channel/stream`: the fields of an item record that a program may bring itself. */
export const activityInput = z.object({
  body: text("What it says; needed unless `obj` is there."),
  title: text("Its title."),
  summary: text("A content warning, or what an article is about, up to 1000 characters."),
  mimetype: text("Content type of the body; `text/bbcode` unless said otherwise."),
  app: text("The program that wrote it."),
  location: text("Where it was written, in words."),
  coord: text("Where it was written: latitude and longitude in decimal degrees."),
  plink: text("Its permalink, if it is not the usual one."),
  layout_mid: text("Message id of the layout that a page uses."),
  verb: text("What was done, as the URI of a verb; post unless said otherwise."),
  obj_type: text("URI of the type of the object; a note, or a comment for an answer."),
  obj: json("The object of the activity, as JSON."),
  tgt_type: text("URI of the type of the target."),
  target: json("The target of the activity, as JSON."),
  attach: json("Its attachments, as a JSON list."),
  mid: text("Its message id; a new one unless given."),
  thr_parent: text("Message id of what it answers directly."),
  parent: id("Id of the item whose thread it joins."),
  parent_mid: text("Message id of the item whose thread it joins."),
  allow_cid: accessList("Hashes of the people who may see it, each in angle brackets."),
  allow_gid: accessList("Hashes of the groups that may see it, each in angle brackets."),
  deny_cid: accessList("Hashes of the people who may not see it, each in angle brackets."),
  deny_gid: accessList("Hashes of the groups that may not see it, each in angle brackets."),
  public_policy: text("A narrower scope than the lists would give."),
  created: date("When it was written; now unless given."),
  expires: date("When it is to be removed."),
  item_nocomment: flag("It takes no comments."),
  item_consensus: flag("It offers to agree, disagree and abstain."),
  item_notshown: flag("It is only counted, not shown by itself."),
  item_nsfw: flag("It is not for every eye."),
  item_hidden: flag("It is kept out of all lists."),
  item_type: integer("Its kind; 0 is part of the conversation, other kinds are pages.", 0, 9),
});

type ActivityInput = z.output<typeof activityInput>;

/** The item that the form describes; its body stays as it is. Throws invalid for unusable JSON. */
export function activityDraft(hub: Hub, channel: Channel, input: ActivityInput): Draft {
  const moment = (value: typeof input.created) => storedDate(value, channel.channel_timezone, hub.clock());
  return {
    body: input.body ?? "",
    verbatim: true,
    allowEmpty: input.obj !== undefined,
    consensus: input.item_consensus,
    nocomment: input.item_nocomment,
    nsfw: input.item_nsfw,
    notshown: input.item_notshown,
    hidden: input.item_hidden,
    ...given({
      title: input.title,
      summary: input.summary,
      mimetype: input.mimetype || undefined,
      app: input.app,
      location: input.location,
      coord: input.coord,
      plink: input.plink || undefined,
      layoutMid: input.layout_mid || undefined,
      verb: input.verb || undefined,
      objType: input.obj_type || undefined,
      obj: input.obj && activityObject(hub, input.obj, "obj"),
      tgtType: input.tgt_type || undefined,
      target: input.target && activityObject(hub, input.target, "target"),
      attach: input.attach && attachmentList(hub, input.attach),
      mid: input.mid || undefined,
      audience: audienceOf(input),
      publicPolicy: input.public_policy || undefined,
      created: moment(input.created),
      expires: moment(input.expires),
      itemType: input.item_type,
      ...parentOf(input),
    }),
  };
}

/** A direct parent alone names its thread, too. */
function parentOf({
  parent: parentId,
  parent_mid: mid,
  thr_parent: direct,
}: ActivityInput): Pick<Draft, "parent" | "thrParent"> {
  if (parentId === undefined && !mid) return direct ? { parent: { mid: direct } } : {};
  const parent = parentId === undefined ? { mid: mid! } : { id: parentId };
  return direct ? { parent, thrParent: direct } : { parent };
}

/** One list in the request, and all four are the request's. */
function audienceOf({ allow_cid, allow_gid, deny_cid, deny_gid }: ActivityInput): Audience | undefined {
  if (!allow_cid && !allow_gid && !deny_cid && !deny_gid) return undefined;
  return {
    allow_cid: allow_cid ?? [],
    allow_gid: allow_gid ?? [],
    deny_cid: deny_cid ?? [],
    deny_gid: deny_gid ?? [],
  };
}
