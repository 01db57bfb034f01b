import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { addJob, senderLane } from "../../../jobs/queue.ts";
import { emit } from "../../live/emit.ts";
import { refreshWords } from "../../search/index-words.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { ownerMay } from "../../permissions/may.ts";
import { checkAudience, scopeOf } from "../audience.ts";
import { line, prepareContent } from "../content.ts";
import type { NewTerm } from "../content.ts";
import { keepFromFormerReaders } from "../delivery/former-readers.ts";
import { planEditNotice, planPollEnd } from "../delivery/notify-changes.ts";
import { findOwnItem } from "../find.ts";
import { keepFormer } from "../history.ts";
import { linkingOf, renewLinkedPage } from "../linked-page.ts";
import { coordinates, futureOnly, longestSummary, permalink, sharedMessage } from "../message.ts";
import { storeMedia } from "../media/media.ts";
import { ownLayout, renamePage } from "../metadata.ts";
import { refuseUnpermittedShare } from "../permits.ts";
import { askToQuote, forgetQuoteStamp } from "../quote-stamps.ts";
import { lockThread } from "../queries.ts";
import { loadItem, markReshared, saveTerms, loadTop } from "../save.ts";
import { reshareFiles, shareFiles, unshareEdited } from "../share-files.ts";
import { changeElsewhere } from "../changed.ts";
import { sharing } from "../sharing.ts";
import { signAgain } from "../sign-again.ts";
import { touchAll } from "../thread-dates.ts";
import { hasSameOptions, questionOf, questionType, withEnd } from "../poll.ts";
import type { Edit, Item, NewPoll } from "../types.ts";
import { forgetVotes } from "../votes.ts";
import { objectTypeUri, termTypes, verbUri } from "../vocabulary.ts";

/**
 * Changes an item of the channel. Fields left out keep their value, and mid, dates of creation, author and audience
 * stay (pages may change theirs). The words are those of `editor`, who is another one only for pages that it was let in
 * to write. Throws missing (`invalid post id`), denied, invalid.
 */
export async function editItem(
  hub: Hub,
  channel: Channel,
  id: number,
  edit: Edit,
  editor: Channel = channel,
): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await findForEdit(hub, channel, id);
    if (!item || item.item_deleted === 1) throw refusal("post_id_unknown");
    const mayWrite = ownerMay(channel, item.item_type === 0 ? "post_wall" : "write_pages");
    if (!mayWrite || (item.author_id !== channel.xchan_id && item.item_type === 0)) throw refusal("permission_denied");
    // A wiki saves its pages itself: each version is a row of its own.
    if (item.resource_type === "nwikipage") throw refusal("permission_denied");
    await changeMessage(hub, editor, item, await storeMedia(hub, channel, { mimetype: item.mimetype, ...edit }));
    if (item.item_type !== 0 && edit.audience) await changeAudience(hub, channel, item, edit);
    if (edit.pageTitle !== undefined) await renamePage(hub, item, edit.pageTitle);
    await touchAll(hub, item.message_id);
    await emit(hub, { what: "edit", message: item.message_id });
    if (item.item_thread_top === 0) await touchAll(hub, (await loadItem(hub, item.parent)).message_id);
    return loadItem(hub, item.id);
  });
}

/** A deletion that comes first must not be undone by an edit. */
async function findForEdit(hub: Hub, channel: Channel, id: number): Promise<Item | undefined> {
  const item = await findOwnItem(hub, channel.channel_id, { id });
  if (!item) return undefined;
  const top = await loadTop(hub, item);
  return (await lockThread(hub, top.message_id)) ? findOwnItem(hub, channel.channel_id, { id }) : item;
}

async function changeMessage(hub: Hub, editor: Channel, item: Item, edit: Edit): Promise<void> {
  const content = await prepareContent(hub, editor, {
    body: edit.body,
    mimetype: edit.mimetype ?? item.mimetype,
    categories: edit.categories ?? (await categoriesOf(hub, item)),
    allowEmpty: edit.allowEmpty ?? item.attach !== "",
    itemType: item.item_type,
    ...(edit.ownNicks && { ownNicks: true }),
  });
  // A page may be somebody else's, whose key is not ours to use.
  const own = item.author_id === editor.xchan_id;
  const signature = own ? signAgain(item, content.sig) : { sig: "", item_verified: 0 };
  const expires = edit.expires === undefined ? item.expires : futureOnly(hub, edit.expires);
  const layout_mid = edit.layoutMid === undefined ? item.layout_mid : await ownLayout(hub, item.uid, edit.layoutMid);
  const shared_id = await sharedMessage(hub, content.body);
  if (shared_id !== item.shared_id) await refuseUnpermittedShare(hub, editor, { shared_id, body: content.body });
  if (shared_id > 0) await markReshared(hub, shared_id);
  const shown = {
    html: content.html,
    // A text without codes says nothing about the files that the item has, unless they are named beside it.
    attach: content.attach || (edit.mediaIds ? "" : item.attach),
    title: edit.title === undefined ? item.title : line(edit.title, 255),
    summary: edit.summary === undefined ? item.summary : line(edit.summary, longestSummary),
    item_nsfw: edit.nsfw === undefined ? item.item_nsfw : Number(edit.nsfw),
  };
  if (item.item_type === 0) await keepFromFormerReaders(hub, item);
  const question = edit.poll && (await changedPoll(hub, item, edit.poll));
  const asksOther = question !== undefined && !hasSameOptions(item.obj, question);
  if (item.item_type === 0) await keepFormer(hub, item.message_id, shown, asksOther);
  await hub.db
    .updateTable("message")
    .set((x) => ({
      ...shown,
      body: content.body,
      mimetype: content.mimetype,
      plain: content.plain,
      lang: edit.lang ?? content.lang,
      ...signature,
      app: edit.app === undefined ? item.app : line(edit.app, 255),
      location: edit.location === undefined ? item.location : line(edit.location, 255),
      coord: edit.coord === undefined ? item.coord : coordinates(edit.coord),
      plink: edit.plink === undefined ? item.plink : permalink(edit.plink),
      verb: edit.verb === undefined ? item.verb : line(verbUri(edit.verb), 255),
      obj_type: edit.objType === undefined ? item.obj_type : line(objectTypeUri(edit.objType), 255),
      ...(question !== undefined && { obj_type: questionType, obj: question }),
      layout_mid,
      ...sharing(content.body, shared_id),
      item_consensus: edit.consensus === undefined ? item.item_consensus : Number(edit.consensus),
      item_nocomment: edit.nocomment === undefined ? item.item_nocomment : Number(edit.nocomment),
      comments_closed: edit.commentsClosed ?? item.comments_closed,
      expires,
      edited: now(hub),
      revision: x("revision", "+", 1),
    }))
    .where("id", "=", item.message_id)
    .execute();
  await unshareEdited(hub, editor.channel_id, item.message_id, { body: content.body, attach: shown.attach });
  if (item.owner_id === editor.xchan_id || edit.sharesFiles)
    await shareFiles(hub, editor, { message_id: item.message_id }, content);
  if (expires !== item.expires && expires !== zeroDate) {
    await addJob(hub, "expire-item", { message: item.message_id }, { at: expires });
  }
  const former = await replaceTerms(hub, item, content.terms);
  if (item.item_type === 0) await refreshWords(hub, [item.message_id]);
  // Nobody has one that waits, and whom it concerns is found out when its time has come.
  if (item.item_delayed === 1) return;
  const namesMore = namesOthers(content.terms, former);
  if (namesMore) await addJob(hub, "note-mentions", { item: item.id }, { lane: senderLane(item.uid) });
  if (item.item_type === 0) await planEditNotice(hub, item.message_id);
  if (question !== undefined)
    await planPollEnd(hub, { message_id: item.message_id, obj_type: questionType, obj: question });
  if (shared_id !== item.shared_id) {
    await forgetQuoteStamp(hub, item.message_id);
    await askToQuote(hub, { ...item, shared_id, body: content.body });
  }
  if (item.item_type === 0) await renewLinkedPage(hub, { ...linkingOf(item), html: content.html }, "here");
  if (item.item_type === 0)
    await changeElsewhere(hub, item, {
      stamp: String(item.revision + 1),
      namesMore: namesMore || content.namesStrangers,
    });
}

/** The object of the poll that the item becomes: with other options it begins anew, and nobody has voted. */
async function changedPoll(hub: Hub, item: Item, poll: NewPoll): Promise<string> {
  const question = questionOf(hub, poll);
  if (item.obj_type === questionType && hasSameOptions(item.obj, question)) return withEnd(item.obj, question);
  await forgetVotes(hub, [item.message_id]);
  return question;
}

/** Terms that come from the text are made anew; what others added survives. Answers what there was. */
async function replaceTerms(hub: Hub, item: Item, terms: NewTerm[]): Promise<NewTerm[]> {
  const { hashtag, mention, category, bookmark } = termTypes;
  const former = await hub.db
    .deleteFrom("term")
    .where("message_id", "=", item.message_id)
    .where("uid", "=", 0)
    .where("ttype", "in", [hashtag, mention, category, bookmark])
    .returning(["ttype", "term", "url"])
    .execute();
  await saveTerms(hub, item.message_id, terms);
  return former;
}

/** Does the text mention somebody whom it did not mention before? */
function namesOthers(terms: NewTerm[], former: NewTerm[]): boolean {
  const urls = new Set(former.filter((term) => term.ttype === termTypes.mention).map((term) => term.url));
  return terms.some((term) => term.ttype === termTypes.mention && !urls.has(term.url));
}

async function categoriesOf(hub: Hub, item: Item): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("term")
    .select("term")
    .where("message_id", "=", item.message_id)
    .where("ttype", "=", termTypes.category)
    .orderBy("tid")
    .execute();
  return rows.map((row) => row.term);
}

async function changeAudience(hub: Hub, channel: Channel, item: Item, edit: Edit): Promise<void> {
  const audience = await checkAudience(hub, channel, edit.audience!);
  await hub.db
    .updateTable("item")
    .set(scopeOf(audience, "public", item.comment_policy))
    .where("id", "=", item.id)
    .execute();
  await reshareFiles(hub, [item.message_id]);
}
