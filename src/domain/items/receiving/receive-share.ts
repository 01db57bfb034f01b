import { certain } from "../../../errors.ts";
import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { layOut } from "../../bodies/texts.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { notify } from "../../notifications/notify.ts";
import { withProxiedMedia } from "../../proxy/media-in-html.ts";
import { contentColumns } from "../columns.ts";
import { isDeleted } from "../deleted-ids.ts";
import { unwelcome } from "../delivery/notification-targets.ts";
import { shareOf } from "../posting/share.ts";
import { sharesPurely } from "../queries.ts";
import { objectTypeUri, reactionOf, verbUri } from "../vocabulary.ts";
import { believableDate } from "./dates.ts";
import { anyCopyOf } from "../find.ts";
import { findKnownMessage } from "./known-message.ts";
import { audienceHere, readersOf, wanting } from "./readers.ts";
import type { ReceivedAudience, ReceivedDeed, ReceivedPost } from "./received.ts";
import { sharing } from "../sharing.ts";
import { spreadTop } from "./spread.ts";
import { ensure } from "./store-message.ts";
import type { StoredMessage } from "./store-message.ts";
import { isTakenBack } from "../taken-back.ts";

/** `elsewhere`: what is shared is not here. */
export type ShareOutcome = "taken" | "elsewhere";

/**
 * Somebody of elsewhere shares a public post, as it is: a post of theirs that repeats it. Shared again, under whichever id, it is that
 * same post. Nothing private is shown that way.
 */
export async function receiveShare(hub: Hub, deed: ReceivedDeed, given: ReceivedAudience): Promise<ShareOutcome> {
  if ((await isDeleted(hub, deed.mid)) || (await isTakenBack(hub, deed.mid))) return "taken";
  const original = await findOriginal(hub, deed.target);
  if (original === undefined) return "elsewhere";
  if (original === "private") return "taken";
  const { author } = deed;
  const [before] = await sharesBy(hub, author, original.mid);
  const mid = before?.mid ?? deed.mid;
  const body = await shareOf(hub, original);
  const laidOut = await layOut(hub, body, "text/bbcode");
  const created = believableDate(hub, deed.published);
  const columns = {
    ...laidOut,
    html: withProxiedMedia(hub, laidOut.html),
    body,
    mimetype: "text/bbcode",
    mid,
    author_id: author.xchan_id,
    created,
    edited: created,
    verb: verbUri("post"),
    obj_type: objectTypeUri("note"),
    plink: mid,
    item_verified: 1,
    ...sharing(body, original.id),
  };
  const store = (hub: Hub): Promise<StoredMessage> => ensure(hub, columns, [], [], deed);
  const audience = await audienceHere(hub, author, given);
  const readers = await readersOf(hub, author, audience, { title: "", ...laidOut });
  const writer = certain(await findXchan(hub, { id: original.author_id }), "author");
  const welcome = new Set(
    (
      await wanting(
        hub,
        writer,
        readers.map(({ channel_id }) => channel_id),
      )
    ).map((r) => r.channel_id),
  );
  await notifyAuthor(hub, deed, original, audience.isPublic, store);
  const decided = { author_id: author.xchan_id, owner_id: author.xchan_id, created, comment_policy: "none" };
  await spreadTop(
    hub,
    mid,
    readers.filter(({ channel_id }) => welcome.has(channel_id)),
    audience,
    { ...decided, item_private: audience.isPublic ? 0 : 1, item_notshown: 0 },
    store,
  );
  return "taken";
}

type Original = StoredMessage & { author_id: number; created: string };

/** A message that is for everybody; one of which nobody here has a copy was fetched where it is. */
export async function findOriginal(hub: Hub, id: string): Promise<Original | "private" | undefined> {
  const known = await findKnownMessage(hub, id);
  if (!known || (await isDeleted(hub, known.nick === null ? id : `${hub.config.baseUrl}/item/${known.uuid}`)))
    return undefined;
  if (reactionOf(known.verb) !== undefined) return "private";
  const scopes = await hub.db
    .selectFrom("item")
    .select("item_private")
    .distinct()
    .where("message_id", "=", known.id)
    .where("item_blocked", "=", 0)
    .execute();
  if (known.nick !== null ? !scopes.some(isPublic) : scopes.some((row) => !isPublic(row))) return "private";
  return hub.db
    .selectFrom("message")
    .select(["message.id", "message.author_id", "message.created", ...contentColumns])
    .where("message.id", "=", known.id)
    .executeTakeFirst();
}

function isPublic({ item_private }: { item_private: number }): boolean {
  return item_private === 0;
}

/** Whoever wrote here what a public post of somebody elsewhere quotes hears of it once, when that post comes. */
export async function notifyQuoted(
  hub: Hub,
  { author, mid, quoted }: ReceivedPost,
  store: (hub: Hub) => Promise<StoredMessage>,
): Promise<void> {
  const original = quoted && (await anyCopyOf(hub, quoted.id));
  if (!original || original.author_id === author.xchan_id) return;
  await notifyWriter(hub, author, original, store, async (hub) => (await findKnownMessage(hub, mid)) !== undefined);
}

/** Whoever wrote it here hears of it once, and only of what everybody may see. */
async function notifyAuthor(
  hub: Hub,
  { author }: ReceivedDeed,
  original: Original,
  isForAll: boolean,
  store: (hub: Hub) => Promise<StoredMessage>,
): Promise<void> {
  if (!isForAll) return;
  const { id: message_id, author_id } = original;
  const hasHeard = async (hub: Hub): Promise<boolean> => (await sharesBy(hub, author, original.mid)).length > 0;
  await notifyWriter(hub, author, { message_id, author_id }, store, hasHeard);
}

async function notifyWriter(
  hub: Hub,
  { xchan_id: actor }: Pick<Xchan, "xchan_id">,
  { message_id, author_id }: { message_id: number; author_id: number },
  store: (hub: Hub) => Promise<StoredMessage>,
  hasHeard: (hub: Hub) => Promise<boolean>,
): Promise<void> {
  const to = await findChannelByXchan(hub, author_id);
  if (!to || (await unwelcome(hub, to.channel_id, actor))) return;
  await inTransaction(hub, async (hub) => {
    const heard = await hasHeard(hub);
    await store(hub);
    const item = await anyCopyOf(hub, message_id);
    if (!heard && item) await notify(hub, [{ kind: "share", to, actor, item: item.id, of: message_id }]);
  });
}

/** The messages with which somebody shares this as it is, the first one first: more than one only from before it was one. */
export async function sharesBy(
  hub: Hub,
  author: Pick<Xchan, "xchan_id">,
  target: string,
): Promise<{ id: number; mid: string }[]> {
  const original = await findKnownMessage(hub, target);
  if (!original) return [];
  return hub.db
    .selectFrom("message")
    .select(["message.id", "message.mid"])
    .where("message.shared_id", "=", original.id)
    .where("message.shared_id", ">", sql.lit(0))
    .where("message.author_id", "=", author.xchan_id)
    .where(sharesPurely())
    .orderBy("message.id")
    .execute();
}
