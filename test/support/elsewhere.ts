import type { Fetch, FetchOptions } from "../../src/fetch/fetch.ts";
import type { Hono } from "hono";
import type { Received } from "../../src/faces/federation/signatures/received.ts";
import { keys, pemOf } from "./signed-requests.ts";

/** What other servers have, and what the hub asks of them: the other side of `hub.fetch`, in memory. */
export type Elsewhere = {
  fetch: Fetch;
  /** What was asked for, in order. */
  asked: { url: string; options: FetchOptions }[];
  /** Puts a document, or whatever is to be answered, at an address. */
  put(url: string, answer: Answer): void;
  /** Puts an actor with WebFinger, and answers the document. */
  actor(nick: string, more?: object): ActorDocument;
};

type Answer = object | number | Error | (() => Response | Promise<Response>);
export type ActorDocument = { id: string; inbox: string } & Record<string, unknown>;

const activityType = "application/activity+json";
export const host = "far.example";

export function openElsewhere(): Elsewhere {
  const answers = new Map<string, Answer>();
  const asked: Elsewhere["asked"] = [];
  const put = (url: string, answer: Answer): void => void answers.set(url, answer);
  return {
    asked,
    put,
    fetch(url, options = {}) {
      asked.push({ url, options });
      const answer = answers.get(url) ?? 404;
      if (answer instanceof Error) return Promise.reject(answer);
      if (typeof answer === "number") return Promise.resolve(new Response("", { status: answer }));
      return Promise.resolve(typeof answer === "function" ? answer() : jsonAnswer(answer));
    },
    actor(nick, more = {}) {
      const document = actorDocument(nick, more);
      put(document.id, document);
      put(fingerAt(`${nick}@${host}`), () =>
        jsonAnswer(fingerOf(`${nick}@${host}`, document.id), "application/jrd+json"),
      );
      return document;
    },
  };
}

/** A document as it is answered. */
export function jsonAnswer(value: object, type = activityType): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": type } });
}

/** Where WebFinger says who that is. */
export function fingerAt(address: string): string {
  const resource = encodeURIComponent(`acct:${address}`);
  return `https://${address.split("@")[1]}/.well-known/webfinger?resource=${resource}`;
}

export function fingerOf(address: string, id: string): object {
  const template = `https://${host}/authorize_interaction?uri={uri}`;
  return {
    subject: `acct:${address}`,
    links: [
      { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href: `${id}.html` },
      { rel: "self", type: activityType, href: id },
      { rel: "http://ostatus.org/schema/1.0/subscribe", template },
    ],
  };
}

/** The document of an actor, with the key of `keys.ann`. */
export function actorDocument(nick: string, more: object = {}): ActorDocument {
  const id = `https://${host}/users/${nick}`;
  return {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
    id,
    type: "Person",
    preferredUsername: nick,
    name: nick[0]!.toUpperCase() + nick.slice(1),
    summary: `<p>I am <b>${nick}</b></p>`,
    url: `https://${host}/@${nick}`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    following: `${id}/following`,
    endpoints: { sharedInbox: `https://${host}/inbox` },
    manuallyApprovesFollowers: false,
    updated: "2026-01-02T03:04:05.678Z",
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: pemOf(keys.ann.publicKey) },
    ...more,
  };
}

/** Sends a signed request to a hub in memory, as it was signed unless something else is said. */
export function sendTo(app: Hono, request: Received): Promise<Response> {
  const { method, target, rawHeaders, body } = request;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1]!] as [string, string]] : [],
  );
  const sent = method === "GET" || method === "HEAD" ? {} : { body: Buffer.from(body) };
  return Promise.resolve(app.request(`https://hub.example${target}`, { method, headers, ...sent }));
}
