import { z } from "zod";
import { findGroup, listGroups, listMembers } from "../../domain/groups/groups.ts";
import { missing } from "../../errors.ts";
import { endpoint } from "../../http/endpoint.ts";
import { id, text } from "./parameters.ts";
import { groupRecord, memberRecord } from "../../domain/portable/connection.ts";
import { oneNeeded } from "./one-needed.ts";

/** Native contract 6.12 and 6.13. */
export const groupRows = [
  endpoint({
    path: "group",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_contacts",
    summary: "The channel's privacy groups, deleted ones included.",
    answer: "Group[]",
    input: z.object({}),
    handle: (hub, { channel }) => listGroups(hub, channel.channel_id),
    present: (groups) => groups.map(groupRecord),
  }),
  endpoint({
    path: "group_members",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_contacts",
    summary: "The members of a privacy group, by its id or name.",
    answer: "GroupMember[]",
    example: { group_name: "Friends" },
    input: z.object({
      group_id: id("Id of the group; it wins over the name."),
      group_name: text("Name of the group."),
    }),
    async handle(hub, { channel }, { group_id: groupId, group_name: name }) {
      const uid = channel.channel_id;
      const group = await findGroup(
        hub,
        uid,
        groupId === undefined ? { name: oneNeeded(name, "group_id", "group_name") } : { id: groupId },
      );
      if (!group) throw missing("Group");
      return listMembers(hub, uid, group.id);
    },
    present: (members) => members.map(memberRecord),
  }),
];
