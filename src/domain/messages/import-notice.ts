import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { connectionIdsOf } from "../connections/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { dateIn, flagIn, numberIn, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { webUrl } from "../identity/xchans/web-url.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { line } from "../items/content.ts";
import { findOwnItem } from "../items/find.ts";
import { localLink } from "../items/links.ts";
import { isNoticeKind, kindOf } from "../notifications/kinds.ts";
import type { NoticeKind } from "../notifications/kinds.ts";
import { restoreNotice } from "../notifications/restore.ts";
import type { NoticeWords } from "../notifications/stored.ts";

const longestSentence = 4000;

/**
 * Takes a notice over with its mark, for the channel alone; one that is here stays as it is. It is of its kind if that,
 * who did it and what it is about are known here; else its words are kept, and `move` leads their links to this hub.
 */
export async function importNotice(
  hub: Hub,
  channel: Channel,
  record: PortableRecord,
  move: (text: string) => string,
): Promise<Taken> {
  const taken = await previewNotice(hub, channel.channel_id, record);
  if (taken !== "imported") return taken;
  const about = await targetOf(hub, channel.channel_id, record);
  const { mid: _, ...ids } = about;
  await restoreNotice(hub, {
    hash: textIn(record, "hash"),
    uid: channel.channel_id,
    created: dateIn(record, "created"),
    seen: flagIn(record, "seen"),
    ...ids,
    ...((await ofItsKind(hub, channel.channel_id, record, about)) ?? {
      kind: "worded",
      words: JSON.stringify(wordsIn(hub, record, about, move)),
    }),
  });
  return "imported";
}

/** What would become of a notice; nothing is written. */
export async function previewNotice(hub: Hub, uid: number, record: PortableRecord): Promise<Taken> {
  const hash = textIn(record, "hash");
  if (!/^[0-9a-f]{64}$/.test(hash) || dateIn(record, "created") === zeroDate) return "unreadable";
  const known = await hub.db
    .selectFrom("notify")
    .select("id")
    .where("uid", "=", uid)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return known ? "there" : "imported";
}

type Target = { item_id: number; mail_id: number; mid: string };

/** What it is about, as the channel has it here. */
async function targetOf(hub: Hub, uid: number, record: PortableRecord): Promise<Target> {
  const [mid, otype] = [textIn(record, "message_id"), textIn(record, "otype")];
  const item = mid === "" || otype !== "item" ? undefined : await findOwnItem(hub, uid, { mid });
  const mail = mid === "" || otype !== "mail" ? undefined : await mailWith(hub, uid, mid);
  return { mid, item_id: item?.id ?? 0, mail_id: mail?.id ?? 0 };
}

type OfItsKind = { kind: NoticeKind; verb: string; actor_id: number; abook_id: number; count: number };

/** The columns of a notice of which everything is known here. */
async function ofItsKind(hub: Hub, uid: number, record: PortableRecord, about: Target): Promise<OfItsKind | undefined> {
  const kind = textIn(record, "kind");
  const hash = textIn(record, "actor");
  const actor = isNoticeKind(kind) && hash !== "" ? await findXchan(hub, { hash }) : undefined;
  if (!isNoticeKind(kind) || !actor) return undefined;
  const connects = kind === "follower" || kind === "confirmed" || kind === "declined";
  const connection = connects ? (await connectionIdsOf(hub, uid, [hash])).get(hash) : undefined;
  const { about: otype, verb } = kindOf(kind);
  const isHere = {
    item: about.item_id > 0 || kind === "held",
    mail: about.mail_id > 0,
    intro: !connects || connection !== undefined,
  };
  if (!isHere[otype]) return undefined;
  const count = Math.max(1, numberIn(record, "count"));
  return {
    kind,
    actor_id: actor.xchan_id,
    abook_id: connection ?? 0,
    verb: verb === undefined ? line(textIn(record, "verb"), 255) : "",
    count,
  };
}

/** The words of a notice, whose link leads to what it is about if that is here. */
function wordsIn(
  hub: Hub,
  record: PortableRecord,
  { item_id, mail_id, mid }: Target,
  move: (text: string) => string,
): NoticeWords {
  const old = textIn(record, "link");
  const moved = () => webUrl(move(line(old, 2048)).replace(/\/connedit\/\d+$/, "/connections"));
  const link = item_id > 0 ? localLink(hub, mid) : mail_id > 0 ? `${hub.config.baseUrl}/mail/${mail_id}` : moved();
  const sentence = textIn(record, "msg").slice(0, longestSentence);
  return {
    xname: line(textIn(record, "xname"), 255),
    url: webUrl(move(line(textIn(record, "url"), 2048))),
    photo: webUrl(move(line(textIn(record, "photo"), 2048))),
    msg: move(old === "" ? sentence : sentence.replaceAll(old, () => link)),
    link,
    parent: line(textIn(record, "parent"), 2048),
    ntype: numberIn(record, "ntype"),
    verb: line(textIn(record, "verb"), 255),
    otype: line(textIn(record, "otype"), 255),
  };
}

function mailWith(hub: Hub, uid: number, mid: string) {
  return hub.db
    .selectFrom("mail")
    .select("id")
    .where("channel_id", "=", uid)
    .where("mid", "=", mid)
    .where("mail_deleted", "=", sql.lit(0))
    .executeTakeFirst();
}
