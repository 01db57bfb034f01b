import { sql } from "kysely";
import type { Selectable } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { TermTable } from "../../../storage/tables/items.ts";
import type { AppTable } from "../../../storage/tables/records.ts";
import { inPieces } from "../../../storage/sql.ts";
import type { Channel } from "../channels/channel.ts";
import { dateIn, flagIn, hasValues, numberIn, textIn, urlIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";

type AppTerm = Selectable<TermTable>;

/** An app with its categories; only exports and imports carry it. */
export type App = Selectable<AppTable> & { terms: AppTerm[] };

const appTerm = 7;
const category = 3;

/** The apps of a channel by id: those that the member made, or those of the program that are installed. */
export async function listApps(hub: Hub, uid: number, kind: "made" | "system"): Promise<App[]> {
  const apps = await hub.db
    .selectFrom("app")
    .selectAll()
    .where("app_channel", "=", uid)
    .where("app_system", "=", kind === "system" ? 1 : 0)
    .orderBy("id")
    .execute();
  const terms = await termsOf(hub, uid);
  return apps.map((app) => ({ ...app, terms: terms.filter((term) => term.oid === app.id) }));
}

async function termsOf(hub: Hub, uid: number): Promise<AppTerm[]> {
  return hub.db
    .selectFrom("term")
    .selectAll()
    .where("uid", "=", uid)
    .where("message_id", "=", sql.lit(0))
    .where("otype", "=", appTerm)
    .orderBy("tid")
    .execute();
}

/** Takes an app and its categories over from an export; what was edited later here stays. */
export async function importApp(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const appId = textIn(record, "app_id");
  if (appId === "") return "unreadable";
  const [uid, values] = [channel.channel_id, valuesOf(record)];
  return inTransaction(hub, async (hub) => {
    const known = await hub.db
      .selectFrom("app")
      .selectAll()
      .where("app_channel", "=", uid)
      .where("app_id", "=", appId)
      .executeTakeFirst();
    const terms = termRows(uid, record["term"]);
    if (known && (known.app_edited > values.app_edited || (await isSame(hub, known, values, terms)))) return "there";
    const { id } = await hub.db
      .insertInto("app")
      .values({ app_channel: uid, app_id: appId, ...values })
      .onConflict((conflict) => conflict.columns(["app_channel", "app_id"]).doUpdateSet(values))
      .returning("id")
      .executeTakeFirstOrThrow();
    await replaceTerms(hub, uid, id, terms);
    return "imported";
  });
}

async function isSame(
  hub: Hub,
  known: Selectable<AppTable>,
  values: ReturnType<typeof valuesOf>,
  terms: readonly NewTerm[],
): Promise<boolean> {
  if (!hasValues(known, values)) return false;
  const here = (await termsOf(hub, known.app_channel)).filter((term) => term.oid === known.id);
  return here.length === terms.length && terms.every((term, place) => hasValues(here[place]!, term));
}

function valuesOf(record: PortableRecord) {
  return {
    app_name: textIn(record, "app_name"),
    app_sig: textIn(record, "app_sig"),
    app_page: textIn(record, "app_page"),
    app_requires: textIn(record, "app_requires"),
    app_price: textIn(record, "app_price"),
    app_version: textIn(record, "app_version"),
    app_plugin: textIn(record, "app_plugin"),
    app_author: textIn(record, "app_author"),
    app_addr: textIn(record, "app_addr"),
    app_desc: textIn(record, "app_desc"),
    app_url: urlIn(record, "app_url"),
    app_photo: urlIn(record, "app_photo"),
    app_options: numberIn(record, "app_options"),
    app_deleted: flagIn(record, "app_deleted"),
    app_system: flagIn(record, "app_system"),
    app_created: dateIn(record, "app_created"),
    app_edited: dateIn(record, "app_edited"),
  };
}

async function replaceTerms(hub: Hub, uid: number, oid: number, terms: readonly NewTerm[]): Promise<void> {
  await hub.db
    .deleteFrom("term")
    .where("uid", "=", uid)
    .where("message_id", "=", sql.lit(0))
    .where("otype", "=", appTerm)
    .where("oid", "=", oid)
    .execute();
  const rows = terms.map((term) => ({ ...term, oid }));
  for (const piece of inPieces(rows)) await hub.db.insertInto("term").values(piece).execute();
}

type NewTerm = ReturnType<typeof termRow>;

function termRows(uid: number, terms: unknown): NewTerm[] {
  return (Array.isArray(terms) ? terms : [])
    .filter((term): term is PortableRecord => typeof term === "object" && term !== null)
    .filter((term) => textIn(term, "term") !== "")
    .map((term) => termRow(uid, term));
}

function termRow(uid: number, record: PortableRecord) {
  const term = textIn(record, "term");
  return {
    message_id: 0,
    uid,
    otype: appTerm,
    // Older exports call it `type` (native contract 7.2).
    ttype: numberIn(record, "ttype") || numberIn(record, "type") || category,
    term,
    term_key: term.normalize("NFKC").toLowerCase(),
    url: urlIn(record, "url"),
    imgurl: urlIn(record, "imgurl"),
    term_hash: textIn(record, "term_hash"),
    parent_hash: textIn(record, "parent_hash"),
  };
}
