import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Hono } from "hono";
import { unpackTar } from "modern-tar";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import type { Hub } from "../src/hub.ts";
import { runDue } from "../src/jobs/runner.ts";
import { createApp } from "../src/main.ts";
import { openOwnHub } from "../src/open-own-hub.ts";
import { basic } from "./support/client.ts";
import { hubbubJson, emptyPlace } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { onPostgres } from "./support/hub.ts";
import { written } from "./support/oauth.ts";
import type { Secrets } from "./support/oauth.ts";

/** Databases and backups of an earlier version open, migrate and answer as they did (test/upgrades/README.md). */

const folder = join(import.meta.dirname, "upgrades/0003-clients-search");

/** What the earlier version answered, and what it takes to ask again. */
type Kept = {
  /** Its time, which stood still. */
  clock: string;
  base: string;
  password: string;
  application: Required<Secrets>;
  /** Cookies of browsers in which somebody is logged in. */
  sessions: Record<string, string>;
  answers: Answer[];
};

type Answer = { who: string; path: string; status: number; type?: string; location?: string; body: string };

const kept = JSON.parse(unpacked("answers.json.br").toString()) as Kept;

/** What answers differently on purpose, each with the reason: what the old answer is taken for. */
const changes: { why: string; types: RegExp; before: RegExp; now: (found: string, who: string) => string }[] = [
  {
    why: "texts name people by what clients can resolve: @bob, not the @Bob that pages show (issue 9)",
    types: /json|application\/xml/,
    before: /(?<=("text": ".*|<text>[^<]*))@(Alma|Bob)\b/g,
    now: (found) => found.toLowerCase(),
  },
  {
    why: "the one share in this world was counted twice on pages that have it beside the post",
    types: /json|application\/xml/,
    before: /(?<="retweet_count": |<retweet_count>)2/g,
    now: () => "1",
  },
  {
    why: "a share counts how often what it repeats was shared (decision 119): the one in this world, which is alma's",
    types: /json|application\/xml/,
    before: new RegExp(
      [
        String.raw`(?:"retweeted": |<retweeted>)false(?:,|</retweeted>)\s*`,
        String.raw`(?:"favorite_count": |<favorite_count>)0(?:,|</favorite_count>)\s*`,
        String.raw`(?:"retweet_count": |<retweet_count>)0(?=[^{}]{0,200}html(?:": "<|>&lt;)article class=\\?"shared)`,
      ].join(""),
      "g",
    ),
    now: (found, who) => found.replace("false", String(who.endsWith(" alma"))).replace(/0$/, "1"),
  },
  {
    why: "people are blocked by a button where they stand, not on a page of its own (issue 12)",
    types: /html/,
    before: /^\/connections\/block\?xchan=.*\n/gm,
    now: () => "",
  },
];

/** Pages that members see in another form: people to connect with (decision 84) and notices in groups (83). */
const remade = /^session \w+ \/(?:directory|notifications)$/;

/**
 * What there is since. Lines: exports hold the keys for proofs (decision 45), people can be reported, edited posts have
 * their history, calendars are shown by other programs. Boxes of lists of tasks have names.
 */
const added =
  /^(?: *"channel_ed25519_(?:pub|prv)key": .*|\/report\?.*|\/events\/subscribe|\/item\/.*\/history)\n|(?<="checkbox\\?") aria-label=\\?"(?:Done|Not done)\\?"/gm;

/** How the old data comes to a hub of today. */
const ways: Record<string, (place: Place) => Promise<unknown>> = {
  async database({ folder, env }) {
    for (const { header, data } of await unpackTar(unpacked("data.tar.br"))) {
      if (onPostgres && header.name === "hubbub.db") continue;
      const file = join(folder, header.name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, data!);
    }
    if (onPostgres) await load(env["HUBBUB_DATABASE_URL"]!, unpacked("hubbub.sql.br").toString());
  },
  backup: (place) => hubbubJson(place, "restore", join(folder, "hubbub.backup.gz")),
};

function unpacked(name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(folder, name)));
}

async function load(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements);
  await client.end();
}

describe.each(Object.keys(ways))("a %s of tables 0003", (way) => {
  let place: Place;
  let hub: Hub;
  let app: Hono;

  beforeAll(async () => {
    place = await emptyPlace({ HUBBUB_BASE_URL: kept.base, HUBBUB_LOG_LEVEL: "off" });
    await ways[way]!(place);
    hub = await openOwnHub(readConfig(place.env), { clock: () => new Date(kept.clock) });
    app = createApp(hub);
  });
  afterAll(async () => {
    await hub.close();
    await place.remove();
  });

  const json = async <T>(who: string, path: string) => JSON.parse((await ask(hub, app, who, path)).body) as T;
  const textsFor = async (nick: string): Promise<string[]> => {
    const statuses = await json<{ text: string }[]>(`password ${nick}`, "/api/statuses/home_timeline.json?count=100");
    return statuses.map((status) => status.text);
  };

  test("answers as before", async () => {
    // The same rows lie in both, so fewer doors tell whether a restore brings them all; some change what later ones answer.
    const some = kept.answers.slice(0, way === "backup" ? 250 : undefined);
    for (const before of some.filter(({ who, path }) => !remade.test(`${who} ${path}`)))
      expect(withoutAdded(comparable(await ask(hub, app, before.who, before.path)))).toEqual(
        changed(comparable(before)),
      );
  });

  test("is brought up to date by its jobs, and what waited is delivered", async () => {
    const notices = () => json<{ id: number }[]>("password bob", "/api/svc/notifications.json");
    const [before, waiting] = [await notices(), await hub.db.selectFrom("job").select("name").execute()];
    expect(waiting).toEqual(expect.arrayContaining([{ name: "deliver-item" }, { name: "deliver-answer" }]));
    expect(await textsFor("bob")).not.toContain("Last words to @bob");
    await runDue(hub);
    expect(await textsFor("bob")).toContain("Last words to @bob");
    expect(await textsFor("alma")).toContain("And I, too");
    const after = await notices();
    expect(after.slice(-before.length)).toEqual(before);
    expect(after.length).toBe(before.length + 1);
    expect(await hub.db.selectFrom("job").select(["name", "last_error"]).where("dead", "=", 1).execute()).toEqual([]);
  });

  test("takes new posts, with ids that nothing has had", async () => {
    const ids = kept.answers.flatMap(({ path }) => Number(/statuses\/show\.json\?id=(\d+)/.exec(path)?.[1] ?? 0));
    const headers = { authorization: basic(`alma:${kept.password}`) };
    const body = new URLSearchParams({ status: "At home again" });
    const posted = await app.request(`${kept.base}/api/statuses/update.json`, { method: "POST", headers, body });
    expect(((await posted.json()) as { id: number }).id).toBeGreaterThan(Math.max(...ids));
    await runDue(hub);
    expect(await textsFor("bob")).toContain("At home again");
  });
});

async function ask(hub: Hub, app: Hono, who: string, path: string): Promise<Answer> {
  const [kind, name = ""] = who.split(" ");
  const { target, headers } = kind === "application" ? signed(hub, path) : { target: path, headers: {} };
  const credentials = {
    ...(kind === "password" && { authorization: basic(`${name}:${kept.password}`) }),
    ...(kind === "session" && { cookie: kept.sessions[name]! }),
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

function signed(hub: Hub, path: string) {
  const url = new URL(path, kept.base);
  return written(hub, kept.application, { path: url.pathname, query: Object.fromEntries(url.searchParams) });
}

/** All of an answer that is for programs, in lines; of a page what comes from the database, in whatever words it is said. */
function comparable(answer: Answer): Answer {
  const { type = "", body } = answer;
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

function withoutAdded(answer: Answer): Answer {
  return { ...answer, body: answer.body.replaceAll(added, "") };
}

function changed(answer: Answer): Answer {
  const fitting = changes.filter(({ types }) => types.test(answer.type ?? ""));
  const body = fitting.reduce(
    (text, { before, now }) => text.replaceAll(before, (found) => now(found, answer.who)),
    answer.body,
  );
  return { ...answer, body };
}
