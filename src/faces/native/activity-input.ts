import { z } from "zod";
import type { Channel } from "../../domain/identity/channel.ts";
import { activityObject, attachmentList } from "../../domain/items/activity-json.ts";
import type { Audience, Draft } from "../../domain/items/types.ts";
import type { Hub } from "../../hub.ts";
import { storedDate } from "../../http/dates.ts";
import { given } from "./given.ts";
import { accessList, date, flag, id, integer, json, text } from "./parameters.ts";

/** The form of native contract 6.2: the fields of an item record that a program may bring itself. */
export const activityInput = z.object({
  body: text(),
  title: text(),
  mimetype: text(),
  app: text(),
  location: text(),
  coord: text(),
  plink: text(),
  layout_mid: text(),
  verb: text(),
  obj_type: text(),
  obj: json(),
  tgt_type: text(),
  target: json(),
  attach: json(),
  mid: text(),
  thr_parent: text(),
  parent: id(),
  parent_mid: text(),
  allow_cid: accessList(),
  allow_gid: accessList(),
  deny_cid: accessList(),
  deny_gid: accessList(),
  public_policy: text(),
  created: date(),
  expires: date(),
  item_nocomment: flag(),
  item_consensus: flag(),
  item_notshown: flag(),
  item_nsfw: flag(),
  item_hidden: flag(),
  item_type: integer(0, 9),
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
