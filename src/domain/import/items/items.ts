import type { Hub } from "../../../hub.ts";
import { now } from "../../../hub.ts";
import { sharedIds, withoutShared } from "../../bodies/share.ts";
import { plainBbcode } from "../../bodies/plain-bbcode.ts";
import { layOutAnyhow } from "../../bodies/texts.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { sign } from "../../identity/xchans/signing.ts";
import { webUrl } from "../../identity/xchans/web-url.ts";
import { line } from "../../items/content.ts";
import { deletedAmong } from "../../items/deleted-ids.ts";
import { coordinates, longestSummary, sharedMessage } from "../../items/message.ts";
import { isArticle } from "../../items/metadata.ts";
import { answerType } from "../../items/poll.ts";
import type { Restored, RestoredItem } from "../../items/restoring/restored-item.ts";
import { verbs, objectTypes } from "../../items/vocabulary.ts";
import type { Mover } from "../people/addresses.ts";
import { mailsOf } from "./direct.ts";
import type { ReadyMails } from "./direct.ts";
import { flawOf, readItem } from "./item-form.ts";
import type { ItemForm } from "./item-form.ts";
import type { People, Person } from "../people/people.ts";
import type { Outcome } from "../report.ts";
import { sharing } from "../../items/sharing.ts";
import { signatureStateOf, unverified } from "./signatures.ts";

/** What the items of one import have in common. */
export type ItemWork = {
  hub: Hub;
  channel: Channel;
  people: People;
  mover: Mover;
  escaped: boolean | undefined;
  /** Who may look at the channel's pages, in a scope word. */
  pagesScope: string;
};

/** An item ready to be stored, and what is to be said about it. */
export type ReadyItem = { form: ItemForm; item: RestoredItem; remark: string | undefined };

/** An item, or why it cannot be stored. */
export type Prepared = ReadyItem | ReadyMails | { left: string; example: string };

/**
 * Makes an item of an export ready: people matched, signature checked, addresses moved, rendered again and, if the signature
 * held, signed again (native contract 7.5, step 9). Nothing is written but identities that were not known.
 */
export async function prepareItem(work: ItemWork, record: PortableRecord): Promise<Prepared> {
  const form = readItem(record, work.escaped);
  if (!form) return { left: "it has no id or no author", example: "" };
  const flaw = flawOf(form, now(work.hub));
  if (flaw) return { left: flaw, example: form.mid };
  const [author, owner] = [await work.people.meet(form.author), await work.people.meet(form.owner)];
  if (!author || !owner) return { left: "nothing tells who its author or its owner is", example: form.mid };
  const content = await contentOf(work, form, author, owner);
  const mails = form.isDirect ? mailsOf(work.channel.channel_hash, form, author) : [];
  if (mails.length > 0) {
    if (form.flags.item_notshown === 1) return { left: "messages take no reactions", example: form.mid };
    if (author.local && content.signatureState !== "holds") return { left: refusals["not theirs"]!, example: form.mid };
    return { form, mails };
  }
  const item = restored(work, form, author, owner, content);
  const remark = content.signatureState === "fails" ? unverified : content.refused ? asTyped : undefined;
  return { form, item, remark };
}

const asTyped = "shown as it was typed, because it costs too much to lay out";

type Content = Awaited<ReturnType<typeof layOutAnyhow>> & {
  body: string;
  signature: string;
  signatureState: ReturnType<typeof signatureStateOf>;
  sharedId: number;
};

async function contentOf(work: ItemWork, form: ItemForm, author: Person, owner: Person): Promise<Content> {
  const { hub, channel } = work;
  const own = author.xchanId === channel.xchan_id;
  const signatureState = signatureStateOf(form, author, own);
  const moved = own || isOwnTop(work, form, owner) ? work.mover.text(form.body) : form.body;
  // An export may be older than a deletion of which this hub knows.
  const body = withoutShared(moved, await deletedAmong(hub, sharedIds(moved)));
  const isEmptied = body !== moved;
  // Nobody signs for a member what the member never signed (decision 27).
  const again = own && signatureState === "holds" && body !== form.signedBody;
  const kept = isEmptied ? "" : form.signature;
  const signature = again ? await sign(hub, channel.channel_id, body) : kept;
  const sharedId = await sharedMessage(hub, body);
  return {
    body,
    signature,
    signatureState: isEmptied && !again ? "unknown" : signatureState,
    ...(await layOutAnyhow(hub, body, form.mimetype)),
    sharedId,
  };
}

function isTop(form: ItemForm): boolean {
  return form.parentMid === form.mid;
}

/** Threads of others stay as they are: where they lead does not move. */
function isOwnTop({ channel }: ItemWork, form: ItemForm, owner: Person): boolean {
  return isTop(form) && owner.xchanId === channel.xchan_id;
}

/** Other programs write codes there; more of it than fits is not looked at. */
function plainOf(summary: string): string {
  return plainBbcode(summary.slice(0, 2000));
}

function restored(work: ItemWork, form: ItemForm, author: Person, owner: Person, content: Content): RestoredItem {
  const { hub, mover } = work;
  const top = isTop(form);
  const moved = isOwnTop(work, form, owner) ? mover : { text: (text: string) => text, json: (json: string) => json };
  const {
    item_nocomment,
    item_consensus,
    item_nsfw,
    item_rss,
    item_pending_remove: _,
    item_type,
    ...flags
  } = form.flags;
  return {
    mid: form.mid,
    uuid: form.uuid,
    parentMid: form.parentMid,
    thrParent: form.thrParent,
    version: form.resource_type === "nwikipage" ? form.revision : 0,
    authorIsLocal: author.local,
    message: {
      author_id: author.xchanId,
      created: form.created,
      edited: form.edited,
      expires: form.expires,
      comments_closed: form.comments_closed,
      mimetype: form.mimetype,
      title: line(form.title, 255),
      summary: line(plainOf(form.summary), longestSummary),
      body: content.body,
      html: content.html,
      plain: content.plain,
      lang: content.lang,
      app: line(form.app, 255),
      revision: form.revision,
      verb: line(form.verb, 255) || verbs.post,
      obj_type: line(form.obj_type, 255) || objectTypes[top ? "note" : "comment"],
      obj: moved.json(form.obj),
      tgt_type: line(form.tgt_type, 255),
      target: moved.json(form.target),
      layout_mid: form.layout_mid,
      plink: webUrl(moved.text(line(form.plink, 2048))),
      resource_id: form.resource_id,
      resource_type: form.resource_type,
      attach: moved.json(form.attach),
      sig: content.signature,
      fed_meta: form.fed_meta,
      location: line(form.location, 255),
      coord: coordinates(form.coord),
      item_consensus,
      item_nocomment,
      item_nsfw,
      item_verified: content.signatureState === "holds" ? 1 : 0,
      item_rss,
      ...sharing(content.body, content.sharedId),
    },
    item: {
      owner_id: owner.xchanId,
      created: form.created,
      commented: form.commented,
      received: form.received,
      changed: form.changed,
      comment_policy: form.comment_policy,
      ...form.lists,
      ...scopeIn(work, form),
      ...(isArticle(item_type) ? { item_type: 0, item_kind: item_type } : { item_type }),
      postopts: form.postopts,
      route: form.route,
      ...flags,
      // What people chose in a poll is shown to nobody; its counts tell enough.
      ...(form.obj_type === answerType && { item_hidden: 1, item_notshown: 0, item_private: 1, item_unseen: 0 }),
      // One whose time came while it was on its way is simply there.
      item_delayed: flags.item_delayed === 1 && form.created > now(hub) ? 1 : 0,
    },
    terms: form.terms.map((term) => ({ ...term, url: mover.text(term.url) })),
    ownTerms: form.ownTerms.map((term) => ({ ...term, url: mover.text(term.url) })),
    meta: form.meta,
  };
}

/** An article is shown among posts, but to nobody who may not see the channel's pages. */
function scopeIn(
  { pagesScope }: ItemWork,
  form: ItemForm,
): Pick<RestoredItem["item"], "public_policy" | "item_private"> {
  const { public_policy, item_private } = form;
  const narrowed = isArticle(form.flags.item_type) && item_private === 0 && pagesScope !== "public";
  return narrowed ? { public_policy: pagesScope, item_private: 1 } : { public_policy, item_private };
}

/** Why an item stays behind, as people read it. */
const refusals: Partial<Record<Restored, string>> = {
  "not theirs": "it says that somebody of this hub wrote it, and nothing proves that",
  "another text": "this hub knows it with another text, from somebody else",
};

/** What became of an item, for the report; undefined where its thread may still come. */
export function outcomeOf(restored: Restored, { form, remark }: ReadyItem): Outcome | undefined {
  if (restored === "no top") return undefined;
  const left = refusals[restored];
  if (left !== undefined) return { left, example: form.mid };
  if (restored === "there") return "there";
  return remark === undefined ? "imported" : { imported: remark, example: form.mid };
}
