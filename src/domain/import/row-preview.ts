import type { Hub } from "../../hub.ts";
import { previewEvent } from "../events/import-event.ts";
import { textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { previewMail } from "../messages/import-mail.ts";
import { previewNotice } from "../messages/import-notice.ts";
import { mailsOf, mailsOutcome } from "./items/direct.ts";
import { previewFile } from "./items/files.ts";
import type { ItemForm } from "./items/item-form.ts";
import { decoded, eventNames, renamed } from "./sources/legacy.ts";
import { labelOf, withHashes } from "./items/long-rows.ts";
import type { People } from "./people/people.ts";
import type { Outcome } from "./report.ts";
import { takeOne } from "./channel/short-sections.ts";
import type { SourceRow } from "./sources/source.ts";

/** Tells what would become of events, mails, notices and files; nothing is written. */
export class RowPreview {
  /** What earlier rows of the export would have brought. */
  readonly #taken = new Set<string>();
  readonly #hub: Hub;
  readonly #uid: number;
  readonly #self: string;
  readonly #escaped: boolean | undefined;
  readonly #people: People;

  /** `uid` is 0 for a channel that is not here yet, `self` its hash. */
  constructor(hub: Hub, uid: number, self: string, escaped: boolean | undefined, people: People) {
    this.#hub = hub;
    this.#uid = uid;
    this.#self = self;
    this.#escaped = escaped;
    this.#people = people;
  }

  tell(row: SourceRow): Promise<Outcome> {
    if (row.section === "file") return previewFile(this.#hub, this.#uid, row, this.#taken);
    if (row.section === "notify") return takeOne(this.#hub, () => this.#previewNotice(row.record), labelOf(row.record));
    const take = row.section === "mail" ? this.#previewMail(row.record) : this.#previewEvent(row.record);
    return takeOne(this.#hub, () => take, labelOf(row.record));
  }

  /** A message that other programs keep as an item; undefined for one without recipients. */
  async previewDirect(form: ItemForm): Promise<Outcome | undefined> {
    const author = (await this.#people.find(form.author)) ?? { hash: form.author.hash };
    const mails = mailsOf(this.#self, form, author);
    if (mails.length === 0) return undefined;
    const done: Taken[] = [];
    for (const mail of mails) done.push(await previewMail(this.#hub, this.#uid, this.#self, mail));
    return mailsOutcome(form, done);
  }

  async #previewEvent(given: PortableRecord): Promise<Taken> {
    const record = renamed(given, eventNames);
    return this.#once(`event ${textIn(record, "event_hash")}`, await previewEvent(this.#hub, this.#uid, record));
  }

  async #previewNotice(record: PortableRecord): Promise<Taken> {
    return this.#once(`notice ${textIn(record, "hash")}`, await previewNotice(this.#hub, this.#uid, record));
  }

  async #previewMail(given: PortableRecord): Promise<Taken> {
    const find = async (short: Parameters<People["find"]>[0]) => (await this.#people.find(short)) ?? short;
    const mail = await withHashes(this.#escaped ? decoded(given) : given, find);
    return this.#once(`mail ${textIn(mail, "message_id")}`, await previewMail(this.#hub, this.#uid, this.#self, mail));
  }

  #once(name: string, taken: Taken): Taken {
    if (taken === "imported" && this.#taken.has(name)) return "there";
    this.#taken.add(name);
    return taken;
  }
}
