import { createSign } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Writes a value to a file of its own and answers its path. */
export function jsonFile(value: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), "hubbub-export-")), "export.json");
  writeFileSync(path, JSON.stringify(value));
  return path;
}
