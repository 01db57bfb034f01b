import { sql } from "kysely";
import { HubError, certain } from "../../../errors.ts";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { recordLastPost } from "../../identity/xchans/actors.ts";
import { refreshWords } from "../../search/index-words.ts";
import { contentColumns } from "../columns.ts";
import type { MessageContent } from "../columns.ts";
import { line } from "../content.ts";
import type { NewTerm } from "../content.ts";
import { keepAddressed, keepDocument } from "../foreign-documents.ts";
import type { Came } from "../foreign-documents.ts";
import { recordLinkedPage, renewLinkedPage } from "../linked-page.ts";
import { keepFormer } from "../history.ts";
import { coordinates, longestSummary } from "../message.ts";
import { forgetPermits, permitsMark } from "../permits.ts";
import { hasSameOptions } from "../poll.ts";
import { forgetQuoteStamp, quoteStampMark } from "../quote-stamps.ts";
import { insertMeta, saveMessage, saveTerms } from "../save.ts";
import type { NewMeta } from "../save.ts";
import { sharing } from "../sharing.ts";
import { objectTypeUri, termTypes, verbUri } from "../vocabulary.ts";
import { forgetVotes, renewedQuestion } from "../votes.ts";
import { believableDate, expiryOf } from "./dates.ts";
import type { KnownMessage } from "./known-message.ts";
import type { Layout } from "./layout.ts";
import type { ReceivedPost } from "./received.ts";

export type StoredMessage = { id: number } & MessageContent;

/** The same, and whether it came before. */
export type EnsuredMessage = StoredMessage & { wasHere: boolean };

/** Where a message stands: below a parent in a thread, or on top of one. */
export type Place = { parent_mid: string; thr_parent: string } | undefined;

/** What goes into the row of a message from elsewhere, but for where it stands. */
function columnsOf(hub: Hub, post: ReceivedPost, layout: Layout) {
  const { body, mimetype, html, plain, lang, attach, summary, obj, event } = layout;
  const created = believableDate(hub, post.published);
  return {
    created,
    edited: post.updated ? believableDate(hub, post.updated) : created,
    expires: expiryOf(post),
    mimetype,
    title: line(post.title, 255),
    summary: line(summary, longestSummary),
    body,
    html,
    plain,
    lang,
    attach,
    verb: verbUri("post"),
    obj_type: line(objectTypeUri(post.objType), 255),
    obj,
    resource_type: event ? "event" : "",
    resource_id: event?.event_hash ?? "",
    plink: post.plink || post.mid,
    location: event ? "" : line(post.location, 255),
    coord: coordinates(post.coord),
    item_nsfw: post.nsfw ? 1 : 0,
    item_verified: 1,
    ...sharing(body, layout.shared_id),
  };
}

/** Stores a message that may be here already, and answers it; part of a transaction. */
export async function ensureMessage(
  hub: Hub,
  post: ReceivedPost,
  layout: Layout,
  place: Place,
  terms: NewTerm[],
  meta: NewMeta[],
): Promise<StoredMessage> {
  const { author, mid, audience } = post;
  const columns = { ...columnsOf(hub, post, layout), author_id: author.xchan_id, mid, ...place };
  const message = await ensure(hub, columns, terms, meta, post);
  await recordLinkedPage(hub, { ...message, said: post.link, isPublic: audience.for !== "named" }, "elsewhere");
  await expireLater(hub, message.id, columns.expires);
  if (audience.for === "everybody") await recordLastPost(hub, author.xchan_id, columns.created);
  if (audience.for === "named") await keepAddressed(hub, message.id, audience.addresses);
  return message;
}

/** The same for any message of somebody elsewhere. */
export async function ensure(
  hub: Hub,
  columns: Parameters<typeof saveMessage>[1] & { mid: string },
  terms: NewTerm[],
  meta: NewMeta[],
  came: Came,
): Promise<EnsuredMessage> {
  const known = await findStored(hub, columns.mid, columns.author_id);
  if (known) return { ...known, wasHere: true };
  try {
    const message = await saveMessage(hub, columns, terms, meta);
    await keepDocument(hub, message.id, came);
    return { ...message, wasHere: false };
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== "duplicate_post") throw error;
    // Somebody else was quicker.
    return { ...certain(await findStored(hub, columns.mid, columns.author_id), "message"), wasHere: true };
  }
}

async function findStored(hub: Hub, mid: string, authorId: number): Promise<StoredMessage | undefined> {
  const [row] = await compiled(hub, "stored message", { mid, authorId }, (slots) =>
    hub.db
      .selectFrom("message")
      .select(["message.id", ...contentColumns])
      .where("mid", "=", slots.mid)
      .where("author_id", "=", slots.authorId)
      .where("version", "=", sql.lit(0)),
  );
  return row;
}

/** What readers see of a message beside what its versions keep. */
const besidesVersions = ["location", "coord"] as const;

/**
 * What came takes the place of what is stored: another version, or the genuine one. Answers whether it has been edited: polls that are
 * counted, rules for answers, and films of which only the views have changed, come as Updates as well, dated or not. Part of a transaction.
 */
export async function replaceMessage(
  hub: Hub,
  known: KnownMessage,
  post: ReceivedPost,
  layout: Layout,
  terms: NewTerm[],
  meta: NewMeta[],
  version: string,
): Promise<boolean> {
  const { created, ...columns } = columnsOf(hub, post, layout);
  const isRecount = hasSameOptions(known.obj, post.question);
  const obj = isRecount ? await renewedQuestion(hub, known.id, post.question) : layout.obj;
  const asksOther = known.obj !== obj && !isRecount;
  // What somebody's export brought is not what its author said.
  const isGenuine = known.item_verified !== 0;
  const saysOther = isGenuine && (await keepFormer(hub, known.id, columns, asksOther));
  const isEdit = !isGenuine || saysOther || asksOther || besidesVersions.some((name) => columns[name] !== known[name]);
  await hub.db
    .updateTable("message")
    .set((x) => ({
      ...columns,
      obj,
      ...(!isGenuine && { created }),
      // Where nothing else is said it is the newest version all the same: no older one takes its place.
      ...((isEdit || post.updated) && { edited: version }),
      ...(isEdit && { revision: x("revision", "+", 1) }),
    }))
    .where("id", "=", known.id)
    .execute();
  // Nobody has voted in another question.
  if (asksOther) await forgetVotes(hub, [known.id]);
  const { hashtag, mention } = termTypes;
  await hub.db
    .deleteFrom("term")
    .where("message_id", "=", known.id)
    .where("uid", "=", 0)
    .where("ttype", "in", [hashtag, mention])
    .execute();
  await saveTerms(hub, known.id, terms);
  await forgetPermits(hub, known.id);
  await forgetQuoteStamp(hub, known.id);
  await insertMeta(
    hub,
    known.id,
    isGenuine ? meta.filter(({ k }) => k === permitsMark.k || k === quoteStampMark.k) : meta,
  );
  await refreshWords(hub, [known.id]);
  await expireLater(hub, known.id, columns.expires);
  await keepDocument(hub, known.id, post);
  const { html, attach } = columns;
  const isPublic = post.audience.for !== "named";
  await renewLinkedPage(hub, { id: known.id, html, attach, said: post.link, isPublic }, "elsewhere");
  return isEdit;
}

async function expireLater(hub: Hub, message: number, at: string): Promise<void> {
  if (at !== zeroDate) await addJob(hub, "expire-item", { message }, { at });
}

/** When it was changed last, as far as is said; an edit without a date is as new as its arrival. */
export function versionOf(hub: Hub, { published, updated }: ReceivedPost, isEdit: boolean): string {
  if (updated) return believableDate(hub, updated);
  return isEdit ? now(hub) : believableDate(hub, published);
}
