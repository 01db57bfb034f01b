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
    answer: "array of connections joined with their xchan, by id",
    input: z.object({ abook_id: id() }),
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
    answer: "array with the changed connection",
    input: z.object({
      abook_id: requiredId(),
      closeness: integer(0, 99),
      blocked: optionalFlag(),
      ignored: optionalFlag(),
      hidden: optionalFlag(),
      archived: optionalFlag(),
      pending: optionalFlag(),
      profile: text(),
      incl: text(),
      excl: text(),
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
    answer: "array of connection metadata, by id",
    input: z.object({ abook_id: id(), cat: text() }),
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
    answer: "array with the row, empty after a deletion",
    input: z.object({ abook_id: requiredId(), cat: requiredText(), k: requiredText(), v: presentText() }),
    handle: (hub, { channel }, { abook_id: abookId, ...entry }) => setAbconfig(hub, channel, abookId, entry),
    present: (row) => (row ? [abconfigRecord(row)] : []),
  }),
];
