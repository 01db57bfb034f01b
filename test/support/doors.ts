import type { Answer, Client } from "./client.ts";

/** Every door to a post, named by what names it, and every list that it may stand in; a new door gets a row here. */

/** What names a private post, and the same names of something that was never there. */
export type Names = { id: number; mid: string; uuid: string };

export type Door = [name: string, open: (client: Client, names: Names) => Promise<Answer>];

export const native = "/api/z/1.0";
export const doors: Door[] = [
  ["native item/full by id", (client, { id }) => client.get(`${native}/item/full`, { item_id: id })],
  ["native item/full by mid", (client, { mid }) => client.get(`${native}/item/full`, { mid })],
  [
    "native item/update as a comment by id",
    (client, { id }) => client.post(`${native}/item/update`, { body: "x", parent: id }),
  ],
  [
    "native item/update as a comment by mid",
    (client, { mid }) => client.post(`${native}/item/update`, { body: "x", parent_mid: mid }),
  ],
  [
    "native item/update as an edit",
    (client, { id }) => client.post(`${native}/item/update`, { body: "x", post_id: id }),
  ],
  [
    "native item/update as a reaction",
    (client, { mid }) => client.post(`${native}/item/update`, { body: "x", verb: "like", parent_mid: mid }),
  ],
  ["native network/stream by mid", (client, { mid }) => client.get(`${native}/network/stream`, { mid })],
  ["native network/stream by id", (client, { id }) => client.get(`${native}/network/stream`, { item_id: id })],
  ["statuses/show", (client, { id }) => client.get("/api/statuses/show", { id })],
  ["statuses/show by path", (client, { id }) => client.get(`/api/statuses/show/${id}.json`)],
  [
    "statuses/show with its conversation",
    (client, { id }) => client.get("/api/statuses/show", { id, conversation: "true" }),
  ],
  ["statuses/destroy", (client, { id }) => client.post("/api/statuses/destroy", { id })],
  [
    "statuses/update as an answer",
    (client, { id }) => client.post("/api/statuses/update", { status: "x", in_reply_to_status_id: id }),
  ],
  [
    "statuses/update as an answer by mid",
    (client, { mid }) => client.post("/api/statuses/update", { status: "x", in_reply_to_status_id: mid }),
  ],
  ["conversation/show", (client, { id }) => client.get("/api/conversation/show", { id })],
  ["statusnet/conversation", (client, { id }) => client.get("/api/statusnet/conversation", { id })],
  ["favorites/create", (client, { id }) => client.post("/api/favorites/create", { id })],
  ["favorites/destroy", (client, { id }) => client.post("/api/favorites/destroy", { id })],
  ["svc/activity/like", (client, { id }) => client.post("/api/svc/activity/like", { id })],
  ["svc/activity/unlike", (client, { id }) => client.post("/api/svc/activity/unlike", { id })],
];

const asDocument = { headers: { accept: "application/activity+json" } };

/** Pages are the same for everybody who is not logged in, so they are tried by the anonymous caller alone. */
export const pages: Door[] = [
  ["the page of the thread", (client, { uuid }) => client.get(`/display/${uuid}`)],
  ["the item's permanent address", (client, { uuid }) => client.get(`/item/${uuid}`)],
  ["the item as a document", (client, { uuid }) => client.get(`/item/${uuid}`, {}, asDocument)],
  ["the activity of the item", (client, { uuid }) => client.get(`/activity/${uuid}`)],
  ["what the item said before", (client, { uuid }) => client.get(`/item/${uuid}/history`)],
  ["the answers to the item", (client, { uuid }) => client.get(`/item/${uuid}/replies`)],
  ["the likes of the item", (client, { uuid }) => client.get(`/item/${uuid}/likes`)],
  ["the shares of the item", (client, { uuid }) => client.get(`/item/${uuid}/shares`)],
  ["the conversation of the item", (client, { uuid }) => client.get(`/conversation/${uuid}`)],
  ["the thread on the channel page", (client, { mid }) => client.get("/channel/alice", { mid })],
];

/** Lists that must not hold the text of the private post of Alice, or that she got, and must not change because of it. */
export const listsOf = (author: () => string): Door[] => [
  ["native network/stream", (client) => client.get(`${native}/network/stream`)],
  ["native network/stream, single items", (client) => client.get(`${native}/network/stream`, { nouveau: 1 })],
  ["native network/stream, searched", (client) => client.get(`${native}/network/stream`, { search: "marmalade" })],
  ["native network/stream by tag", (client) => client.get(`${native}/network/stream`, { tag: "preserves" })],
  ["native network/stream by category", (client) => client.get(`${native}/network/stream`, { cat: "kitchen" })],
  ["native network/stream by author", (client) => client.get(`${native}/network/stream`, { xchan: author() })],
  ["native channel/stream", (client) => client.get(`${native}/channel/stream`)],
  ["home_timeline", (client) => client.get("/api/statuses/home_timeline")],
  ["public_timeline", (client) => client.get("/api/statuses/public_timeline")],
  ["user_timeline of the author", (client) => client.get("/api/statuses/user_timeline", { screen_name: "alice" })],
  ["user_timeline of the commenter", (client) => client.get("/api/statuses/user_timeline", { screen_name: "bob" })],
  ["mentions", (client) => client.get("/api/statuses/mentions")],
  ["favorites", (client) => client.get("/api/favorites")],
  ["users/show", (client) => client.get("/api/users/show", { screen_name: "alice" })],
  ["users/show of the commenter", (client) => client.get("/api/users/show", { screen_name: "bob" })],
  ["the channel page", (client) => client.get("/channel/alice")],
  ["the channel page by tag", (client) => client.get("/channel/alice", { tag: "preserves" })],
  ["the channel page by category", (client) => client.get("/channel/alice", { cat: "kitchen" })],
  ["the page of a tag", (client) => client.get("/search", { tag: "preserves" })],
  ["the front page", (client) => client.get("/")],
  ["the actor", (client) => client.get("/channel/alice", {}, asDocument)],
  ["the outbox of the author", (client) => client.get("/outbox/alice", { page: "first" })],
  ["what the author has pinned", (client) => client.get("/featured/alice")],
  ["the outbox of the commenter", (client) => client.get("/outbox/bob", { page: "first" })],
];

/** Request ids differ from call to call, and an answer may name what it was asked for. */
export function comparable(answer: Answer, names: Names): { status: number; text: string } {
  const text = answer.text
    .replaceAll(names.mid, "<mid>")
    .replaceAll(names.uuid, "<uuid>")
    .replaceAll(`/${names.id}.json`, "/<id>.json");
  return { status: answer.status, text: text.replaceAll(/[0-9a-f-]{36}/g, "<request>") };
}
