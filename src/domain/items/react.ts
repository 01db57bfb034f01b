import { sql } from "kysely";
import { HubError } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { personalise } from "../bodies/personalise.ts";
import { plainText } from "../bodies/plain-text.ts";
import { renderBody } from "../bodies/render.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel, Xchan } from "../identity/channel.ts";
import { sign } from "../identity/signing.ts";
import { findXchan } from "../identity/xchans.ts";
import { openThread, spread } from "./comment.ts";
import { findVisibleItem } from "./find.ts";
import type { ItemRef } from "./find.ts";
import { personLink } from "./links.ts";
import { forgetReactions } from "./notices.ts";
import { selectItems, takeTurns } from "./queries.ts";
import { loadItem, saveMessage } from "./save.ts";
import { touchAll } from "./thread-dates.ts";
import { buryMessages } from "./tombstones.ts";
import type { Item } from "./types.ts";
import { objectTypes, reactionSentences, reactionSets, verbUri } from "./vocabulary.ts";

/**
 * Gives an item a reaction of the channel; one that excludes it goes. `again` says what a repetition does: it stays
 * (microblog contract 9.1) or it is taken back (native contract 4.5). Answers the reaction's item, a tombstone when it
 * was taken back.
 */
export async function react(
  hub: Hub,
  author: Channel,
  ref: ItemRef,
  name: string,
  again: "stays" | "takes back",
): Promise<Item> {
  const set = reactionSets.find((members) => members.includes(name));
  if (!set) throw new HubError("invalid", "Unknown activity verb");
  return inTransaction(hub, async (hub) => {
    const thread = await openThread(hub, author, ref);
    if (thread.parent.item_notshown === 1) throw new HubError("missing", "Item not found.");
    const former = await reactionsBy(hub, author, thread.parent, set);
    const same = former.find((item) => item.verb === verbUri(name));
    if (same && again === "stays") return same;
    await takeBack(hub, former, thread.parent);
    if (same) return loadItem(hub, same.id);
    const message = await saveMessage(hub, await reactionMessage(hub, author, thread.top, thread.parent, name), []);
    return spread(hub, author, thread, {
      message_id: message.id,
      created: now(hub),
      author_id: author.xchan_id,
      item_notshown: 1,
      mentioned: [],
    });
  });
}

/** Takes a reaction back; nothing happens when there is none. Throws missing for an item that is not seen. */
export async function unreact(hub: Hub, author: Channel, ref: ItemRef, name: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const target = await findVisibleItem(hub, observerOf(author), ref);
    const former = await reactionsBy(hub, author, target, [name]);
    await takeBack(hub, former, target);
  });
}

/** Reactions go, and with them what was told of them; whoever has the thread learns that it has changed. */
async function takeBack(hub: Hub, reactions: Item[], target: Item): Promise<void> {
  if (reactions.length === 0) return;
  const top = target.item_thread_top === 1 ? target : await loadItem(hub, target.parent);
  await takeTurns(hub, top.message_id);
  await forgetReactions(hub, reactions, target);
  await buryMessages(
    hub,
    reactions.map((item) => item.message_id),
  );
  await touchAll(hub, top.message_id);
}

function reactionsBy(hub: Hub, author: Channel, target: Item, names: readonly string[]): Promise<Item[]> {
  return selectItems(hub)
    .where("item.thr_parent_id", "=", target.id)
    .where("item.item_normal", "=", sql.lit(1))
    .where("item.author_id", "=", author.xchan_id)
    .where(isOneOf(hub.engine, sql.ref("message.verb"), names.map(verbUri)))
    .execute();
}

async function reactionMessage(hub: Hub, author: Channel, top: Item, target: Item, name: string) {
  const writer = await findXchan(hub, { id: target.author_id });
  const actor = await findXchan(hub, { id: author.xchan_id });
  const type = target.resource_type === "photo" ? objectTypes["photo"]! : objectTypes["note"]!;
  const body = `${personLink(actor!)} ${reactionSentences[name]} ${writer ? `${personLink(writer)}'s` : "a"} [zrl=${target.plink}]post[/zrl]`;
  const html = renderBody(body, "text/bbcode", { baseUrl: hub.config.baseUrl, name: "" });
  const created = now(hub);
  return {
    author_id: author.xchan_id,
    parent_mid: top.mid,
    thr_parent: target.mid,
    created,
    edited: created,
    mimetype: "text/bbcode",
    body,
    html,
    plain: plainText(personalise(html, undefined), "label"),
    verb: verbUri(name),
    obj_type: type,
    obj: JSON.stringify(objectOf(target, writer, type)),
    sig: await sign(hub, author.channel_id, body),
    item_verified: 1,
  };
}

/** The `obj` of a reaction, native contract 4.6. */
function objectOf(target: Item, writer: Xchan | undefined, type: string) {
  return {
    type,
    id: target.mid,
    parent: target.thr_parent,
    link: [{ rel: "alternate", type: "text/html", href: target.plink }],
    title: target.title,
    content: target.body,
    created: target.created,
    edited: target.edited,
    ...(writer && {
      author: {
        name: writer.xchan_name,
        address: writer.xchan_addr,
        guid: writer.xchan_guid,
        guid_sig: writer.xchan_guid_sig,
        link: [
          { rel: "alternate", type: "text/html", href: writer.xchan_url },
          { rel: "photo", type: writer.xchan_photo_mimetype, href: writer.xchan_photo_m },
        ],
      },
    }),
  };
}
