import { sql } from "kysely";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { layOutAnyhow } from "../bodies/texts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { fitsList, formatList } from "../identity/records/access-list.ts";
import { dateIn, recordOf, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { empty } from "./empty.ts";

/**
 * Takes a portable mail into the channel's messages; running it again changes nothing. A mail that neither came from
 * the channel nor went to it is refused as unreadable. Flag `deleted` removes, `recalled` empties.
 */
export async function importMail(hub: Hub, channel: Channel, portable: unknown): Promise<Taken> {
  const mail = read(portable, channel.channel_hash);
  if (!mail) return "unreadable";
  return inTransaction(hub, async (hub) => {
    const known = await findByMid(hub, channel.channel_id, mail.mid);
    if (known && !changes(known, mail)) return "there";
    await (known ? change(hub, known, mail) : add(hub, channel, mail));
    return "imported";
  });
}

/** What `importMail` would answer for the channel of that hash, whose id is 0 before it is here; nothing is written. */
export async function previewMail(hub: Hub, uid: number, self: string, portable: unknown): Promise<Taken> {
  const mail = read(portable, self);
  if (!mail) return "unreadable";
  const known = await findByMid(hub, uid, mail.mid);
  return known && !changes(known, mail) ? "there" : "imported";
}

/** Takes a conversation record into the channel's conversations; running it again changes nothing. */
export async function importConversation(hub: Hub, channel: Channel, record: unknown): Promise<Taken> {
  const fields = recordOf(record);
  const guid = textIn(fields, "guid");
  if (guid === "") return "unreadable";
  const { numInsertedOrUpdatedRows } = await hub.db
    .insertInto("conv")
    .values({
      uid: channel.channel_id,
      guid,
      recips: textIn(fields, "recips"),
      creator: textIn(fields, "creator"),
      created: dateIn(fields, "created", now(hub)),
      updated: dateIn(fields, "updated", dateIn(fields, "created", now(hub))),
      subject: textIn(fields, "subject"),
    })
    .onConflict((conflict) => conflict.columns(["uid", "guid"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n ? "imported" : "there";
}

type Portable = {
  mid: string;
  parent: string;
  from: string;
  to: string;
  flags: Set<string>;
  fields: PortableRecord;
};

/** The mail, if the channel of the hash `self` sent or got it. */
function read(portable: unknown, self: string): Portable | undefined {
  const fields = recordOf(portable);
  const mid = textIn(fields, "message_id");
  const [from, to] = [textIn(recordOf(fields["from"]), "hash"), textIn(recordOf(fields["to"]), "hash")];
  if (mid === "" || mid.length > 2048 || from === "" || to === "") return undefined;
  if (from !== self && to !== self) return undefined;
  const flags = Array.isArray(fields["flags"]) ? fields["flags"].map(String) : [];
  return { mid, parent: textIn(fields, "message_parent") || mid, from, to, flags: new Set(flags), fields };
}

async function findByMid(hub: Hub, uid: number, mid: string) {
  return hub.db
    .selectFrom("mail")
    .select(["id", "mail_recalled", "mail_deleted"])
    .where("channel_id", "=", uid)
    .where("mid", "=", mid)
    .executeTakeFirst();
}

type Known = NonNullable<Awaited<ReturnType<typeof findByMid>>>;

function changes(known: Known, { flags }: Portable): boolean {
  return (flags.has("deleted") && known.mail_deleted === 0) || (flags.has("recalled") && known.mail_recalled === 0);
}

async function change(hub: Hub, known: Known, { flags }: Portable): Promise<void> {
  await hub.db
    .updateTable("mail")
    .set({
      ...empty,
      ...(flags.has("deleted") && { mail_deleted: 1 }),
      ...(flags.has("recalled") && { mail_recalled: 1 }),
    })
    .where("id", "=", known.id)
    .execute();
}

async function add(hub: Hub, channel: Channel, { mid, parent, from, to, flags, fields }: Portable): Promise<void> {
  const bare = flags.has("deleted") || flags.has("recalled");
  const body = bare ? "" : textIn(fields, "body");
  const created = dateIn(fields, "created", now(hub));
  const guid = textIn(fields, "conv_guid") || parent;
  const { html, plain } = await layOutAnyhow(hub, body, "text/bbcode");
  await hub.db
    .insertInto("mail")
    .values({
      convid: 0,
      conv_guid: guid,
      from_xchan: from,
      to_xchan: to,
      also_to: formatList(othersIn(fields["also_to"])),
      account_id: channel.channel_account_id,
      channel_id: channel.channel_id,
      mid,
      parent_mid: parent,
      title: bare ? "" : textIn(fields, "title"),
      body,
      html,
      plain,
      attach: bare ? "" : attachments(fields["attach"]),
      fed_meta: textIn(fields, "fed_meta"),
      mail_deleted: Number(flags.has("deleted")),
      mail_recalled: Number(flags.has("recalled")),
      mail_replied: Number(flags.has("replied")),
      mail_isreply: Number(flags.has("isreply")),
      mail_seen: Number(flags.has("seen") || from === channel.channel_hash),
      created,
      expires: dateIn(fields, "expires"),
    })
    .execute();
  if (!flags.has("deleted")) await ensureConversation(hub, channel, guid, created, textIn(fields, "title"));
}

/** Hashes of those who got it besides its recipient. */
function othersIn(value: unknown): string[] {
  const hashes = Array.isArray(value) ? value.map((other) => textIn(recordOf(other), "hash")) : [];
  return hashes.filter((hash) => hash !== "" && fitsList(hash));
}

function attachments(value: unknown): string {
  const entries = Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : [];
  return entries.length > 0 ? JSON.stringify(entries) : "";
}

/** Older exports have no conversations beside their mails. */
async function ensureConversation(hub: Hub, channel: Channel, guid: string, date: string, subject: string) {
  await hub.db
    .insertInto("conv")
    .values({ uid: channel.channel_id, guid, recips: "", creator: "", created: date, updated: date, subject })
    .onConflict((conflict) =>
      conflict
        .columns(["uid", "guid"])
        .doUpdateSet({ updated: sql`excluded.updated` })
        .where("conv.updated", "<", date),
    )
    .execute();
}
