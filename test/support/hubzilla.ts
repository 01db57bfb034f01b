import { createSign, randomUUID } from "node:crypto";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { KeyPair } from "../../src/keys.ts";

/** Recorded exports of another program, signed again with a key of ours: theirs is not in the recordings. */

export type Json = Record<string, any>;

const folder = join(import.meta.dirname, "samples");

/** The recorded export of a channel. */
export function channelExport(keys: KeyPair): Json {
  const sample = read("hubzilla-channel-export.json");
  const { channel } = sample;
  const guidSignature = `sha256.${signed(keys, channel.channel_guid)}`;
  Object.assign(channel, {
    channel_pubkey: keys.publicKey,
    channel_prvkey: keys.privateKey,
    channel_guid_sig: guidSignature,
  });
  for (const hubloc of sample["hubloc"].filter((one: Json) => one["hubloc_hash"] === channel.channel_hash)) {
    hubloc.hubloc_guid_sig = guidSignature;
    hubloc.hubloc_url_sig = `sha256.${signed(keys, hubloc.hubloc_url)}`;
  }
  return sample;
}

/** The recorded page of items of the same channel. */
export function itemsPage(keys: KeyPair): Json {
  const page = read("hubzilla-items-page.json");
  const { channel } = read("hubzilla-channel-export.json");
  const guidSignature = `sha256.${signed(keys, channel.channel_guid)}`;
  for (const item of page["item"]) {
    for (const person of [item.owner, item.author].filter((one: Json) => one["id"] === channel.channel_guid)) {
      Object.assign(person, { id_sig: guidSignature, key: keys.publicKey });
    }
    if (item.author.id === channel.channel_guid) item.signature = `sha256.${signed(keys, item.body)}`;
  }
  return page;
}

function read(name: string): Json {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as Json;
}

/** The base64url RSA-SHA256 signature of a text. */
export function signed(keys: KeyPair, text: string): string {
  return createSign("sha256").update(text).sign(keys.privateKey, "base64url");
}

let written: string | undefined;

/** Writes a value to a file of its own, which goes when the tests end, and answers its path. */
export function jsonFile(value: unknown): string {
  if (written === undefined) {
    written = mkdtempSync(join(tmpdir(), "hubbub-export-"));
    process.once("exit", () => rmSync(written!, { recursive: true, force: true }));
  }
  const path = join(written, `${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

/** An export with so many posts of the channel, a fifth of them with a comment; written piece by piece. */
export async function longExport(
  path: string,
  keys: KeyPair,
  posts: number,
  { sentences = 20, padding = 0 } = {},
): Promise<void> {
  const {
    item: [top, comment],
  } = itemsPage(keys);
  const { compatibility, relocate, ...rest } = channelExport(keys);
  await pipeline(
    Readable.from(
      longText(
        { compatibility: { ...compatibility, project: "hubbub" }, relocate, ...rest },
        keys,
        { ...top, padding: " ".repeat(padding) },
        comment,
        posts,
        sentences,
      ),
    ),
    createWriteStream(path),
  );
}

function* longText(
  head: Json,
  keys: KeyPair,
  top: Json,
  comment: Json,
  posts: number,
  sentences: number,
): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"item":[`;
  // One signature serves all: what differs is not signed.
  const body = `A post. ${"It says something, and then something else. ".repeat(sentences)}`.trim();
  const signature = signed(keys, body);
  for (let number = 0; number < posts; number++) {
    const mid = `https://hz.test/item/00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const ids = { message_id: mid, message_top: mid, message_parent: mid, permalink: mid };
    yield `${number > 0 ? "," : ""}${JSON.stringify({ ...top, ...ids, body, signature, title: `Post ${number}` })}`;
    if (number % 5 === 0)
      yield `,${JSON.stringify({ ...comment, message_id: `${mid}-c`, message_top: mid, message_parent: mid, body: "Yes" })}`;
  }
  yield "]}";
}

/** Another hub with this channel, as `hub.fetch` meets it: everything there is, in one page. */
export function oldHub({
  basic,
  items,
  files,
}: {
  basic: Json;
  items: Json[];
  files: { form: Json; bytes: Buffer }[];
}): typeof globalThis.fetch {
  return (given) => {
    const url = new URL(given instanceof Request ? given.url : given);
    const page = Number(url.searchParams.get("page"));
    const answers: Record<string, () => unknown> = {
      version: () => "7.8",
      "channel/export/basic": () => basic,
      "item/export_page": () => ({ relocate: basic["relocate"], items_total: items.length, item: page ? [] : items }),
      "file/export_page": () => ({
        success: files[page] !== undefined,
        results: files[page] ? [files[page].form] : [],
      }),
      filedata: () => {
        const { form, bytes } = files.find(({ form }) => form["attach"][0].hash === url.searchParams.get("file_id"))!;
        return { attach: { ...form["attach"][0], content: bytes.toString("base64") } };
      },
    };
    const answer = answers[url.pathname.replace("/api/z/1.0/", "")];
    return Promise.resolve(answer ? Response.json(answer()) : new Response("", { status: 404 }));
  };
}
