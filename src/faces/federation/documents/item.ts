import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { findDeleted, findLeftBehind } from "../../../domain/items/deleted-ids.ts";
import {
  countAnswers,
  countHandedOn,
  listAnswers,
  listHandedOn,
} from "../../../domain/items/timelines/message-names.ts";
import type { Answers } from "../../../domain/items/timelines/message-names.ts";
import { findWrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import { reactionOf } from "../../../domain/items/vocabulary.ts";
import { missing, unlessMissing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { conversationId, historyId, idsOf, itemId, objectId } from "../ids.ts";
import { isActivity } from "../outbox/forward.ts";
import { storedJson } from "../../../stored-json.ts";
import { activityOf } from "../present/activity.ts";
import { additionOf } from "../present/container.ts";
import { tombstoneOf } from "../present/tombstone.ts";
import { renderSaid } from "../said.ts";
import { collectionDocument, perPage } from "./collection.ts";
import type { Collection } from "./collection.ts";
import { objectContext, plainContext } from "./context.ts";
import { findSaid, uuidIn } from "./said.ts";

/** What people of this hub wrote and did, as far as whoever signed the request may see it (federation contract 3, 4, 8.3). */
export const itemDocuments: readonly Address[] = [
  { path: "/item/:uuid", beside: "page", kept: true, mayBeStale: true, get: object },
  { path: "/activity/:uuid", kept: true, mayBeStale: true, get: activity },
  list("/item/:uuid/replies", (hub, written, observer) =>
    answers(hub, observer, `${itemId(hub, written.item.uuid)}/replies`, { parent: written.item.id }),
  ),
  list("/item/:uuid/likes", (hub, { item, page }) => ({
    id: `${itemId(hub, item.uuid)}/likes`,
    total: page.reactions.get(item.id)?.["like"]?.length ?? 0,
  })),
  list("/item/:uuid/shares", (hub, { item, page }) => ({
    id: `${itemId(hub, item.uuid)}/shares`,
    total: page.shares.get(item.message_id)?.count ?? 0,
  })),
  list("/conversation/:uuid", (hub, { item }, observer) => {
    if (item.item_thread_top === 0) throw missing("Item");
    return answers(hub, observer, conversationId(hub, item.uuid), { thread: item.id });
  }),
  list("/conversation/:uuid/history", history),
];

/** What is shared as it is, is known by the sharing alone. */
async function object(question: Question): Promise<Document> {
  const { hub, params } = question;
  const uuid = uuidIn(params);
  const found = await unlessMissing(findSaid(question, uuid));
  if (!found) return tombstone(question, uuid);
  const [written, observer] = found;
  if (reactionOf(written.item.verb) !== undefined) throw missing("Item");
  const readers = [observer.hash];
  const said = await renderSaid(hub, observer, written);
  const value = said?.(readers) ?? activityOf(hub, readers, written, undefined);
  if (!value) throw missing("Item");
  return jsonDocument({ "@context": objectContext, ...value });
}

async function activity(question: Question): Promise<Document> {
  const { hub, params } = question;
  const [written, observer] = await findSaid(question, uuidIn(params));
  const readers = [observer.hash];
  const said = await renderSaid(hub, observer, written);
  const value = activityOf(hub, readers, written, said?.(readers));
  if (!value) throw missing("Item");
  return jsonDocument({ "@context": objectContext, ...value });
}

async function tombstone({ hub, observer }: Question, uuid: string): Promise<Document> {
  const id = itemId(hub, uuid);
  const { seesPublic } = await observer();
  const found = seesPublic && ((await findDeleted(hub, id)) ?? (await findLeftBehind(hub, uuid)));
  if (!found) throw missing("Item");
  return jsonDocument({ "@context": plainContext, ...tombstoneOf(id, found) }, undefined, 410);
}

type Load = (hub: Hub, written: WrittenHere, observer: Observer) => Promise<Collection> | Collection;

function list(path: string, load: Load): Address {
  return {
    path,
    async get({ hub, params, query, observer: asObserver }) {
      const observer = await asObserver();
      const written = await findWrittenHere(hub, observer, uuidIn(params));
      if (!written || reactionOf(written.item.verb) !== undefined) throw missing("Item");
      return collectionDocument(await load(hub, written, observer), query);
    },
  };
}

/** What the owner of a thread for some has added to its container (FEP-171b). */
async function history(hub: Hub, { item, nick }: WrittenHere, observer: Observer): Promise<Collection> {
  if (item.item_thread_top === 0 || item.item_private === 0) throw missing("Item");
  return {
    id: historyId(hub, item.uuid),
    total: await countHandedOn(hub, observer, item.id),
    more: { attributedTo: idsOf(hub, nick).actor, collectionOf: "Activity" },
    async page(after) {
      const { handedOn, next } = await listHandedOn(hub, observer, item.id, { after, count: perPage });
      const items = handedOn
        .filter(({ document }) => isActivity(document))
        .map(({ uuid, revision, document }) => {
          const about = { thread: item.uuid, version: `${uuid} ${revision}`, object: storedJson<object>(document) };
          return additionOf(hub, nick, about, [observer.hash]);
        });
      return { items, next };
    },
  };
}

async function answers(hub: Hub, observer: Observer, id: string, which: Answers): Promise<Collection> {
  return {
    id,
    total: await countAnswers(hub, observer, which),
    async page(after) {
      const { names, next } = await listAnswers(hub, observer, which, { after, count: perPage });
      return { items: names.map((name) => objectId(hub, name)), next };
    },
  };
}
