import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  createFederation,
  detachSignature,
  generateCryptoKeyPair,
  InProcessMessageQueue,
  MemoryKvStore,
  verifyObject,
} from "@fedify/fedify";
import type { Context } from "@fedify/fedify";
import {
  Accept,
  Activity,
  Announce,
  Create,
  Delete,
  Endpoints,
  Follow,
  Like,
  Move,
  Note,
  Person,
  Tombstone,
  Undo,
} from "@fedify/vocab";
import type { Recipient } from "@fedify/vocab";
import type { Authority } from "../support/authority.ts";
import { freePort } from "../support/free-port.ts";

type Scheme = "draft-cavage-http-signatures-12" | "rfc9421";

/**
 * A server made with Fedify, on loopback: one person, who accepts every follow, and the account that they go on as. It signs by draft-cavage or by RFC 9421 first,
 * and writes down every activity whose signature and actor it has found to be right.
 */
export type FedifyServer = {
  id: string;
  /** Who that person goes on as, and the ids that this one names as its own; the person's is one of them. */
  next: { id: string; aliases: string[] };
  /** Each as JSON, in the order in which they came. */
  got: Record<string, unknown>[];
  /** All that was sent to it, as it came. */
  bodies: string[];
  follow(id: string): Promise<void>;
  unfollow(id: string): Promise<void>;
  /** Writes something to everybody, or to these; answers its id. */
  say(
    content: string,
    more?: { inReplyTo?: string; to?: readonly string[]; mentions?: readonly string[] },
  ): Promise<string>;
  /** Likes or shares something and tells somebody so; answers how to take it back. */
  react(what: "Like" | "Announce", object: string, to: string): Promise<() => Promise<void>>;
  /** Tells somebody that something it wrote is gone. */
  remove(id: string, to: string): Promise<void>;
  /** Whether an activity that came bears a proof of its actor's that holds. */
  isProven(bytes: string): Promise<boolean>;
  /** Tells somebody that the person goes on as the next one. */
  move(to: string): Promise<void>;
  /** What is found at an address by a request that is signed. */
  read(url: string): Promise<unknown>;
  close(): Promise<void>;
};

/** With an authority it has a name, and talks over TLS. */
export async function startFedify(firstKnock: Scheme, authority?: Authority): Promise<FedifyServer> {
  const [name, nextName, host] = ["fay", "fay-again", "fedify.test"];
  const port = await freePort();
  const base = authority ? `https://${host}:${port}` : `http://127.0.0.1:${port}`;
  const keys = [await generateCryptoKeyPair("RSASSA-PKCS1-v1_5"), await generateCryptoKeyPair("Ed25519")];
  const notes = new Map<string, Note>();
  const got: FedifyServer["got"] = [];
  const bodies: string[] = [];
  const queue = new InProcessMessageQueue();
  const federation = createFederation<void>({ kv: new MemoryKvStore(), queue, allowPrivateAddress: true, firstKnock });
  const person = new URL(`${base}/users/${name}`);
  const next = { id: `${base}/users/${nextName}`, aliases: [person.href] };

  federation
    .setActorDispatcher("/users/{identifier}", async (context, identifier) => {
      if (identifier !== name && identifier !== nextName) return null;
      const pairs = await context.getActorKeyPairs(identifier);
      return new Person({
        id: context.getActorUri(identifier),
        preferredUsername: identifier,
        name: "Fay",
        aliases: identifier === nextName ? next.aliases.map((id) => new URL(id)) : [],
        inbox: context.getInboxUri(identifier),
        endpoints: new Endpoints({ sharedInbox: context.getInboxUri() }),
        followers: context.getFollowersUri(identifier),
        publicKeys: pairs.map(({ cryptographicKey }) => cryptographicKey),
        assertionMethods: pairs.map(({ multikey }) => multikey),
      });
    })
    .setKeyPairsDispatcher((_, identifier) => ([name, nextName].includes(identifier) ? keys : []));
  federation.setFollowersDispatcher("/users/{identifier}/followers", () => ({ items: [] }));
  federation.setObjectDispatcher(Note, "/notes/{id}", (_, { id }) => notes.get(id) ?? null);
  federation
    .setInboxListeners("/users/{identifier}/inbox", "/inbox")
    .on(Follow, async (context, follow) => {
      await record(context, follow);
      const asker = await follow.getActor(context);
      if (!asker) throw new Error("Nobody asks");
      await context.sendActivity(
        { identifier: follow.objectId?.href === next.id ? nextName : name },
        asker,
        new Accept({ id: unique(base, "accept"), actor: follow.objectId, object: follow }),
      );
    })
    .on(Activity, record);

  async function record(
    context: { documentLoader: unknown; contextLoader: unknown },
    activity: Activity,
  ): Promise<void> {
    got.push((await activity.toJsonLd(context as Parameters<Activity["toJsonLd"]>[0])) as Record<string, unknown>);
  }

  const take = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response);
  const server = authority ? createTlsServer(authority.certify(host), take) : createServer(take);
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = new Headers();
    for (let at = 0; at < request.rawHeaders.length; at += 2)
      headers.append(request.rawHeaders[at]!, request.rawHeaders[at + 1]!);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    if (body) bodies.push(body.toString());
    const asked = new Request(base + request.url!, { method: request.method!, headers, body });
    const answered = await federation.fetch(asked, { contextData: undefined });
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  }
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  const context = (): Context<void> => federation.createContext(new URL(base), undefined);
  const recipient = async (id: string): Promise<Recipient> => {
    const loader = await context().getDocumentLoader({ identifier: name });
    const actor = await context().lookupObject(id, { documentLoader: loader });
    if (!(actor instanceof Object) || !("inboxId" in actor)) throw new Error(`Nobody is at ${id}`);
    return actor as Recipient;
  };
  const send = async (to: string, activity: Activity): Promise<void> =>
    context().sendActivity({ identifier: name }, await recipient(to), activity, { immediate: true });
  const follows = new Map<string, Follow>();
  return {
    id: person.href,
    next,
    got,
    bodies,
    async follow(id) {
      const follow = new Follow({ id: unique(base, "follow"), actor: person, object: new URL(id) });
      follows.set(id, follow);
      await send(id, follow);
    },
    unfollow: (id) => send(id, new Undo({ id: unique(base, "undo"), actor: person, object: follows.get(id)! })),
    async say(content, { inReplyTo, to = [], mentions = [] } = {}) {
      const uuid = crypto.randomUUID();
      const note = await Note.fromJsonLd({
        "@context": "https://www.w3.org/ns/activitystreams",
        id: `${base}/notes/${uuid}`,
        type: "Note",
        attributedTo: person.href,
        content,
        published: new Date().toISOString(),
        to: everybody,
        cc: mentions,
        tag: mentions.map((href) => ({ type: "Mention", href, name: href })),
        ...(inReplyTo !== undefined && { inReplyTo }),
      });
      notes.set(uuid, note);
      const create = new Create({ id: unique(base, "create"), actor: person, object: note, tos: [new URL(everybody)] });
      for (const id of to) await send(id, create);
      return note.id!.href;
    },
    async react(what, object, to) {
      const deed = { actor: person, object: new URL(object), tos: [new URL(everybody)] };
      const activity =
        what === "Like"
          ? new Like({ id: unique(base, "like"), ...deed })
          : new Announce({ id: unique(base, "share"), ...deed });
      await send(to, activity);
      return () => send(to, new Undo({ id: unique(base, "undo"), actor: person, object: activity }));
    },
    async remove(id, to) {
      notes.delete(id.split("/").at(-1)!);
      const object = new Tombstone({ id: new URL(id) });
      await send(to, new Delete({ id: unique(base, "delete"), actor: person, object, tos: [new URL(everybody)] }));
    },
    async isProven(bytes) {
      const { documentLoader, contextLoader } = context();
      return (
        (await verifyObject(Activity, detachSignature(JSON.parse(bytes)), { documentLoader, contextLoader })) !== null
      );
    },
    move: (to) =>
      send(to, new Move({ id: unique(base, "move"), actor: person, object: person, target: new URL(next.id) })),
    async read(url) {
      const loader = await context().getDocumentLoader({ identifier: name });
      return (await loader(url)).document;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const everybody = "https://www.w3.org/ns/activitystreams#Public";

function unique(base: string, kind: string): URL {
  return new URL(`${base}/${kind}/${crypto.randomUUID()}`);
}
