import { z } from "zod";
import { addXchan } from "../../domain/identity/xchans/add-xchan.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { observeAs } from "../../domain/identity/channels/observe-as.ts";
import { permissionNames } from "../../domain/identity/channels/roles.ts";
import { endpoint } from "../../http/endpoint.ts";
import { permissionsOf } from "../../domain/permissions/may.ts";
import { id, text, word } from "./parameters.ts";
import { portableXchan } from "../../domain/portable/xchan.ts";
import { findConnection } from "../../domain/connections/connections.ts";
import type { Connection } from "../../domain/connections/connections.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { lookElsewhere } from "../../domain/people/look-elsewhere.ts";
import { findKnown } from "../../domain/people/known-person.ts";
import { missing, unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { oneNeeded } from "./one-needed.ts";

/** Native contract 6.14 and 6.20. */
export const identityRows = [
  endpoint({
    path: "xchan",
    methods: ["GET"],
    access: "channel",
    permission: "view_contacts",
    summary: "An identity that the hub knows, by hash, guid or address; an address of elsewhere is looked up there.",
    answer: "Xchan",
    example: { address: "bob@hub.example" },
    input: z.object({
      hash: text("Hash of the identity."),
      guid: text("Global id of the identity."),
      address: text("Address of the identity, `nick@host`."),
    }),
    handle: (hub, { channel }, input) => xchanAnywhere(hub, channel, input),
    present: portableXchan,
  }),
  endpoint({
    path: "xchan",
    methods: ["POST"],
    access: "channel",
    permission: "view_contacts",
    writes: true,
    summary: "Makes an identity known that the hub has not met; a known one stays as it is.",
    answer: "Xchan",
    example: { guid: "c2Rk-Q8m", name: "Bruno", url: "https://other.example/bruno", network: "unknown" },
    input: z.object({
      hash: text("Hash of the identity."),
      guid: text("Global id of the identity."),
      guid_sig: text("Signature of the guid by its key."),
      key: text("Public key, as PEM."),
      address: text("Address of the identity, `nick@host`."),
      url: text("Address of its page."),
      connurl: text("Address of its contact list for other programs."),
      follow: text("Address for following it, with `%s` where the follower's address goes."),
      connpage: text("Page to visit before connecting."),
      name: text("Its name."),
      network: text("Code of the network that it belongs to; `unknown` unless given."),
      photo: text("Address of a picture, which the hub fetches."),
    }),
    handle: (hub, _caller, input) => addXchan(hub, input),
    present: portableXchan,
  }),
  endpoint({
    path: "perm_allowed",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_contacts",
    summary: "What an identity may do with the channel.",
    answer: "Permission[]",
    example: { address: "bob@hub.example", perm: "view_stream" },
    input: z.object({
      abook_id: id("Id of a connection; it wins over the other names."),
      hash: text("Hash of the identity."),
      guid: text("Global id of the identity."),
      address: text("Address of the identity, `nick@host`."),
      perm: word("One permission; all are answered without it.", ...permissionNames),
    }),
    async handle(hub, { channel }, input) {
      const { abook_id: abookId } = input;
      const xchan =
        abookId === undefined
          ? await knownXchan(hub, channel.channel_id, input)
          : await xchanOfConnection(hub, channel.channel_id, abookId);
      const permissions = await permissionsOf(hub, await observeAs(hub, xchan), channel.channel_id);
      return { permissions, names: input.perm ? [input.perm] : permissionNames };
    },
    present: ({ permissions, names }) => names.map((perm) => ({ perm, allowed: permissions[perm] })),
  }),
];

/** The same as `knownXchan`; the address of somebody elsewhere whom the hub does not know is looked up (federation contract 17). */
async function xchanAnywhere(hub: Hub, channel: Channel, input: Naming): Promise<Xchan> {
  const known = await unlessMissing(knownXchan(hub, channel.channel_id, input));
  if (known) return known;
  const looked = input.hash || input.guid ? undefined : await lookElsewhere(hub, channel, input.address ?? "");
  if (looked && "person" in looked) return looked.person;
  throw missing("Identity");
}

type Naming = { hash: string | undefined; guid: string | undefined; address: string | undefined };

/** The identity that a request names; of several names the first of this order decides. */
async function knownXchan(hub: Hub, uid: number, { hash, guid, address }: Naming): Promise<Xchan> {
  const xchan = await findKnown(
    hub,
    uid,
    hash ? { hash } : guid ? { guid } : { address: oneNeeded(address, "hash", "guid", "address") },
  );
  if (!xchan) throw missing("Identity");
  return xchan;
}

/** The identity of one of the channel's connections. */
async function xchanOfConnection(hub: Hub, uid: number, abookId: number): Promise<Connection> {
  const connection = await findConnection(hub, uid, abookId);
  if (!connection) throw missing("Connection");
  return connection;
}
