import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { layOutAnyhow } from "../bodies/texts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { dateIn, flagIn, numberIn, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { webUrl } from "../identity/xchans/web-url.ts";
import { line } from "../items/content.ts";
import { findOwnItem } from "../items/find.ts";
import { localLink } from "../items/links.ts";
import { restoreNotice } from "../notifications/notices.ts";
import { noticeLink } from "./notices.ts";

const longestSentence = 4000;

/**
 * Takes a notice over with its mark, for the channel alone; one that is here stays as it is. What it is about is found
 * by its mid, and `move` leads everything else to this hub.
 */
export async function importNotice(
  hub: Hub,
  channel: Channel,
  record: PortableRecord,
  move: (text: string) => string,
): Promise<Taken> {
  const uid = channel.channel_id;
  const taken = await previewNotice(hub, uid, record);
  if (taken !== "imported") return taken;
  const [hash, created] = [textIn(record, "hash"), dateIn(record, "created")];
  const { link, itemId } = await aim(hub, uid, record, move);
  const old = textIn(record, "link");
  const sentence = textIn(record, "msg").slice(0, longestSentence);
  const msg = move(old === "" ? sentence : sentence.replaceAll(old, () => link));
  const { html, plain } = await layOutAnyhow(hub, msg, "text/bbcode");
  await restoreNotice(hub, {
    hash,
    uid,
    aid: channel.channel_account_id,
    created,
    link,
    item_id: itemId,
    xname: line(textIn(record, "xname"), 255),
    url: webUrl(move(line(textIn(record, "url"), 2048))),
    photo: webUrl(move(line(textIn(record, "photo"), 2048))),
    msg,
    html,
    plain,
    parent: line(textIn(record, "parent"), 2048),
    seen: flagIn(record, "seen"),
    ntype: numberIn(record, "ntype"),
    verb: line(textIn(record, "verb"), 255),
    otype: line(textIn(record, "otype"), 255),
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

async function aim(
  hub: Hub,
  uid: number,
  record: PortableRecord,
  move: (text: string) => string,
): Promise<{ link: string; itemId: number }> {
  const [mid, otype] = [textIn(record, "message_id"), textIn(record, "otype")];
  const item = mid === "" || otype !== "item" ? undefined : await findOwnItem(hub, uid, { mid });
  if (item) return { link: localLink(hub, mid), itemId: item.id };
  const mail = mid === "" || otype !== "mail" ? undefined : await mailWith(hub, uid, mid);
  if (mail) return { link: noticeLink(hub, mail.id), itemId: 0 };
  // Connections have other numbers here.
  const link = move(line(textIn(record, "link"), 2048)).replace(/\/connedit\/\d+$/, "/connections");
  return { link: webUrl(link), itemId: 0 };
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
