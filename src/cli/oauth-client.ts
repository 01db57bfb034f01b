import { createClient, deleteClient, listClients, randomWord } from "../domain/identity/applications/oauth-clients.ts";
import { issueToken } from "../domain/identity/applications/oauth-tokens.ts";
import { makeOwnApp } from "../domain/identity/applications/own-apps.ts";
import { inTransaction } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { command } from "./command.ts";
import { localChannel } from "./local-channel.ts";
import { UsageError } from "./error-message.ts";
import { table } from "./table.ts";
import { withHub } from "./with-hub.ts";

const channel = {
  value: "nick",
  meaning: "short name of the channel that it belongs to (without: the whole hub)",
} as const;

type Made =
  | { key: string; secret: string; token?: string; token_secret?: string }
  | { client_id: string; client_secret: string; token?: string };

export const commands = [
  command({
    name: "oauth-client create",
    summary: "register an application; prints its key and secret",
    options: {
      channel,
      name: { value: "name", meaning: "name of the application", required: true },
      callback: { value: "url", meaning: "address to which people come back from the hub" },
      "with-token": { meaning: "let it act as the channel at once: prints a token and its secret" },
      oauth2: { meaning: "for OAuth 2, as applications for Mastodon speak it" },
      scopes: { value: "scopes", meaning: 'what it may do by OAuth 2, such as "read write:statuses" (without: read)' },
    },
    run: (call, { channel, name, callback = "", "with-token": withToken = false, oauth2, scopes }) => {
      if (scopes !== undefined && !oauth2) throw new UsageError("Scopes are of OAuth 2: say --oauth2 as well.");
      const order = { channel, name, callback, withToken };
      return withHub(call, (hub) => (oauth2 ? createForOauth2(hub, { ...order, scopes }) : create(hub, order)));
    },
    print: (made) =>
      Object.entries(made)
        .map(([name, value]) => `${name.replace("_", " ")}: ${value}`)
        .join("\n"),
  }),
  command({
    name: "oauth-client list",
    summary: "show the applications of a channel, or of the whole hub",
    options: { channel },
    run: (call, { channel }) =>
      withHub(call, async (hub) => {
        const clients = await listClients(hub, await ownerOf(hub, channel));
        return clients.map(({ client_key: key, name, redirect, created }) => ({ key, name, redirect, created }));
      }),
    print: (clients) => table(clients, ["key", "name", "redirect", "created"]),
  }),
  command({
    name: "oauth-client delete",
    summary: "remove an application and all its tokens",
    arguments: { key: "its key" },
    options: { channel },
    run: (call, { key, channel }) =>
      withHub(call, async (hub) => {
        const { name } = await deleteClient(hub, await ownerOf(hub, channel), key);
        return { key, name, deleted: true };
      }),
    print: ({ name }) => `${name} is removed.`,
  }),
];

type Order = { channel: string | undefined; name: string; callback: string; withToken: boolean };

async function create(hub: Hub, order: Order): Promise<Made> {
  const { name, callback, withToken } = order;
  return inTransaction(hub, async (hub) => {
    const uid = await ownerFor(hub, order);
    const fields = { name, key: randomWord(), secret: randomWord(), redirect: callback };
    const client = await createClient(hub, uid, fields);
    const made = { key: client.client_key, secret: client.secret };
    if (!withToken) return made;
    const { token, secret } = await issueToken(hub, client, uid);
    return { ...made, token, token_secret: secret };
  });
}

async function createForOauth2(hub: Hub, order: Order & { scopes: string | undefined }): Promise<Made> {
  const { name, callback, withToken, scopes = "" } = order;
  const own = { name, scopes, withToken, ...(callback !== "" && { callback }) };
  const { app, secret, token } = await makeOwnApp(hub, await ownerFor(hub, order), own);
  return { client_id: app.client_id, client_secret: secret, ...(token !== undefined && { token }) };
}

function ownerFor(hub: Hub, { channel, withToken }: Order): Promise<number> {
  if (withToken && channel === undefined) throw new UsageError("A token is for a channel: name it with --channel.");
  return ownerOf(hub, channel);
}

async function ownerOf(hub: Hub, nick: string | undefined): Promise<number> {
  return nick === undefined ? 0 : (await localChannel(hub, nick)).channel_id;
}
