import { HubError, refusal } from "../../errors.ts";
import { keptForm } from "../../refusals/messages.ts";
import { afterCommit, inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJobs } from "../../jobs/queue.ts";
import { releaseBlobs } from "../files/blobs.ts";
import { findAccountById, isClosed } from "../identity/accounts/accounts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { scopeOfPages } from "../items/audience.ts";
import { moverOf } from "./people/addresses.ts";
import { importCore, prepareCore } from "./channel/core.ts";
import { leaveLater, leaveOldHub } from "./leave.ts";
import { importRows } from "./items/long-rows.ts";
import type { ItemWork } from "./items/items.ts";
import { channelOfPage } from "./sources/page-channel.ts";
import { neighboursIn } from "./people/neighbours.ts";
import { People } from "./people/people.ts";
import { importPhoto } from "./items/photo.ts";
import { isImported, note, reportUnknown } from "./report.ts";
import type { Report } from "./report.ts";
import { loadRun, saveRun, withoutPassword } from "./run-state.ts";
import type { ImportRun } from "./run-state.ts";
import { importShortSection, shortSections } from "./channel/short-sections.ts";
import { checkCompatibility, isEscaped, isPosts, itemSections } from "./sources/source.ts";
import type { Head, Source, SourceRow } from "./sources/source.ts";
import { numberIn } from "../identity/records/portable-fields.ts";

/** How many rows one transaction writes: others can write in between. */
const together = 100;

export type RunBounds = {
  /** Is told after each transaction how far it has come. */
  watch?: ((run: ImportRun) => void) | undefined;
  /** Answers true when it is somebody else's turn; the import goes on from there another time. */
  pause?: (() => boolean) | undefined;
};

/**
 * Works on an import to its end, or until it is to pause. What is done is on disk with every step: killed and run
 * again, it goes on where it was. Answers false when there is more to do. Throws what refuses the whole.
 */
export async function runImport(hub: Hub, runId: number, source: Source, limits: RunBounds = {}): Promise<boolean> {
  const run = await loadRun(hub, runId);
  if (run.state !== "running") return true;
  try {
    return await goOn(hub, run, source, limits);
  } catch (error) {
    if (isFinal(error)) await failRun(hub, await loadRun(hub, runId), keptForm(error));
    throw error;
  }
}

/** Would trying again end the same way? */
export function isFinal(error: unknown): error is HubError {
  return error instanceof HubError && error.kind !== "unavailable";
}

async function goOn(hub: Hub, run: ImportRun, source: Source, limits: RunBounds): Promise<boolean> {
  const head = await source.head();
  checkCompatibility(head);
  await checkOwner(hub, run);
  const channel = await settleChannel(hub, run, head);
  limits.watch?.(run);
  await importShort(hub, run, channel, head);
  limits.watch?.(run);
  const done = await importLong(run, await workOf(hub, channel, head), source, limits);
  if (done) {
    const isLeft = head.channel && run.options.mode === "moving";
    await letNeighboursIn(hub, channel, head);
    await finish(hub, run, isLeft ? await leaveOldHub(hub, run, channel, head) : undefined);
  }
  limits.watch?.(run);
  return done;
}

/** Access lists name people of this hub as they are known elsewhere; they let them in by their names here from now on. May run twice. */
async function letNeighboursIn(hub: Hub, { channel_id: channel }: Channel, head: Head): Promise<void> {
  const neighbours = await neighboursIn(hub, head);
  await inTransaction(hub, (hub) =>
    addJobs(
      hub,
      "name-successor",
      [...neighbours].map(([person, successor]) => ({ channel, person, successor })),
    ),
  );
}

/** Throws what ends an import whose account, or whose channel, is gone. */
export async function checkOwner(hub: Hub, { accountId, channelId }: ImportRun): Promise<void> {
  const account = await findAccountById(hub, accountId);
  if (!account || isClosed(account)) throw refusal("account_closed_meanwhile");
  if (channelId > 0 && !(await findChannelById(hub, channelId))) throw refusal("channel_removed_meanwhile");
}

async function settleChannel(hub: Hub, run: ImportRun, head: Head): Promise<Channel> {
  run.progress.total = head.total;
  if (!run.progress.core) {
    const { accountId, options } = run;
    const result = head.channel
      ? await importCore(hub, accountId, await prepareCore(hub, head, { accountId, ...options }))
      : { channel: await channelOfPage(hub, accountId, options.nick, head), report: run.report };
    run.channelId = result.channel.channel_id;
    run.report = result.report;
    reportUnknown(run.report, head.unknown);
    run.progress.core = true;
    await saveRun(hub, run);
  }
  const channel = await findChannelById(hub, run.channelId);
  if (!channel) throw refusal("channel_removed_meanwhile");
  return channel;
}

async function importShort(hub: Hub, run: ImportRun, channel: Channel, head: Head): Promise<void> {
  const { short } = run.progress;
  if (!short.includes("photo") && head.photo) {
    note(run.report, "photo", await importPhoto(hub, channel, head.photo));
    short.push("photo");
    await saveRun(hub, run);
  }
  for (const section of shortSections) {
    const records = head.sections.get(section.name);
    if (!records || short.includes(section.name)) continue;
    delete run.report.sections[section.name];
    await importShortSection(hub, channel, section, records, run.report);
    short.push(section.name);
    await saveRun(hub, run);
  }
}

/** What the items of this import have in common. */
async function workOf(hub: Hub, channel: Channel, head: Head): Promise<ItemWork> {
  const from = { ...head.relocate, id: head.channel ? numberIn(head.channel, "channel_id") : 0 };
  const to = { url: hub.config.baseUrl, nick: channel.channel_address, id: channel.channel_id };
  return {
    hub,
    channel,
    people: new People(hub, channel),
    mover: moverOf(from, to),
    escaped: isEscaped(head),
    pagesScope: await scopeOfPages(hub, channel),
  };
}

/** The long sections in the order of the source, and once more for comments that came before their threads. */
async function importLong(run: ImportRun, work: ItemWork, source: Source, limits: RunBounds): Promise<boolean> {
  if (!(await onePass(run, work, source, limits))) return false;
  if (run.progress.pass === 2 || run.progress.held === 0) return true;
  run.progress = { ...run.progress, pass: 2, position: 0 };
  await saveRun(work.hub, run);
  return onePass(run, work, source, limits);
}

async function onePass(run: ImportRun, work: ItemWork, source: Source, limits: RunBounds): Promise<boolean> {
  const skip = run.progress.position;
  let batch: SourceRow[] = [];
  let index = 0;
  const flush = async (): Promise<boolean> => {
    if (batch.length > 0) await importBatch(work, run, batch);
    batch = [];
    limits.watch?.(run);
    return limits.pause?.() === true;
  };
  for await (const row of source.rows(skip)) {
    index += 1;
    if (index <= skip) continue;
    const full = batch.length >= together || (batch.length > 0 && batch[0]!.section !== row.section);
    if (full && (await flush())) return false;
    batch.push(row);
    // The bytes of a file have to be read before the source goes on.
    if (row.section === "file" && (await flush())) return false;
  }
  await flush();
  return true;
}

async function importBatch(work: ItemWork, run: ImportRun, rows: readonly SourceRow[]): Promise<void> {
  const section = rows[0]!.section;
  const again = run.progress.pass === 2;
  const unwanted = (isPosts(section) && !run.options.posts) || (again && !itemSections.has(section));
  const some = unwanted ? [] : again ? rows.filter(isAnswer) : rows;
  if (some.length === 0) return saveProgress(work.hub, run, rows.length, 0, run.report);
  await importRows(work, section, some, async (hub, outcomes) => {
    await checkOwner(hub, run);
    const report = structuredClone(run.report);
    let held = 0;
    for (const [index, outcome] of outcomes.entries()) {
      const known = outcome ?? (again ? orphan(some[index]!) : undefined);
      if (known === undefined) held += 1;
      // In the second round the others have been noted before.
      else if (!again || outcome === undefined || isImported(outcome)) note(report, section, known);
    }
    return saveProgress(hub, run, rows.length, held, report);
  });
}

function isAnswer({ record }: SourceRow): boolean {
  return record["message_top"] !== record["message_id"];
}

function orphan({ record }: SourceRow): { left: string; example: string } {
  const mid = record["message_id"];
  return { left: "its thread is not in the export", example: typeof mid === "string" ? mid : "" };
}

/** Only what is written counts: when the transaction fails or begins anew, so does this. */
async function saveProgress(hub: Hub, run: ImportRun, rows: number, held: number, report: Report): Promise<void> {
  const progress = {
    ...run.progress,
    position: run.progress.position + rows,
    held: run.progress.pass === 1 ? run.progress.held + held : run.progress.held,
  };
  await saveRun(hub, { ...run, progress, report });
  afterCommit(hub, () => void Object.assign(run, { progress, report }));
}

/** `untold` is the nick of the channel on an old hub that does not know yet. */
async function finish(hub: Hub, run: ImportRun, untold: string | undefined): Promise<void> {
  const options = untold === undefined ? withoutPassword(run.options) : run.options;
  const done: ImportRun = { ...run, state: "done", blob: "", options };
  await inTransaction(hub, async (hub) => {
    await releaseBlobs(hub, [run.blob]);
    if (untold !== undefined) await leaveLater(hub, run.id, untold);
    await saveRun(hub, done);
  });
  Object.assign(run, done);
}

/** Ends an import that cannot go on, with the reason in its report. */
export async function failRun(hub: Hub, run: ImportRun, reason: string): Promise<void> {
  if (run.state !== "running") return;
  run.state = "failed";
  run.report.failure = reason;
  run.options = withoutPassword(run.options);
  await inTransaction(hub, async (hub) => {
    await releaseBlobs(hub, [run.blob]);
    await saveRun(hub, { ...run, blob: "" });
  });
}
