import { z } from "zod";
import { listAbconfig, listConnections, setAbconfig, updateConnection } from "../../domain/connections/connections.ts";
import { endpoint } from "../../http/endpoint.ts";
import { id, integer, optionalFlag, requiredId, requiredText, text, presentText } from "./parameters.ts";
import { abconfigRecord, connectionRecord } from "../../domain/portable/connection.ts";

/** Native contract 6.18 and 6.19. */
export const connectionRows = [
  endpoint({
    path: "abook",
    methods: ["GET"],
    access: "channel",
    permission: "view_contacts",
    summary: "The channel's connections, its own row and requests included.",
    answer: "Connection[]",
    input: z.object({ abook_id: id("Id of one connection; all are answered without it.") }),
    handle: (hub, { channel }, input) => listConnections(hub, channel.channel_id, { abookId: input.abook_id }),
    present: (connections) => connections.map(connectionRecord),
  }),
  endpoint({
    path: "abook",
    methods: ["POST"],
    access: "channel",
    permission: "delegate",
    writes: true,
    summary: "Changes one connection; `pending` = false approves a request.",
    answer: "Connection[]",
    example: { abook_id: "24", closeness: "40" },
    input: z.object({
      abook_id: requiredId("Id of the connection."),
      closeness: integer("How close somebody is, from 0 (closest) to 99.", 0, 99),
      blocked: optionalFlag("Nothing goes in either direction any more."),
      ignored: optionalFlag("Nothing of theirs is accepted; they may still read."),
      hidden: optionalFlag("Others do not see the connection."),
      archived: optionalFlag("It is kept without being used."),
      pending: optionalFlag("False approves a request."),
      profile: text("`profile_guid` of the profile that is shown to them."),
      incl: text("Rules, one in a line, for posts of theirs to accept."),
      excl: text("Rules, one in a line, for posts of theirs to leave out."),
    }),
    handle: (hub, { channel }, { abook_id: abookId, ...changes }) => updateConnection(hub, channel, abookId, changes),
    present: (connection) => [connectionRecord(connection)],
  }),
  endpoint({
    path: "abconfig",
    methods: ["GET"],
    access: "channel",
    permission: "view_contacts",
    summary: "Metadata of the channel's connections, such as the permissions that they have.",
    answer: "Abconfig[]",
    example: { abook_id: "24", cat: "my_perms" },
    input: z.object({
      abook_id: id("Id of one connection; all are answered without it."),
      cat: text("One family of entries, such as `my_perms`; all are answered without it."),
    }),
    handle: (hub, { channel }, { abook_id: abookId, cat }) =>
      listAbconfig(hub, channel.channel_id, { abookId, cat: cat || undefined }),
    present: (rows) => rows.map(abconfigRecord),
  }),
  endpoint({
    path: "abconfig",
    methods: ["POST"],
    access: "channel",
    permission: "delegate",
    writes: true,
    summary: "Writes one value of a connection's metadata; an empty one deletes it.",
    answer: "Abconfig[]",
    example: { abook_id: "24", cat: "my_perms", k: "post_comments", v: "1" },
    input: z.object({
      abook_id: requiredId("Id of the connection."),
      cat: requiredText("The family of the entry, such as `my_perms`."),
      k: requiredText("Its key; a permission's name in `my_perms` and `autoperms`."),
      v: presentText("Its value; an empty one deletes the entry."),
    }),
    handle: (hub, { channel }, { abook_id: abookId, ...entry }) => setAbconfig(hub, channel, abookId, entry),
    present: (row) => (row ? [abconfigRecord(row)] : []),
  }),
];
