import { recordPosted } from "../../identity/channels/channels.ts";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { addDeed, addJob, senderLane } from "../../../jobs/queue.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { may, ownerMay } from "../../permissions/may.ts";
import {
  checkAudience,
  commentScope,
  defaultAudience,
  narrowerScope,
  onlyFor,
  scopeOf,
  scopeOfPages,
  scopeWord,
} from "../audience.ts";
import type { Scope } from "../audience.ts";
import { commentOn } from "./comment.ts";
import { tagItem, tagOf } from "./community-tags.ts";
import { contentAhead } from "../content.ts";
import type { Content, Prepare } from "../content.ts";
import { directScope } from "./direct-scope.ts";
import { findOwnItem } from "../find.ts";
import { followThread } from "./follow.ts";
import { linkingOf, recordLinkedPage } from "../linked-page.ts";
import { authorId, messageOf } from "../message.ts";
import { isArticle, saveMeta } from "../metadata.ts";
import { storeMedia } from "../media/media.ts";
import { react } from "./react.ts";
import { planPollEnd } from "../delivery/notify-changes.ts";
import { notifyShare, notifyWallPost } from "../delivery/notices.ts";
import { postSettingsOf } from "../post-settings.ts";
import type { PostSettings } from "../post-settings.ts";
import { refuseTooManyPosts } from "../posting-limits.ts";
import { askToShare } from "../consents.ts";
import { askToQuote } from "../quote-stamps.ts";
import { refuseRepeat } from "./repeats.ts";
import { reachesOthers } from "../delivery/recipients.ts";
import { aboutMark, directMark, publicMarks, saveItem, saveMessage } from "../save.ts";
import type { NewMeta } from "../save.ts";
import { shareFiles } from "../share-files.ts";
import type { Audience, Draft, Item } from "../types.ts";
import { reactionOf, termTypes, verbUri } from "../vocabulary.ts";
import { countStatus } from "../status-count.ts";

const tenMinutes = 10 * 60 * 1000;

/**
 * Stores a new item of the channel and everything that follows from it: native contract 4.4. Answers the channel's
 * record of it (on another's wall: the wall's). Throws invalid, denied, missing (parent), conflict (mid), too-large.
 */
export async function postItem(hub: Hub, author: Channel, draft: Draft): Promise<Item> {
  const content = await contentAhead(hub, author, draft);
  return inTransaction(hub, async (hub) => {
    const done = await actOn(hub, author, draft);
    if (done) return done;
    if (draft.mid !== undefined) await refuseKnownMid(hub, author, draft.mid);
    const whole = await storeMedia(hub, author, draft);
    return whole.parent ? commentOn(hub, author, whole.parent, whole, content) : postTop(hub, author, whole, content);
  });
}

/** What a draft does with another item by its verb alone: reacting, tagging, following its thread. */
async function actOn(hub: Hub, author: Channel, draft: Draft): Promise<Item | undefined> {
  const verb = verbUri(draft.verb ?? "post");
  const reaction = reactionOf(verb);
  const target = draft.thrParent === undefined ? draft.parent : { mid: draft.thrParent };
  if (!target) {
    if (reaction !== undefined) throw refusal("parent_needed");
    return undefined;
  }
  // Doing it again takes it back.
  if (reaction !== undefined) return react(hub, author, target, reaction, "takes back");
  if (verb === verbUri("follow")) return followThread(hub, author, target, true);
  if (verb === verbUri("unfollow")) return followThread(hub, author, target, false);
  return verb === verbUri("tag") ? tagItem(hub, author, target, tagOf(draft)) : undefined;
}

async function refuseKnownMid(hub: Hub, author: Channel, mid: string): Promise<void> {
  if (!/^[!-;=?-~]{1,255}$/.test(mid)) throw refusal("message_id_wrong");
  if (await findOwnItem(hub, author.channel_id, { mid })) throw refusal("duplicate_post");
}

async function postTop(hub: Hub, author: Channel, draft: Draft, prepare: Prepare): Promise<Item> {
  const wall = await wallFor(hub, author, draft);
  const limits = await postSettingsOf(hub, wall.channel_id, author.channel_id);
  if (wall === author && isOrdinary(draft)) await refuseTooManyPosts(hub, author, limits.posts);
  const content = await prepare(hub, author, draft);
  const scope = await scopeFor(hub, author, wall, draft, content, limits);
  const message = await saveMessage(
    hub,
    await messageOf(hub, author, draft, content, "note"),
    content.terms,
    marksOf(draft, scope),
  );
  await saveMeta(hub, wall.channel_id, message, draft);
  const delayed = isDelayed(hub, draft);
  const row = await saveItem(hub, {
    ...scope,
    uid: wall.channel_id,
    aid: wall.channel_account_id,
    message_id: message.id,
    author_id: await authorId(hub, author, draft),
    owner_id: wall.xchan_id,
    created: draft.created ?? now(hub),
    postopts: draft.nopush ? "nopush" : "",
    item_origin: draft.origin === false ? 0 : 1,
    item_wall: 1,
    item_unseen: wall === author ? 0 : 1,
    item_mentionsme: wall !== author && content.mentions.some(({ xchanId }) => xchanId === wall.xchan_id) ? 1 : 0,
    ...(isArticle(draft.itemType) ? { item_kind: draft.itemType } : { item_type: draft.itemType ?? 0 }),
    item_hidden: draft.hidden ? 1 : 0,
    item_notshown: draft.notshown ? 1 : 0,
    item_delayed: delayed ? 1 : 0,
    item_direct: isDirect(draft, scope) ? 1 : 0,
  });
  if (!row) throw refusal("duplicate_post");
  if (wall === author) await shareFiles(hub, author, { message_id: message.id }, content);
  const item = { ...message, ...row };
  const namesOthers = content.mentions.length > 0 || hasTags(content);
  const here = limits.connected || draft.directTo !== undefined || (namesOthers && (await reachesOthers(hub, item)));
  await followUp(hub, wall, item, { here, elsewhere: mayGoElsewhere(limits, content, item) });
  return item;
}

function hasTags({ terms }: Content): boolean {
  return terms.some(({ ttype }) => ttype === termTypes.hashtag);
}

/** What is noted of the message beside its text: what only a post for everybody can be. */
function marksOf(draft: Draft, scope: Scope): NewMeta[] {
  if (scope.item_private === 0) return publicMarks(draft);
  const { about } = draft;
  return isDirect(draft, scope) ? [directMark, ...(about ? [{ ...aboutMark, v: about }] : [])] : [];
}

function isDirect({ directTo }: Draft, { item_private }: Scope): boolean {
  return directTo !== undefined && item_private !== 0;
}

/** May somebody of elsewhere get it: a follower, or somebody whom it names or shares? The job finds out who. */
function mayGoElsewhere({ elsewhere }: PostSettings, { mentions, namesStrangers }: Content, item: Item): boolean {
  if (namesStrangers && item.item_private === 0) return true;
  if (elsewhere !== "known") return elsewhere === "following";
  return mentions.length > 0 || item.shared_id > 0 || item.allow_cid !== "" || item.allow_gid !== "";
}

/** Whether a new item may reach anybody else, on this hub and on others. */
export type Reach = { here: boolean; elsewhere: boolean };

/** A post as people write them: no page, nothing hidden, nothing under another's name. */
function isOrdinary({ itemType = 0, hidden, notshown, remoteXchan }: Draft): boolean {
  return (itemType === 0 || isArticle(itemType)) && !hidden && !notshown && remoteXchan === undefined;
}

/** What a new top item causes: counts, notices, and the jobs that carry it on. */
async function followUp(hub: Hub, wall: Channel, item: Item, reaches: Reach): Promise<void> {
  await countStatus(hub, item, 1);
  if (item.expires !== zeroDate) await addJob(hub, "expire-item", { message: item.message_id }, { at: item.expires });
  if (item.item_delayed) {
    await addJob(hub, "publish-item", { item: item.id }, { at: item.created });
    return;
  }
  await publish(hub, wall, item, reaches);
}

/** What follows once an item may be seen: the wall's owner is told, and its audience gets it, if it `reaches` anybody. */
export async function publish(hub: Hub, wall: Channel, item: Item, reaches: Reach): Promise<void> {
  if (item.item_type !== 0 || item.item_hidden === 1) return;
  if (item.author_id === wall.xchan_id) {
    await recordPosted(hub, wall.channel_id);
  } else if (item.item_origin === 1 && item.sig !== "") {
    await notifyWallPost(hub, wall, item);
  }
  await notifyShare(hub, item);
  await recordLinkedPage(hub, linkingOf(item), "here");
  await planPollEnd(hub, item);
  if (item.item_origin === 0) return;
  if (reaches.here) await addJob(hub, "deliver-item", { item: item.id }, { lane: senderLane(item.uid) });
  if (reaches.elsewhere) await addDeed(hub, item.uid, { deed: "say", message: item.message_id });
  await askToQuote(hub, item);
  await askToShare(hub, wall, item);
}

/** The channel on whose wall the thread will stand; posting there needs its permission. */
async function wallFor(hub: Hub, author: Channel, draft: Draft): Promise<Channel> {
  const wall =
    draft.wall === undefined || draft.wall === author.channel_id ? author : await findChannelById(hub, draft.wall);
  if (!wall) throw missing("Channel");
  const permission = draft.itemType ? "write_pages" : "post_wall";
  const allowed =
    wall === author ? ownerMay(author, permission) : await may(hub, observerOf(author), permission, wall.channel_id);
  if (!allowed) throw refusal("permission_denied");
  return wall;
}

async function scopeFor(
  hub: Hub,
  author: Channel,
  wall: Channel,
  draft: Draft,
  content: Content,
  limits: PostSettings,
): Promise<Scope> {
  if (draft.remoteXchan !== undefined) {
    // Words under another's name are for the channel's own eyes only.
    return onlyFor(wall.channel_hash);
  }
  if (limits.refusesRepeats) await refuseRepeat(hub, author, wall.channel_id, content.body);
  if (draft.directTo && wall === author) return directScope(hub, author, content, draft.directTo);
  const comments = commentScope(scopeWord(hub, limits.post_comments), wall === author ? draft.commenters : undefined);
  const asked = wall === author ? draft.audience : undefined;
  const audience = asked ? await checkAudience(hub, author, asked) : defaultAudience(wall);
  const restricted = wall === author ? restrictToMentioned(audience, content, author, limits.keepsLists) : audience;
  // On somebody else's wall the poster's choice is ignored (native contract 4.4).
  const policy = wall === author ? draft.publicPolicy : undefined;
  return scopeOf(restricted, await scopeWordFor(hub, wall, draft.itemType, policy, limits), comments);
}

/** Pages have none: their permission decides. Articles are both, so whoever sees them may see posts and pages. */
async function scopeWordFor(
  hub: Hub,
  wall: Channel,
  itemType: number | undefined,
  policy: string | undefined,
  limits: PostSettings,
): Promise<string> {
  if (itemType && !isArticle(itemType)) return "public";
  const scope = narrowerScope(policy, scopeWord(hub, limits.view_stream));
  return itemType ? narrowerScope(scope, await scopeOfPages(hub, wall)) : scope;
}

/** A private mention makes those whom it names the audience. */
function restrictToMentioned(audience: Audience, content: Content, author: Channel, keepsLists: boolean): Audience {
  if (content.privately.length === 0) return audience;
  const start = keepsLists ? audience : { ...audience, allow_cid: [], allow_gid: [] };
  const hits = content.privately.filter((hit) => hit !== undefined);
  const people = hits.flatMap((hit) => (hit.group ? [] : [hit.hash]));
  const groups = hits.flatMap((hit) => (hit.group ? [hit.group] : []));
  const nobody =
    people.length === 0 && groups.length === 0 && start.allow_cid.length === 0 && start.allow_gid.length === 0;
  return {
    ...start,
    allow_cid: [...new Set([...start.allow_cid, ...people, ...(nobody ? [author.channel_hash] : [])])],
    allow_gid: [...new Set([...start.allow_gid, ...groups])],
  };
}

function isDelayed(hub: Hub, { created, waits }: Draft): boolean {
  return created !== undefined && created > (waits ? now(hub) : momentIn(hub, tenMinutes));
}
