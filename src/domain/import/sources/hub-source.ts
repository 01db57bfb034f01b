import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { HubError } from "../../../errors.ts";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { RefusedAddress } from "../../../fetch/fetch.ts";
import { isPrivateHost, isWithin } from "../../../fetch/private-hosts.ts";
import { keepBlobs } from "../../files/blobs.ts";
import { numberIn, textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import type { OldHub } from "../run-state.ts";
import { recordsIn } from "./shape.ts";
import { Circle } from "./circle.ts";
import { shallow } from "./shallow.ts";
import { isEscaped, jsonSource } from "./source.ts";
import type { Source, SourceRow } from "./source.ts";
import { isRecord } from "../../../record-of.ts";

/** Another hub as the source of an import: its native API, asked as the owner. */

const itemsPerPage = 100;
const chunkBytes = 4 * 1024 * 1024;
const mostSeconds = 120;
const mostBytesOfExport = 1024 * 1024 * 1024;
const mostBytesOfAnswer = 64 * 1024 * 1024;
/** Posts that wait for their date are of that date; asked without a bound a hub answers what is written by now. */
const withWaiting = { until: "9000-01-01 00:00:00" } as const;
/** A hundred posts with everything about them have a tenth of that; they are read in one go. */
const mostValuesOfAnswer = 500_000;
const mostItems = 5_000_000;
const mostFiles = 1_000_000;

export type Kept = {
  /** Where the export was kept when it was fetched; empty before that. */
  blob: string;
  posts: boolean;
  /** With those that wait for their date: a hub from which the channel moves publishes them no more. */
  waiting: boolean;
  keep: (blob: string) => Promise<void>;
};

/**
 * The old hub's export is fetched once and kept with the run; items and files follow page by page. Throws unavailable when
 * the hub does not answer, unauthenticated when it refuses the password.
 */
export async function hubSource(hub: Hub, old: OldHub, { blob, posts, waiting, keep }: Kept): Promise<Source> {
  checkAddress(hub, old.url);
  const ask = asker(hub, old);
  let name = blob;
  if (name === "") {
    name = await fetchExport(hub, ask, old, posts);
    await keep(name);
  }
  const basic = jsonSource(() => hub.blobs.read(name));
  return {
    async head() {
      const head = await basic.head();
      const pages = posts ? await pagesOf(ask, old.url, head.relocate.nick, waiting) : undefined;
      return { ...head, total: head.total + (pages?.items ?? 0) };
    },
    async *rows(skip) {
      const head = await basic.head();
      const pages = posts ? await pagesOf(ask, old.url, head.relocate.nick, waiting) : undefined;
      let count = 0;
      // The pages have all items, the export only those of three months.
      for await (const row of basic.rows(skip)) {
        if (pages && row.section === "item") continue;
        count += 1;
        yield row;
      }
      if (!pages) return;
      yield* itemRows(pages, Math.max(0, skip - count));
      count += pages.items;
      for await (const row of isEscaped(head) === false ? elsewhereRows(hub, pages) : []) {
        count += 1;
        yield row;
      }
      yield* fileRows(pages, Math.max(0, skip - count));
    },
  };
}

/** Tells the old hub that the channel `nick` of it has moved. `silent`: it did not answer, and may do so later. */
export async function notifyOldHub(
  hub: Hub,
  old: OldHub,
  nick: string,
  place: { url: string; nick: string },
): Promise<"told" | "refused" | "silent"> {
  try {
    const base = await findApi(asker(hub, old), old.url);
    const body = new URLSearchParams({ channel: nick, ...place }).toString();
    const headers = { authorization: basic(old), "content-type": "application/x-www-form-urlencoded" };
    const signal = AbortSignal.timeout(mostSeconds * 1000);
    const answer = await hub.fetch(`${base}/channel/moved`, { ...ways(hub), method: "POST", headers, body, signal });
    await answer.body?.cancel();
    if (answer.status === 200) return "told";
    return answer.status === 429 || answer.status >= 500 ? "silent" : "refused";
  } catch (error) {
    hub.log.info("The old hub could not be told of the move: {error}", { error });
    return error instanceof RefusedAddress ? "refused" : "silent";
  }
}

function basic({ login, password }: OldHub): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
}

type Pages = { ask: Ask; base: string; channel: string; query: Record<string, string>; items: number };

/** Where items and files are fetched page by page; undefined when the hub is too old for that. */
async function pagesOf(ask: Ask, url: string, channel: string, waiting: boolean): Promise<Pages | undefined> {
  const base = await findApi(ask, url);
  const query = { channel, ...(waiting && withWaiting) };
  const answer = await ask(`${base}/item/export_page`, { ...query, records: "1", page: "0" });
  if (answer.status === 404) {
    await answer.body?.cancel();
    return undefined;
  }
  const items = numberIn(await jsonOf(answer), "items_total");
  if (items > mostItems) throw refusal("old_hub_endless", { what: "more posts than anybody has" });
  return { ask, base, channel, query, items };
}

/** A password travels encrypted, or not far (as everybody's on a hub that is itself on plain http). */
function checkAddress(hub: Hub, url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || hub.config.baseUrl.startsWith("http://") || isLoopback(hostname)) return;
  if (isPrivateHost(hostname) && isWithin(hostname, hub.config.importFrom)) return;
  throw refusal("old_hub_needs_https");
}

function isLoopback(hostname: string): boolean {
  return isPrivateHost(hostname) && /^(localhost|127\.|\[::1\])/.test(hostname);
}

/** Without a query nobody is named: what is not known to be a hub is told no password. */
type Ask = (url: string, query?: Record<string, string>) => Promise<Response>;

function asker(hub: Hub, old: OldHub): Ask {
  const authorization = basic(old);
  return async (url, query) => {
    const full = query ? `${url}?${new URLSearchParams(query).toString()}` : url;
    const signal = AbortSignal.timeout(mostSeconds * 1000);
    try {
      return await hub.fetch(full, { ...ways(hub), ...(query && { headers: { authorization } }), signal });
    } catch (cause) {
      if (cause instanceof RefusedAddress) throw refusal("old_hub_not_asked", { why: cause.message, cause });
      throw refusal("old_hub_silent", { why: messageOf(cause), cause });
    }
  };
}

function ways({ config }: Hub) {
  return { purpose: "import", within: config.importFrom } as const;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const prefixes = ["/api/z/1.0", "/api/red"];

/** Where the old hub has its API: the first place that knows `version`. */
async function findApi(ask: Ask, url: string): Promise<string> {
  for (const prefix of prefixes) {
    const answer = await ask(`${url}${prefix}/version`);
    const isThere = answer.status === 200 && /json/.test(answer.headers.get("content-type") ?? "");
    await answer.body?.cancel();
    if (isThere) return url + prefix;
  }
  throw refusal("no_hub_there");
}

async function fetchExport(hub: Hub, ask: Ask, { url, login }: OldHub, posts: boolean): Promise<string> {
  const base = await findApi(ask, url);
  const nick = login.includes("@") ? {} : { channel: login };
  const answer = await ask(`${base}/channel/export/basic`, { ...nick, ...(posts && { posts: "1" }) });
  if (answer.status === 401 || answer.status === 403) {
    await answer.body?.cancel();
    throw refusal("old_hub_refuses_login");
  }
  if (answer.status !== 200 || !answer.body) throw await refusedBy(answer);
  const staged = await hub.blobs.stage(bodyOf(answer), mostBytesOfExport);
  const blob = randomUUID().replaceAll("-", "");
  await keepBlobs(hub, [{ name: blob, bytes: staged }]);
  return blob;
}

/** What `fetch` gives has its type from browsers. */
function bodyOf({ body }: Response): Readable {
  return Readable.fromWeb(body as never);
}

async function refusedBy(answer: Response): Promise<HubError> {
  await answer.body?.cancel();
  return refusal("old_hub_answered", { status: answer.status });
}

async function jsonOf(answer: Response): Promise<PortableRecord> {
  if (answer.status !== 200) throw await refusedBy(answer);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of shallow(bodyOf(answer), mostValuesOfAnswer)) {
    size += chunk.length;
    if (size > mostBytesOfAnswer) throw refusal("old_hub_answer_too_large");
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return isRecord(value) ? value : {};
  } catch (cause) {
    throw refusal("old_hub_speaks_no_json", { cause });
  }
}

/** What has been read before is not fetched again: rows without content stand for it. */
async function* itemRows(pages: Pages, skip: number): AsyncGenerator<SourceRow> {
  const { items } = pages;
  const first = Math.floor(Math.min(skip, items) / itemsPerPage);
  for (let count = 0; count < first * itemsPerPage; count++) yield { section: "item", record: {} };
  const circle = new Circle();
  const mark = Circle.markBefore(first);
  if (mark !== undefined && first * itemsPerPage < items) circle.remember(nameOfItems(await itemsOn(pages, mark)));
  for (let page = first; page * itemsPerPage < items; page++) {
    const records = await itemsOn(pages, page);
    if (records.length > 0 && circle.closes(page, nameOfItems(records)))
      throw refusal("old_hub_endless", { what: "the same posts again and again" });
    const expected = Math.min(itemsPerPage, items - page * itemsPerPage);
    for (let place = 0; place < expected; place++) yield { section: "item", record: records[place] ?? {} };
  }
}

async function itemsOn({ ask, base, query }: Pages, page: number): Promise<PortableRecord[]> {
  const wanted = { ...query, records: String(itemsPerPage), page: String(page) };
  return recordsIn((await jsonOf(await ask(`${base}/item/export_page`, wanted)))["item"]);
}

function nameOfItems(records: readonly PortableRecord[]): string {
  const hash = createHash("sha256");
  for (const record of records) hash.update(`${textIn(record, "message_id")} ${textIn(record, "revision")}\n`);
  return hash.digest("base64");
}

/** What the channel did in the threads of others, and its notices, which programs of ours alone export (decision 28). */
async function* elsewhereRows(hub: Hub, { ask, base, channel }: Pages): AsyncGenerator<SourceRow> {
  const answer = await ask(`${base}/channel/export/basic`, { channel, sections: "elsewhere" });
  if (answer.status === 400) {
    // An older version does not know the section.
    await answer.body?.cancel();
    return;
  }
  if (answer.status !== 200 || !answer.body) throw await refusedBy(answer);
  const staged = await hub.blobs.stage(bodyOf(answer), mostBytesOfExport);
  try {
    for await (const row of jsonSource(() => hub.blobs.read(staged)).rows(0))
      if (row.section === "elsewhere" || row.section === "notify") yield row;
  } finally {
    await hub.blobs.remove(staged);
  }
}

async function* fileRows(pages: Pages, skip: number): AsyncGenerator<SourceRow> {
  for (let page = 0; page < skip; page++) yield { section: "file", record: {} };
  const circle = new Circle();
  const mark = Circle.markBefore(skip);
  if (mark !== undefined) circle.remember(nameOfFile(await fileOn(pages, mark)));
  for (let page = skip; ; page++) {
    if (page > mostFiles) throw refusal("old_hub_endless", { what: "more files than anybody has" });
    const record = await fileOn(pages, page);
    if (!record) return;
    if (circle.closes(page, nameOfFile(record)))
      throw refusal("old_hub_endless", { what: "the same files again and again" });
    const file = recordsIn(record["attach"]).at(-1) ?? {};
    yield { section: "file", record, bytes: () => Promise.resolve(Readable.from(chunksOf(pages, file))) };
  }
}

async function fileOn({ ask, base, channel }: Pages, page: number): Promise<PortableRecord | undefined> {
  const answer = await jsonOf(await ask(`${base}/file/export_page`, { channel, page: String(page) }));
  return answer["success"] ? recordsIn(answer["results"])[0] : undefined;
}

function nameOfFile(record: PortableRecord | undefined): string {
  const file = recordsIn(record?.["attach"]).at(-1) ?? {};
  return `${textIn(file, "hash")} ${textIn(file, "revision")}`;
}

/** The bytes of a file in pieces, as `filedata` answers them; it knows the newest revision alone, `file` the others. */
async function* chunksOf({ ask, base, channel }: Pages, file: PortableRecord): AsyncGenerator<Buffer, void> {
  const total = Number(textIn(file, "filesize")) || 0;
  const [file_id, revision] = [textIn(file, "hash"), textIn(file, "revision")];
  for (let start = 0; start < total;) {
    const query = { channel, file_id, start: String(start), length: String(chunkBytes) };
    const chunk = contentOf(await jsonOf(await ask(`${base}/filedata`, query)), revision);
    if (!chunk) {
      const whole = contentOf(await jsonOf(await ask(`${base}/file`, { channel, file_id, revision })), revision);
      if (!whole) throw refusal("old_hub_keeps_revision");
      yield whole;
      return;
    }
    if (chunk.length === 0) throw refusal("old_hub_lost_file");
    yield chunk;
    start += chunk.length;
  }
}

/** The bytes in an answer, if they are of the revision that was meant. */
function contentOf({ attach }: PortableRecord, revision: string): Buffer | undefined {
  if (!isRecord(attach) || textIn(attach, "revision") !== revision) return undefined;
  return Buffer.from(textIn(attach, "content"), "base64");
}
