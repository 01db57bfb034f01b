import { findXchan } from "../../src/domain/identity/xchans/xchans.ts";
import { activeGroup } from "../../src/domain/groups/groups.ts";
import type { Client } from "./client.ts";
import { password } from "./hub.ts";
import type { Inhabitant } from "./hubs.ts";
import { mastodonPerson } from "./mastodon.ts";
import type { MastodonPerson } from "./mastodon.ts";
import type { Letter, Row } from "./stories.ts";
import { visitorOf } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

/** The same deeds by each of the ways that a hub has for them. */

/** For whom a post is; people and groups by what names them at the place of its author. */
type Readers = { for: "everybody" | "contacts" } | { for: "people"; hashes: string[] } | { for: "group"; gid: number };

/** Each answers the status of the answer, with what a browser is led on by as 200. */
export type StoryDoor = {
  connect(one: Inhabitant, hash: string): Promise<number>;
  disconnect(one: Inhabitant, hash: string): Promise<number>;
  block(one: Inhabitant, hash: string): Promise<number>;
  unblock(one: Inhabitant, hash: string): Promise<number>;
  mute(one: Inhabitant, hash: string): Promise<number>;
  unmute(one: Inhabitant, hash: string): Promise<number>;
  post(one: Inhabitant, text: string, readers: Readers): Promise<number>;
  /** Asks which of the options it shall be. */
  poll(one: Inhabitant, text: string, readers: Readers): Promise<number>;
  vote(one: Inhabitant, row: Row, option: number): Promise<number>;
  comment(one: Inhabitant, text: string, row: Row): Promise<number>;
  edit(one: Inhabitant, text: string, row: Row): Promise<number>;
  remove(one: Inhabitant, row: Row): Promise<number>;
  react(one: Inhabitant, verb: Reaction, row: Row): Promise<number>;
  share(one: Inhabitant, row: Row): Promise<number>;
  unshare(one: Inhabitant, row: Row): Promise<number>;
  message(one: Inhabitant, hash: string, text: string): Promise<number>;
  answer(one: Inhabitant, letter: Letter, text: string): Promise<number>;
};

export const options = ["tea", "cake"];

type Reaction = "like" | "unlike" | "dislike" | "undislike";

const send = async (one: Client, path: string, form: Record<string, unknown>): Promise<number> =>
  (await one.post(path, form)).status;

async function idOf({ at }: Inhabitant, hash: string): Promise<number> {
  return (await findXchan(at.hub, { hash }))!.xchan_id;
}

async function befriending(deed: string, one: Inhabitant, hash: string): Promise<number> {
  return send(one, `/api/${deed}`, { user_id: await idOf(one, hash) });
}

function audienceOf(readers: Readers): Record<string, unknown> {
  if (readers.for === "people") return { contact_allow: readers.hashes };
  if (readers.for === "group") return { group_allow: [readers.gid] };
  return readers.for === "everybody" ? { contact_allow: [] } : { public_policy: "contacts" };
}

function kept<T>(make: (one: Inhabitant) => Promise<T>): (one: Inhabitant) => Promise<T> {
  const made = new WeakMap<Inhabitant, Promise<T>>();
  return (one) => {
    const known = made.get(one) ?? make(one);
    made.set(one, known);
    return known;
  };
}

const appOf = kept<MastodonPerson>((one) => mastodonPerson(one.at, one.channel));

async function toAccount(deed: string, one: Inhabitant, hash: string): Promise<number> {
  return send(await appOf(one), `/api/v1/accounts/${await idOf(one, hash)}/${deed}`, {});
}

async function toStatus(deed: string, one: Inhabitant, { id }: Row): Promise<number> {
  return send(await appOf(one), `/api/v1/statuses/${id}/${deed}`, {});
}

async function visibilityOf(one: Inhabitant, readers: Readers): Promise<Record<string, unknown>> {
  if (readers.for === "group") return { visibility: String(readers.gid) };
  if (readers.for !== "people") return { visibility: readers.for === "everybody" ? "public" : "private" };
  return { contact_allow: await Promise.all(readers.hashes.map(async (hash) => String(await idOf(one, hash)))) };
}

/** The microblog API; what it has no way for is done by an application. */
export const byMicroblog: StoryDoor = {
  connect: (one, hash) => befriending("friendships/create", one, hash),
  disconnect: (one, hash) => befriending("friendships/destroy", one, hash),
  block: (one, hash) => befriending("blocks/create", one, hash),
  unblock: (one, hash) => befriending("blocks/destroy", one, hash),
  mute: (one, hash) => toAccount("mute", one, hash),
  unmute: (one, hash) => toAccount("unmute", one, hash),
  poll: async (one, status, readers) =>
    send(await appOf(one), "/api/v1/statuses", {
      status,
      ...(await visibilityOf(one, readers)),
      poll: { options, expires_in: 86_400 },
    }),
  vote: async (one, { id }, option) => send(await appOf(one), `/api/v1/polls/${id}/votes`, { choices: [option] }),
  // There is no word for all connections.
  post: (one, status, readers) =>
    readers.for === "contacts"
      ? byNative.post(one, status, readers)
      : send(one, "/api/statuses/update", { status, ...audienceOf(readers) }),
  comment: (one, status, { id }) => send(one, "/api/statuses/update", { status, in_reply_to_status_id: id }),
  edit: (one, body, { id }) => send(one, "/api/z/1.0/item/update", { body, post_id: id }),
  remove: (one, { id }) => send(one, "/api/statuses/destroy", { id }),
  react: (one, verb, { id }) => send(one, `/api/svc/activity/${verb}.json`, { id }),
  share: (one, { id }) => send(one, "/api/statuses/retweet", { id }),
  unshare: (one, { id }) => send(one, "/api/statuses/unretweet", { id }),
  message: async (one, hash, text) => send(one, "/api/direct_messages/new", { user_id: await idOf(one, hash), text }),
  answer: async (one, { id, partner }, text) =>
    send(one, "/api/direct_messages/new", { user_id: await idOf(one, partner), replyto: id, text }),
};

/** The native API, where it has a way. */
export const byNative: StoryDoor = {
  ...byMicroblog,
  post: (one, body, readers) => send(one, "/api/z/1.0/item/update", { body, ...audienceOf(readers) }),
  comment: (one, body, { id }) => send(one, "/api/z/1.0/item/update", { body, parent: id }),
};

/** The Mastodon API, where it has a way. */
export const byMastodon: StoryDoor = {
  ...byNative,
  connect: (one, hash) => toAccount("follow", one, hash),
  block: (one, hash) => toAccount("block", one, hash),
  unblock: (one, hash) => toAccount("unblock", one, hash),
  post: async (one, status, readers) =>
    send(await appOf(one), "/api/v1/statuses", { status, ...(await visibilityOf(one, readers)) }),
  comment: async (one, status, { id }) =>
    send(await appOf(one), "/api/v1/statuses", { status, in_reply_to_id: String(id) }),
  edit: async (one, status, { id }) => (await (await appOf(one)).put(`/api/v1/statuses/${id}`, { status })).status,
  remove: async (one, { id }) => (await (await appOf(one)).send("DELETE", `/api/v1/statuses/${id}`)).status,
  react: (one, verb, row) =>
    verb === "like" || verb === "unlike"
      ? toStatus(verb === "like" ? "favourite" : "unfavourite", one, row)
      : byNative.react(one, verb, row),
  share: (one, row) => toStatus("reblog", one, row),
  unshare: (one, row) => toStatus("unreblog", one, row),
};

const browserOf = kept<Visitor>(async (one) => {
  const visitor = visitorOf(one.at.app);
  await visitor.logIn(one.nick, password);
  await visitor.get("/settings");
  return visitor;
});

async function fill(one: Inhabitant, path: string, fields: Record<string, string | string[]>): Promise<number> {
  const { status } = await (await browserOf(one)).post(path, fields);
  return status === 303 ? 200 : status;
}

async function chosenIn(one: Inhabitant, readers: Readers): Promise<Record<string, string | string[]>> {
  if (readers.for === "people") return { audience: "chosen", contact_allow: readers.hashes };
  if (readers.for !== "group") return { audience: readers.for === "everybody" ? "public" : "connections" };
  const { hash } = await activeGroup(one.at.hub, one.channel.channel_id, readers.gid);
  return { audience: "chosen", group_allow: hash };
}

/** Has the rest of a thread fetched from where it is at home, as its page offers. */
export async function fetchRest(one: Inhabitant, { id }: Pick<Row, "id">): Promise<void> {
  await fill(one, `/item/${id}/fetch`, {});
}

/** Pages, where they have a way. */
export const byPages: StoryDoor = {
  ...byNative,
  connect: (one, xchan) => fill(one, "/follow", { xchan }),
  block: (one, xchan) => fill(one, "/connections/block", { xchan }),
  unblock: (one, xchan) => fill(one, "/connections/blocked", { xchan }),
  mute: (one, xchan) => fill(one, "/connections/mute", { xchan }),
  unmute: (one, xchan) => fill(one, "/connections/unmute", { xchan }),
  post: async (one, body, readers) => fill(one, "/network", { body, ...(await chosenIn(one, readers)) }),
  poll: async (one, body, readers) =>
    fill(one, "/network", { body, ...(await chosenIn(one, readers)), option: options, poll_ends: "86400" }),
  vote: (one, { id }, option) => fill(one, `/item/${id}/vote`, { choice: String(option) }),
  comment: (one, body, { uuid }) => fill(one, `/display/${uuid}`, { body }),
  edit: (one, body, { id }) => fill(one, `/item/${id}/edit`, { body, title: "", summary: "", category: "" }),
  remove: (one, { id }) => fill(one, `/item/${id}/delete`, {}),
  react: (one, act, { id }) => fill(one, `/item/${id}/act`, { act }),
  share: (one, { id }) => fill(one, `/item/${id}/act`, { act: "share" }),
  unshare: (one, { id }) => fill(one, `/item/${id}/act`, { act: "unshare" }),
  message: (one, to, body) => fill(one, "/mail/new", { to, body }),
  answer: (one, { id }, body) => fill(one, `/mail/${id}`, { body }),
};

/** What stands in the thread of a post, as each way that shows threads shows it to somebody: the words of posts and comments, or that there is nothing. */
export async function readingsOf(one: Inhabitant, { id, uuid }: Pick<Row, "id" | "uuid">): Promise<[string, string][]> {
  const [app, browser] = [await appOf(one), await browserOf(one)];
  const answers = {
    microblog: [one.get(`/api/statusnet/conversation/${id}.json?count=100`)],
    mastodon: [app.get(`/api/v1/statuses/${id}`), app.get(`/api/v1/statuses/${id}/context`)],
    pages: [browser.get(`/display/${uuid}`)],
  };
  return Promise.all(Object.entries(answers).map(async ([way, all]) => [way, wordsIn(await Promise.all(all))]));
}

function wordsIn(answers: readonly { status: number; text: string }[]): string {
  const refused = answers.find(({ status }) => status !== 200);
  if (refused) return String(refused.status);
  const said = answers.flatMap(({ text }) => [...text.matchAll(/\bp\d+ v\d+/g)].map(([words]) => words));
  return [...new Set(said)].toSorted().join(", ");
}
