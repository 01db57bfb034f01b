import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, receiveAccept, receiveFollow } from "../../src/domain/connections/connections.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import type { Xchan } from "../../src/domain/identity/xchans/xchans.ts";
import { meetActor } from "../../src/domain/peers/meet-actor.ts";
import { signerOf } from "../../src/faces/federation/signatures/sign.ts";
import type { Hub } from "../../src/hub.ts";
import { actorOf } from "../../test/support/actors.ts";
import { patience } from "./ask.ts";

/** A server of elsewhere with two people: one follows somebody here, and one writes to them. */
export type Elsewhere = {
  befriend(hub: Hub, here: Channel): Promise<void>;
  /** Posts to the inbox of all of the hub, signed. */
  post(hub: string, text: string): Promise<Response>;
  /** The texts that it has taken in, each as often as it came with other bytes, and when (milliseconds) those came first. */
  texts(): { text: string; at: number }[];
  stop(): void;
};

const everybody = "https://www.w3.org/ns/activitystreams#Public";

export async function startElsewhere(): Promise<Elsewhere> {
  const got = new Map<string, number>();
  const take = (bytes: string): void => void (got.has(bytes) || got.set(bytes, performance.now()));
  const server = createServer((request, response) => {
    void Array.fromAsync(request).then((chunks: Buffer[]) => {
      // It has no documents; its people are known already.
      if (request.method === "POST") take(Buffer.concat(chunks).toString());
      response.writeHead(request.method === "POST" ? 202 : 404).end();
    });
  }).listen(0, "localhost");
  await once(server, "listening");
  // By name, so that it is not found while no names are looked up.
  const far = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const idOf = (nick: string): string => `${far}/users/${nick}`;
  const meet = (hub: Hub, nick: string): Promise<Xchan> => {
    const id = idOf(nick);
    const places = { inbox: `${id}/inbox`, sharedInbox: "", outbox: "", followers: `${id}/followers`, following: "" };
    const keys = [{ id: `${id}#main-key`, kind: "rsa", key: pem } as const];
    return meetActor(hub, { ...actorOf(nick), ...places, id, address: `${nick}@${new URL(far).host}`, url: id, keys });
  };
  const sign = signerOf({ id: `${idOf("ann")}#main-key`, object: privateKey }, "cavage", () => new Date());
  return {
    async befriend(hub, here) {
      await receiveFollow(hub, here, await meet(hub, "bob"), `${far}/follows/bob`);
      const ann = await meet(hub, "ann");
      await connect(hub, here, ann);
      await receiveAccept(hub, here, ann);
    },
    async post(hub, text) {
      const ann = idOf("ann");
      const audience = { to: [everybody], cc: [`${ann}/followers`] };
      const note = { id: `${ann}/notes/${encodeURIComponent(text)}`, type: "Note", attributedTo: ann, content: text };
      const create = {
        id: `${note.id}/create`,
        type: "Create",
        actor: ann,
        object: { ...note, ...audience },
        ...audience,
      };
      const body = Buffer.from(JSON.stringify(create));
      const request = {
        method: "POST",
        url: `${hub}/inbox`,
        headers: { "content-type": "application/activity+json" },
        body,
      };
      const { host: _host, ...headers } = await sign(request);
      return fetch(request.url, { method: "POST", headers, body, signal: AbortSignal.timeout(patience) });
    },
    texts: () =>
      [...got].flatMap(([bytes, at]) => {
        const { type, object } = JSON.parse(bytes) as { type: string; object: { content: string } };
        return type === "Create" ? [{ text: object.content, at }] : [];
      }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
