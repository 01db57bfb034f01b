import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Hono } from "hono";
import { unpackTar } from "modern-tar";
import pg from "pg";
import { readConfig } from "../../src/config/config.ts";
import type { Hub } from "../../src/hub.ts";
import { createApp } from "../../src/main.ts";
import { openOwnHub } from "../../src/open-own-hub.ts";
import { basic } from "../support/client.ts";
import { emptyPlace, hubbubJson } from "../support/command.ts";
import type { Place } from "../support/command.ts";
import { onPostgres } from "../support/hub.ts";
import { written } from "../support/oauth.ts";
import type { Secrets } from "../support/oauth.ts";

/** What a version has left (README.md), and how it is opened and asked. */

/** What the earlier version answered, and what it takes to ask again. */
export type Kept = {
  /** Its time, which stood still. */
  clock: string;
  base: string;
  password: string;
  application: Required<Secrets>;
  /** Cookies of browsers in which somebody is logged in. */
  sessions: Record<string, string>;
  /** Tokens of applications for the Mastodon API. */
  bearers?: Record<string, string>;
  answers: Answer[];
};

/** `who` is the kind of credentials and whose they are, such as `password alma`; `server` asks for documents. */
export type Answer = { who: string; path: string; status: number; type?: string; location?: string; body: string };

/** The file of that name in the folder of a version. */
export function unpacked(folder: string, name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(folder, name)));
}

/** How the old data comes to a hub of today. */
export const ways = {
  async database(folder: string, place: Place): Promise<void> {
    for (const { header, data } of await unpackTar(unpacked(folder, "data.tar.br"))) {
      if (onPostgres && header.name === "hubbub.db") continue;
      const file = join(place.folder, header.name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, data!);
    }
    if (onPostgres) await load(place.env["HUBBUB_DATABASE_URL"]!, unpacked(folder, "hubbub.sql.br").toString());
  },
  async backup(folder: string, place: Place): Promise<void> {
    await hubbubJson(place, "restore", join(folder, "hubbub.backup.gz"));
  },
};

async function load(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements);
  await client.end();
}

export type Opened = { hub: Hub; app: Hono; close(): Promise<void> };

/** A hub of today on what the version in that folder has left; its time stands still. */
export async function openKept(
  folder: string,
  way: keyof typeof ways,
  { base, clock }: Pick<Kept, "base" | "clock">,
): Promise<Opened> {
  const place = await emptyPlace({ HUBBUB_BASE_URL: base, HUBBUB_LOG_LEVEL: "off" });
  await ways[way](folder, place);
  const hub = await openOwnHub(readConfig(place.env), { clock: () => new Date(clock) });
  return {
    hub,
    app: createApp(hub),
    async close() {
      await hub.close();
      await place.remove();
    },
  };
}

/** What these credentials are answered there. */
export async function ask(
  { hub, app }: Pick<Opened, "hub" | "app">,
  kept: Omit<Kept, "answers">,
  { who, path }: Pick<Answer, "who" | "path">,
): Promise<Answer> {
  const [kind, name = ""] = who.split(" ");
  const { target, headers } = kind === "application" ? signed(hub, kept, path) : { target: path, headers: {} };
  const credentials = {
    ...(kind === "password" && { authorization: basic(`${name}:${kept.password}`) }),
    ...(kind === "session" && { cookie: kept.sessions[name]! }),
    ...(kind === "bearer" && { authorization: `Bearer ${kept.bearers![name]!}` }),
    ...(kind === "server" && { accept: "application/activity+json" }),
  };
  const sent = { host: new URL(kept.base).host, ...headers, ...credentials };
  const response = await app.request(kept.base + target, { headers: sent });
  const { status } = response;
  const type = response.headers.get("content-type") ?? undefined;
  const location = response.headers.get("location") ?? undefined;
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = bytes.length === 0 || /^text|json|xml/.test(type ?? "");
  const body = isText ? bytes.toString() : createHash("sha256").update(bytes).digest("hex");
  return { who, path, status, ...(type && { type }), ...(location && { location }), body };
}

function signed(hub: Hub, { base, application }: Pick<Kept, "base" | "application">, path: string) {
  const url = new URL(path, base);
  return written(hub, application, { path: url.pathname, query: Object.fromEntries(url.searchParams) });
}

/** All of an answer that is for programs, in lines; of a page what comes from the database, in whatever words it is said. */
export function comparable(answer: Answer): Answer {
  const { type = "" } = answer;
  // Each version has its own scripts and icons.
  const body = answer.body.replaceAll(/(?<=\/assets\/)[0-9a-f]+(?=\/)/g, "");
  if (type.includes("json")) return { ...answer, body: JSON.stringify(JSON.parse(body), null, 1) };
  return type.includes("html") ? { ...answer, body: contentOf(body) } : answer;
}

/** What stands folded below the beginning of a long text. */
const rest = /\s*<details class="rest-of-text">\s*<summary>[\s\S]*?<\/summary>\s*([\s\S]*?)\s*<\/details>/g;

/** The texts, dates and addresses between what belongs to the pages themselves, such as the covers of albums. */
function contentOf(page: string): string {
  const main = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? page;
  const unfolded = main.replaceAll(rest, "<br>$1");
  const shown = unfolded.replaceAll(/<(form|nav|hub-news)\b[\s\S]*?<\/\1>|(?<=\/album\/\w+"\s*>)<img[^>]*>/g, "");
  const found = shown.matchAll(
    /<div class="(?:body|prose)[^>]*>([\s\S]*?)<\/div>|<time datetime="([^"]*)|<(?:a|img)\s[^>]*?(?:href|src)="([^"]*)|class="notice-words"\s*>([^<]*)/g,
  );
  return [...found].map(([, ...parts]) => parts.join("").trim()).join("\n");
}
