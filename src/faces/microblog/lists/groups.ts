import { z } from "zod";
import { activeGroup, activeGroups, deleteGroup } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { createGroupOf, replaceMembers } from "../../../domain/groups/replace-members.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { optionalId, text } from "../parameters.ts";
import { posted, readPosted } from "./posted-members.ts";
import type { GroupChange } from "./present-group.ts";
import { changeElement, groupChanged, manyGroups, showGroups } from "./group-answers.ts";

/** What no text of the contract fits goes out as the last. */
const errors = {
  no_name: "group name not specified",
  no_gid: "gid not specified",
  neither: "gid or name not specified",
  missing: [400, "gid not available"],
  other_name: "wrong group name",
  bad_members: "json data invalid",
  bad_parameter: "json data invalid",
  conflict: "group name already exists",
  invalid: "other API error",
} as const;

/** Privacy groups. */
export const groupRows = [
  endpoint({
    path: "svc/group_show",
    aliases: ["friendica/circle_show"],
    methods: "*",
    access: "channel",
    summary: "The caller's groups with their members, by name, or the one that `gid` names.",
    errors,
    example: { gid: "3" },
    input: z.object({ gid: optionalId("Id of the group.") }),
    async handle(hub, caller, { gid }) {
      const groups = gid === undefined ? await groupsByName(hub, caller) : [await ownGroup(hub, caller, gid)];
      return showGroups(hub, caller, groups);
    },
    ...manyGroups,
  }),
  endpoint({
    path: "svc/group_create",
    aliases: ["friendica/circle_create"],
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    jsonBody: "json",
    summary: "Makes a group with the posted contacts as members.",
    errors,
    example: { name: "Choir", json: '[{"cid": 5}]' },
    input: z.object({ name: text("Name of the group."), json: posted() }),
    async handle(hub, caller, { name = "", json }): Promise<GroupChange> {
      const record = readPosted(json);
      const gname = name.trim() || record?.name.trim() || "";
      if (gname === "") throw refusal("no_name");
      const { group, wrong } = await createGroupOf(hub, caller.channel.channel_id, gname, record?.members ?? []);
      return changed(hub, caller, group, wrong);
    },
    ...groupChanged,
    xml: changeElement("group_create"),
  }),
  endpoint({
    path: "svc/group_update",
    aliases: ["friendica/circle_update"],
    methods: ["POST"],
    methodsAs: { friendica: ["POST", "PUT"] },
    access: "channel",
    writes: true,
    jsonBody: "json",
    summary: "Makes exactly the posted contacts the members of a group; its name must be given and does not change.",
    errors,
    example: { gid: "3", name: "Choir", json: '[{"cid": 5}]' },
    input: z.object({ gid: optionalId("Id of the group."), name: text("Name of the group."), json: posted() }),
    async handle(hub, caller, { gid, name = "", json }): Promise<GroupChange> {
      if (name.trim() === "") throw refusal("no_name");
      if (gid === undefined) throw refusal("no_gid");
      const group = await ownGroup(hub, caller, gid, name);
      // No list is not an empty list: that would take everybody out.
      const members = readPosted(json)?.members;
      if (!members) throw refusal("bad_members");
      return changed(hub, caller, group, await replaceMembers(hub, caller.channel.channel_id, gid, members));
    },
    ...groupChanged,
    xml: changeElement("group_update"),
  }),
  endpoint({
    path: "svc/group_delete",
    aliases: ["friendica/circle_delete"],
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary: "Deletes the group that has both this id and this name.",
    errors,
    example: { gid: "3", name: "Choir" },
    input: z.object({ gid: optionalId("Id of the group."), name: text("Name of the group.") }),
    async handle(hub, caller, { gid, name = "" }): Promise<GroupChange> {
      if (gid === undefined || name.trim() === "") throw refusal("neither");
      const group = await ownGroup(hub, caller, gid, name);
      const [before] = await showGroups(hub, caller, [group]);
      await deleteGroup(hub, caller.channel.channel_id, gid);
      return { ...before!, status: "deleted", wrong: [] };
    },
    ...groupChanged,
    xml: changeElement("group_delete"),
  }),
];

/** The reasons name the texts above. */
function refusal(reason: keyof typeof errors): HubError {
  return new HubError("invalid", "The group cannot be changed like this.", { reason });
}

async function groupsByName(hub: Hub, { channel }: Caller): Promise<Group[]> {
  const groups = await activeGroups(hub, channel.channel_id);
  return groups.toSorted(
    (one, other) => order(one.gname.toLowerCase(), other.gname.toLowerCase()) || one.id - other.id,
  );
}

function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The caller's group of this id, and of this name where one is given. */
async function ownGroup(hub: Hub, { channel }: Caller, gid: number, name?: string): Promise<Group> {
  const group = await activeGroup(hub, channel.channel_id, gid);
  if (name !== undefined && group.gname.trim() !== name.trim()) throw refusal("other_name");
  return group;
}

async function changed(hub: Hub, caller: Caller, group: Group, wrong: number[]): Promise<GroupChange> {
  const [after] = await showGroups(hub, caller, [group]);
  return { ...after!, status: wrong.length > 0 ? "missing user" : "ok", wrong };
}
