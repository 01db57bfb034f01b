import { createAdaptorServer } from "@hono/node-server";
import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { meetAgain } from "../../src/faces/federation/retrieve/actor.ts";
import type { Xchan } from "../../src/domain/identity/xchans/xchans.ts";
import { openTestApp } from "./app.ts";
import type { Person, TestApp } from "./app.ts";
import type { RoleName } from "../../src/domain/identity/channels/roles.ts";
import type { Authority } from "./authority.ts";
import { freePort } from "./free-port.ts";
import { strictFetch } from "./strict.ts";

/** Several hubs in one process that talk with each other on real sockets, by all that is between them in operation. */

export type TestHubs = {
  /** Each at an address of its own on loopback, all with the same time. */
  hubs: Neighbour[];
  /** Does what is due on all of them, and what it causes on others, until nothing is left. */
  settle(): Promise<void>;
  /** Moves the clock of all. */
  advance(seconds: number): void;
  close(): Promise<void>;
};

export type Neighbour = TestApp & {
  url: string;
  host: string;
  /** Requests that came in, oldest first. */
  received: Received[];
  /** Nobody answers at its address any more, and again somebody does. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
};

export type Received = { method: string; path: string; status: number };

/** Opens so many of them; with an authority they have names, and talk over TLS as on the Internet. Close them at the end. */
export async function openHubs(count: number, authority?: Authority): Promise<TestHubs> {
  const numbers = Array.from({ length: count }, (_, n) => n + 2);
  const hubs = await Promise.all(
    numbers.map((n) => (authority ? openStrictNeighbour(`hub${n}.test`, authority) : openNeighbour(`127.0.0.${n}`))),
  );
  return {
    hubs,
    async settle() {
      for (let [before, after] = ["", await stateOf(hubs)]; before !== after;) {
        before = after;
        for (const { work } of hubs) await work();
        after = await stateOf(hubs);
      }
    },
    advance: (seconds) => hubs.forEach(({ hub }) => hub.advance(seconds)),
    async close() {
      for (const one of hubs) await one.leave();
      for (const one of hubs) await one.close();
    },
  };
}

async function openNeighbour(address: string): Promise<Neighbour> {
  const port = await freePort();
  const url = `http://${address}:${port}`;
  const world = await openTestApp({ env: { HUBBUB_BASE_URL: url, HUBBUB_ALLOW_PRIVATE: "on" } });
  return serving(world, url, { address, port });
}

async function openStrictNeighbour(name: string, authority: Authority): Promise<Neighbour> {
  const port = await freePort();
  const url = `https://${name}:${port}`;
  const world = await openTestApp({ env: { HUBBUB_BASE_URL: url }, fetch: strictFetch(url) });
  const tls = { createServer: createTlsServer, serverOptions: authority.certify(name) };
  return serving(world, url, { address: "127.0.0.1", port, tls });
}

type Place = {
  address: string;
  port: number;
  tls?: { createServer: typeof createTlsServer; serverOptions: ReturnType<Authority["certify"]> };
};

async function serving(world: TestApp, url: string, { address, port, tls }: Place): Promise<Neighbour> {
  const received: Received[] = [];
  let server: Server | undefined;
  const answer = async (request: Request, ...rest: unknown[]): Promise<Response> => {
    const response = await (world.app.fetch as (...all: unknown[]) => Promise<Response>)(request, ...rest);
    received.push({ method: request.method, path: new URL(request.url).pathname, status: response.status });
    return response;
  };
  const comeBack = async (): Promise<void> => {
    const opened = createAdaptorServer({ fetch: answer, hostname: address, ...tls }) as Server;
    await new Promise<void>((resolve, reject) => {
      opened.once("error", reject);
      opened.listen(port, address, resolve);
    });
    server = opened;
  };
  const leave = async (): Promise<void> => {
    const left = server;
    server = undefined;
    left?.closeAllConnections();
    if (left) await new Promise((resolve) => left.close(resolve));
  };
  await comeBack();
  return { ...world, url, host: new URL(url).host, received, leave, comeBack };
}

/** What there is to do and what was done, so that nothing happens any more where it stays the same. */
async function stateOf(hubs: readonly Neighbour[]): Promise<string> {
  const states = hubs.map(async ({ hub }) => [
    await hub.db.selectFrom("inbox_activity").select(["id", "state", "attempts"]).orderBy("id").execute(),
    await hub.db.selectFrom("inbox_recipient").selectAll().orderBy("inbox_activity").orderBy("channel_id").execute(),
    await hub.db.selectFrom("delivery").select(["id", "state", "attempts"]).orderBy("id").execute(),
    await hub.db.selectFrom("job").select(["id", "attempts", "run_at"]).where("dead", "=", 0).orderBy("id").execute(),
  ]);
  return JSON.stringify(await Promise.all(states));
}

/** The id of somebody of one hub, as others know it. */
export function idOf({ url }: Neighbour, { nick }: Person): string {
  return `${url}/channel/${nick}`;
}

/** Somebody of one hub as another one knows them, which reads their document for that. */
export async function met(hub: Neighbour, their: Neighbour, person: Person): Promise<Xchan> {
  const xchan = await meetAgain(hub.hub, idOf(their, person));
  if (!xchan) throw new Error(`${hub.host} cannot meet ${idOf(their, person)}`);
  return xchan;
}

/** Somebody on one of the hubs. */
export type Inhabitant = Person & { at: Neighbour; id: string };

/** Makes somebody on a hub who approves everybody, so that connections come about by themselves; with other roles not all do. */
export async function inhabitant(at: Neighbour, nick: string, role: RoleName = "feed"): Promise<Inhabitant> {
  const person = await at.person(nick, { role });
  return { ...person, at, id: idOf(at, person) };
}

/** The first follows the second, who may be of another hub; both hubs have done their part when this returns. */
export async function follows(world: TestHubs, one: Inhabitant, other: Inhabitant): Promise<void> {
  const { xchan_id } = await met(one.at, other.at, other);
  await one.post("/api/friendships/create", { user_id: xchan_id });
  await world.settle();
}

/** What somebody has of a message, by its id on all hubs; undefined where they have nothing of it. */
export async function copyOf(person: Inhabitant, mid: string) {
  return person.at.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("xchan as author", "author.xchan_id", "item.author_id")
    .innerJoin("xchan as owner", "owner.xchan_id", "item.owner_id")
    .select(["item.id", "item.message_id", "body", "html", "title", "summary", "verb", "item_private", "item_unseen"])
    .select(["message.uuid", "message.parent_mid", "message.revision"])
    .select(["author.xchan_hash as author", "owner.xchan_hash as owner", "item_nsfw"])
    .where("item.uid", "=", person.channel.channel_id)
    .where("message.mid", "=", mid)
    .where("item_deleted", "=", 0)
    .executeTakeFirst();
}
