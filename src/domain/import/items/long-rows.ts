import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { importEvent } from "../../events/import-event.ts";
import type { PortableRecord, Taken } from "../../identity/records/portable-fields.ts";
import { textIn } from "../../identity/records/portable-fields.ts";
import { restoreItems } from "../../items/restoring/restore.ts";
import { importMail } from "../../messages/import-mail.ts";
import { importNotice } from "../../messages/import-notice.ts";
import { importFile } from "./files.ts";
import { storeMails } from "./direct.ts";
import { readShort } from "../people/short-xchan.ts";
import type { Short } from "../people/short-xchan.ts";
import { outcomeOf, prepareItem } from "./items.ts";
import type { ItemWork, Prepared } from "./items.ts";
import { decoded, eventNames, renamed } from "../sources/legacy.ts";
import type { Outcome } from "../report.ts";
import { takeOne } from "../channel/short-sections.ts";
import type { LongSection, SourceRow } from "../sources/source.ts";
import { isRecord } from "../../../record-of.ts";
import { recordsIn } from "../sources/shape.ts";
import { writeFor } from "../write-for.ts";

/** What became of each row of a batch, in their order; undefined for a comment whose thread may still come. */
export type Outcomes = (Outcome | undefined)[];

/** Writes a batch of rows of one section and, in the same transaction, what `note` writes about them. */
export async function importRows(
  work: ItemWork,
  section: LongSection,
  rows: readonly SourceRow[],
  note: (hub: Hub, outcomes: Outcomes) => Promise<void>,
): Promise<void> {
  switch (section) {
    case "item":
    case "webpages":
    case "wiki":
    case "event_item":
    case "elsewhere":
      return importItems(
        work,
        rows.map((row) => row.record),
        note,
      );
    case "event":
      return oneByOne(work, rows, note, takeEvent);
    case "mail":
      return oneByOne(work, rows, note, takeMail);
    case "notify":
      return oneByOne(work, rows, note, takeNotice);
    case "file": {
      const outcomes: Outcomes = [];
      for (const row of rows) outcomes.push(await importFile(work, row));
      return writeFor(work.hub, work.channel, (hub) => note(hub, outcomes));
    }
  }
}

/** Items that cannot be stored together are stored one by one, so that the fault of one is not that of all. */
async function importItems(
  work: ItemWork,
  records: readonly PortableRecord[],
  note: (hub: Hub, outcomes: Outcomes) => Promise<void>,
): Promise<void> {
  const prepared: Prepared[] = [];
  for (const record of records) prepared.push(await prepareItem(work, record));
  try {
    await writeFor(work.hub, work.channel, async (hub) => note(hub, await storeItems(hub, work, prepared)));
  } catch (error) {
    if (error instanceof HubError && error.kind === "unavailable") throw error;
    work.hub.log.warning("Some items could not be imported together: {error}", { error });
    const outcomes: Outcomes = [];
    for (const one of prepared) outcomes.push(await storeAlone(work, one));
    await writeFor(work.hub, work.channel, (hub) => note(hub, outcomes));
  }
}

async function storeAlone(work: ItemWork, one: Prepared): Promise<Outcome | undefined> {
  let waits = false;
  const outcome = await takeOne(
    work.hub,
    async () => {
      const [stored] = await writeFor(work.hub, work.channel, (hub) => storeItems(hub, work, [one]));
      waits = stored === undefined;
      return stored ?? "there";
    },
    "form" in one ? one.form.mid : one.example,
  );
  return waits ? undefined : outcome;
}

async function storeItems(hub: Hub, work: ItemWork, prepared: readonly Prepared[]): Promise<Outcomes> {
  const { channel } = work;
  const ready = prepared.flatMap((one) => ("item" in one ? [one] : []));
  const stored = await restoreItems(
    hub,
    channel,
    ready.map((one) => one.item),
  );
  const outcomes = new Map(ready.map((one, index) => [one as Prepared, outcomeOf(stored[index]!, one)]));
  for (const one of prepared) if ("mails" in one) outcomes.set(one, await storeMails(hub, work, one));
  return prepared.map((one) => ("form" in one ? outcomes.get(one) : one));
}

/** Reads a record and answers what writes it: identities are looked for before the transaction. */
type Take = (work: ItemWork, record: PortableRecord) => Promise<(hub: Hub) => Promise<Taken>>;

async function oneByOne(
  work: ItemWork,
  rows: readonly SourceRow[],
  note: (hub: Hub, outcomes: Outcomes) => Promise<void>,
  take: Take,
): Promise<void> {
  const outcomes: Outcomes = [];
  for (const { record } of rows) {
    const takeThis = async (): Promise<Taken> => writeFor(work.hub, work.channel, await take(work, record));
    outcomes.push(await takeOne(work.hub, takeThis, labelOf(record)));
  }
  await writeFor(work.hub, work.channel, (hub) => note(hub, outcomes));
}

/** What an event or a mail is called in the report. */
export function labelOf(record: PortableRecord): string {
  return textIn(record, "summary") || textIn(record, "title") || textIn(record, "message_id");
}

function takeEvent({ channel, escaped }: ItemWork, given: PortableRecord): ReturnType<Take> {
  const record = renamed(given, eventNames);
  return Promise.resolve((hub) => importEvent(hub, channel, escaped ? decoded(record) : record));
}

function takeNotice({ channel, mover }: ItemWork, record: PortableRecord): ReturnType<Take> {
  return Promise.resolve((hub) => importNotice(hub, channel, record, mover.text));
}

/** People are named by guid; the domain knows them by hash. */
async function takeMail(work: ItemWork, given: PortableRecord): ReturnType<Take> {
  const mail = await withHashes(work.escaped ? decoded(given) : given, (short) => work.people.meet(short));
  return (hub) => importMail(hub, work.channel, mail);
}

/** The mail with the hashes of the people that `find` answers. */
export async function withHashes(
  given: PortableRecord,
  find: (short: Short) => Promise<{ hash: string } | undefined>,
): Promise<PortableRecord> {
  const mail = { ...given };
  for (const side of ["from", "to"]) {
    const short = readShort(mail[side]);
    const person = short && (await find(short));
    if (person && isRecord(mail[side])) mail[side] = { ...mail[side], hash: person.hash };
  }
  const others: PortableRecord[] = [];
  for (const other of recordsIn(mail["also_to"])) {
    const short = readShort(other);
    const person = short && (await find(short));
    others.push(person ? { ...other, hash: person.hash } : other);
  }
  mail["also_to"] = others;
  return mail;
}
