import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findHere, keyOf } from "../items/restoring/restore-lookups.ts";
import { importCore, prepareCore } from "./channel/core.ts";
import { flawOf, readItem } from "./items/item-form.ts";
import type { ItemForm } from "./items/item-form.ts";
import { warnUntold } from "./leave.ts";
import { channelOfPage } from "./sources/page-channel.ts";
import { People } from "./people/people.ts";
import type { Own } from "./people/people.ts";
import { previewPhoto } from "./items/photo.ts";
import { emptyReport, note, reportUnknown, warn } from "./report.ts";
import type { Outcome, Report } from "./report.ts";
import { RowPreview } from "./row-preview.ts";
import type { ImportOptions, ImportRun } from "./run-state.ts";
import { importShortSection, shortSections } from "./channel/short-sections.ts";
import { signatureStateOf, unverified } from "./items/signatures.ts";
import { checkCompatibility, isEscaped, isPosts, itemSections } from "./sources/source.ts";
import type { Head, Source, SourceRow } from "./sources/source.ts";

const together = 200;

/**
 * Reads and checks a whole export as if to import it, and writes nothing: what would come over, and what not. Throws what
 * would refuse the whole.
 */
export async function checkImport(
  hub: Hub,
  accountId: number,
  source: Source,
  options: ImportRun["options"],
): Promise<Report> {
  const head = await source.head();
  checkCompatibility(head);
  const { report, channel, own } = await tryHead(hub, accountId, head, options);
  reportUnknown(report, head.unknown);
  const people = new People(hub, own);
  const rows = new RowPreview(hub, channel?.channel_id ?? 0, own.channel_hash, isEscaped(head), people);
  const found: Found = { report, known: new Set(), waiting: new Map(), people, own, rows };
  let batch: SourceRow[] = [];
  for await (const row of source.rows(0)) {
    if (isPosts(row.section) && !options.posts) continue;
    batch.push({ section: row.section, record: row.record, ...(row.bytes && { bytes: row.bytes }) });
    if (batch.length < together) continue;
    await checkBatch(hub, channel, head, batch, found);
    batch = [];
  }
  await checkBatch(hub, channel, head, batch, found);
  settle(found);
  if (head.channel && options.mode === "moving" && !options.oldHub) warnUntold(report, "does not know");
  return report;
}

/** Carried out in a transaction that is taken back: nothing tells better what would happen. */
async function tryHead(hub: Hub, accountId: number, head: Head, options: ImportOptions): Promise<Tried["result"]> {
  if (!head.channel) {
    const channel = await channelOfPage(hub, accountId, options.nick, head);
    return { report: emptyReport(), channel, own: channel };
  }
  const core = await prepareCore(hub, head, { accountId, ...options });
  const before = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_hash", "=", core.record.channel_hash)
    .executeTakeFirst();
  const tried = new Tried();
  await inTransaction(hub, async (hub) => {
    const { channel, report } = await importCore(hub, accountId, core);
    for (const section of shortSections) {
      const records = head.sections.get(section.name);
      if (records) await importShortSection(hub, channel, section, records, report);
    }
    if (head.photo) note(report, "photo", await previewPhoto(hub, channel.channel_id, head.photo));
    if (channel.channel_address !== core.nick) warn(report, `The nick would be ${channel.channel_address}.`);
    tried.result = { report, channel: before && channel, own: channel };
    throw tried;
  }).catch((error: unknown) => {
    if (error !== tried) throw error;
  });
  return tried.result;
}

class Tried extends Error {
  /** `channel` is the one that is here already; `own` says whose import it is. */
  declare result: { report: Report; channel: Channel | undefined; own: Own };
}

/** Comments whose thread has not come yet, by mid. */
type Waiting = Map<string, { section: string; parent: string; outcome: Outcome }>;
type Found = { report: Report; known: Set<string>; waiting: Waiting; people: People; own: Own; rows: RowPreview };

async function checkBatch(
  hub: Hub,
  channel: Channel | undefined,
  head: Head,
  rows: readonly SourceRow[],
  found: Found,
): Promise<void> {
  const forms = rows.map((row) => (isItem(row) ? readItem(row.record, isEscaped(head)) : undefined));
  const items = forms.filter((form) => form !== undefined);
  const here = channel && items.length > 0 ? await findHere(hub, channel.channel_id, items) : undefined;
  for (const mid of here?.byMid.keys() ?? []) found.known.add(mid);
  for (const [index, row] of rows.entries()) {
    const form = forms[index];
    const outcome = isItem(row)
      ? await itemOutcome(form, now(hub), here?.exact, found, row.section)
      : await found.rows.tell(row);
    if (outcome) note(found.report, row.section, outcome);
  }
}

function isItem({ section }: SourceRow): boolean {
  return itemSections.has(section);
}

async function itemOutcome(
  form: ItemForm | undefined,
  moment: string,
  here: Map<string, { edited: string }> | undefined,
  found: Found,
  section: string,
): Promise<Outcome | undefined> {
  const { known, waiting } = found;
  if (!form) return { left: "it has no id or no author", example: "" };
  const flaw = flawOf(form, moment);
  if (flaw) return { left: flaw, example: form.mid };
  const direct = form.isDirect ? await found.rows.previewDirect(form) : undefined;
  if (direct) return direct;
  const version = form.resource_type === "nwikipage" ? form.revision : 0;
  const key = `version ${keyOf({ mid: form.mid, version })}`;
  const own = here?.get(keyOf({ mid: form.mid, version }));
  if (known.has(key) || (own && own.edited >= form.edited)) return "there";
  const outcome = await arrival(form, found);
  if (form.parentMid !== form.mid && !known.has(form.parentMid)) {
    waiting.set(form.mid, { section, parent: form.parentMid, outcome });
    return undefined;
  }
  known.add(key);
  known.add(form.mid);
  return outcome;
}

/** What would be said of an item that comes over. */
async function arrival(form: ItemForm, { people, own }: Found): Promise<Outcome> {
  const author = await people.find(form.author);
  const fails = author && signatureStateOf(form, author, author.hash === own.channel_hash) === "fails";
  return fails ? { imported: unverified, example: form.mid } : "imported";
}

/** Comments that came before their threads. */
function settle({ report, known, waiting }: Found): void {
  for (const [mid, { section, parent, outcome }] of waiting) {
    note(report, section, known.has(parent) ? outcome : { left: "its thread is not in the export", example: mid });
  }
}
