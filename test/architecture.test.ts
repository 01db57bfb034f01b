import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { channelSettings } from "../src/domain/identity/channels/channel-settings.ts";
import { siteTable } from "../src/domain/identity/site/site-settings.ts";

/** What may import what, and where state may live: docs/architecture.md. */

const root = resolve(import.meta.dirname, "../src");

/** Each area imports only those before it. */
const areas = [
  "live",
  "identity",
  "peers",
  "delivery",
  "bodies",
  "mail",
  "recovery",
  "push",
  "webhooks",
  "notifications",
  "announcements",
  "connections",
  "invitations",
  "groups",
  "permissions",
  "files",
  "photos",
  "proxy",
  "link-cards",
  "people",
  "search",
  "items",
  "cloud",
  "events",
  "messages",
  "listeners",
  "pages",
  "moderation",
  "reports",
  "portable",
  "export",
  "import",
  "upkeep",
  "backups",
  "archives",
];

/** The folders of the two large areas, in order; what stands in an area's root comes before them all and imports none. */
const rooms: Record<string, readonly string[]> = {
  identity: [
    "records",
    "xchans",
    "site",
    "channels",
    "belongings",
    "throttles",
    "accounts",
    "factors",
    "applications",
    "restoring",
  ],
  items: ["delivery", "timelines", "media", "posting", "receiving", "restoring"],
};

/** Which area writes which tables; anybody may read them with those that it owns. */
const tables: Record<string, readonly string[]> = {
  mail: ["letter"],
  identity: [
    "account",
    "account_token",
    "actor",
    "actor_key",
    "app",
    "atoken",
    "channel",
    "chatroom",
    "config",
    "hubloc",
    "likes",
    "oauth2_app",
    "oauth2_code",
    "oauth2_token",
    "oauth_client",
    "oauth_nonce",
    "oauth_token",
    "obj",
    "passkey",
    "profile",
    "recovery_code",
    "session",
    "setting",
    "tally",
    "totp",
    "transport_key",
    "xchan",
  ],
  peers: ["peer", "fetch_budget", "site_block", "block_list", "listed_block"],
  delivery: ["delivery", "inbox_activity", "inbox_recipient", "outbox_activity"],
  push: ["push_subscription"],
  webhooks: ["webhook", "webhook_delivery"],
  notifications: ["notify"],
  announcements: ["announcement", "announcement_reaction", "dismissed_announcement"],
  connections: ["abconfig", "abook", "host_block", "sent_follow"],
  groups: ["pgrp", "pgrp_member"],
  live: ["live_event"],
  files: ["attach", "lost_blob", "message_file"],
  photos: ["photo"],
  proxy: ["emoji", "remote_media"],
  "link-cards": ["link_card", "message_link"],
  people: ["dismissed_suggestion"],
  invitations: ["invitation"],
  items: [
    "addressed_to",
    "approval",
    "deleted_id",
    "filter",
    "filter_status",
    "first_contact",
    "followed_tag",
    "foreign_document",
    "iconfig",
    "idempotency",
    "item",
    "marker",
    "message",
    "message_version",
    "poll_vote",
    "posted_sketch",
    "sent_to",
    "sketch",
    "taken_back",
    "term",
    "thread_fetch",
    "unattached",
    "word_filter",
  ],
  cloud: ["upload", "upload_piece"],
  events: ["event"],
  messages: ["chat_line", "conv", "mail"],
  pages: ["menu", "menu_item"],
  moderation: ["moderation"],
  upkeep: ["figure", "long_step"],
  reports: ["report"],
  import: ["import_run", "list_import", "list_import_entry"],
  archives: ["archive_place"],
};

/** Rows that an earlier area has to write because they come into being, or go, with its own. */
const written: Record<string, readonly string[]> = {
  // A channel is made with its connection to itself and its first group.
  "domain/identity/channels/channel-rows.ts": ["abook", "abconfig"],
  "domain/identity/channels/friends-group.ts": ["pgrp", "pgrp_member"],
  // An export's default profile takes the place of the one that connections see.
  "domain/identity/restoring/import-profile.ts": ["abook"],
  // What somebody of elsewhere lets their followers do changes with their document.
  "domain/identity/xchans/followers-answer.ts": ["abconfig"],
  // Where what is here goes by itself is paused with the password that may have been used to name it.
  "domain/identity/accounts/outgoing-places.ts": ["webhook", "archive_place"],
  // Apps have tags of their own.
  "domain/identity/belongings/apps.ts": ["term"],
  // Who is connected joins a group, and leaves all with the connection.
  "domain/connections/memberships.ts": ["pgrp_member"],
  // What a message is found by is a column of it.
  "domain/search/index-words.ts": ["message"],
  // An event goes with its item, and one of elsewhere changes with it.
  "domain/items/tombstones.ts": ["event"],
  "domain/items/receiving/received-event.ts": ["event"],
};

/** The domain's view of the rest: nothing that knows HTTP or a protocol. */
const belowDomain = [
  "storage",
  "hub.ts",
  "caches.ts",
  "errors.ts",
  "refusals",
  "keys.ts",
  "config",
  "counters.ts",
  "deeds.ts",
  "fetch",
  "jobs/resting.ts",
  "jobs/unknown.ts",
  "jobs/queue.ts",
  "jobs/kinds.ts",
  "jobs/long-step.ts",
  "jobs/operate.ts",
  "lasting.ts",
  "leases.ts",
  "log.ts",
  "password-cost.ts",
  "probing.ts",
  "once.ts",
  "record-of.ts",
  "semaphore.ts",
  "stored-json.ts",
  "threads.ts",
  "version.ts",
];

type File = {
  path: string;
  text: string;
  imports: string[];
  /** Those of them that are loaded with the file, and not only when they are called. */
  atOnce: string[];
  types: string[];
  packages: string[];
  packagesAtOnce: string[];
};

const files = readFiles();
const sources = files.filter(({ path }) => !path.endsWith(".test.ts"));

function readFiles(): File[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((full) => {
      const text = readFileSync(full, "utf8");
      const found = [
        ...text.matchAll(/^(?:import|export)\s+(type\s)?[^;"']*?from\s+"([^"]+)";?$/gm),
        ...text.matchAll(/^import\s+()"([^"]+)";?$/gm),
      ];
      const dynamic = [...text.matchAll(/\bimport\(()"([^"]+)"\)/g)];
      const local = [...found, ...dynamic].filter((match) => match[2]!.startsWith("."));
      const target = (match: RegExpMatchArray): string => relative(root, resolve(dirname(full), match[2]!));
      return {
        path: relative(root, full),
        text,
        imports: local.filter((match) => !match[1]).map(target),
        atOnce: local.filter((match) => !match[1] && !dynamic.includes(match)).map(target),
        types: local.filter((match) => match[1]).map(target),
        packages: [...found, ...dynamic].map((match) => packageOf(match[2]!)).filter((name) => name !== ""),
        packagesAtOnce: found
          .filter((match) => !match[1])
          .map((match) => packageOf(match[2]!))
          .filter((name) => name !== ""),
      };
    });
}

/** The package that a module is imported from; empty for files of our own. */
function packageOf(name: string): string {
  return /^(?!\.)(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "";
}

function everything({ imports, types }: File): string[] {
  return [...imports, ...types];
}

function isIn(path: string, ...places: string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

/** `file -> import` of every import of these files that the rule does not allow. */
function breaches(from: (path: string) => boolean, allows: (target: string, path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => from(path))
    .flatMap((file) =>
      everything(file)
        .filter((target) => !allows(target, file.path))
        .map((target) => `${file.path} -> ${target}`),
    );
}

test("there is something to check", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(everything).length).toBeGreaterThan(200);
});

describe("imports", () => {
  test("storage knows nothing above it", () => {
    expect(
      breaches(
        (path) => isIn(path, "storage"),
        (target) => isIn(target, "storage", "caches.ts", "config", "errors.ts", "refusals", "semaphore.ts"),
      ),
    ).toEqual([]);
  });

  test("every area of the domain has its place in the order", () => {
    const found = new Set(sources.filter(({ path }) => isIn(path, "domain")).map(({ path }) => path.split("/")[1]!));
    expect([...found].filter((area) => !areas.includes(area))).toEqual([]);
  });

  test.each(areas)("domain/%s imports only areas before it, and none of their queries", (area) => {
    const earlier = areas.slice(0, areas.indexOf(area)).map((name) => `domain/${name}`);
    const own = `domain/${area}`;
    const allows = (target: string): boolean =>
      isIn(target, own) ||
      isIn(target, ...belowDomain) ||
      (isIn(target, ...earlier) && !target.endsWith("/queries.ts"));
    expect(breaches((path) => isIn(path, own), allows)).toEqual([]);
  });

  test.each(Object.keys(rooms))("each folder of domain/%s imports only those before it", (area) => {
    const roomOf = (path: string): number => rooms[area]!.indexOf(path.split("/")[2]!);
    const found = new Set(sources.map(({ path }) => path.split("/")).filter((path) => path[1] === area && path[3]));
    expect([...found].map((path) => path[2]!).filter((room) => !rooms[area]!.includes(room))).toEqual([]);
    const own = `domain/${area}`;
    const allows = (target: string, path: string): boolean => !isIn(target, own) || roomOf(target) <= roomOf(path);
    expect(breaches((path) => isIn(path, own), allows)).toEqual([]);
  });

  test("http knows identity, and no other part of the domain, no storage and no face", () => {
    const allows = (target: string): boolean =>
      isIn(
        target,
        "http",
        "domain/identity",
        "hub.ts",
        "caches.ts",
        "counters.ts",
        "errors.ts",
        "refusals",
        "config",
        "record-of.ts",
        "version.ts",
      );
    expect(breaches((path) => isIn(path, "http"), allows)).toEqual([]);
  });

  test("a face knows the domain and http, never storage, jobs or another face", () => {
    const allows = (target: string, path: string): boolean => {
      const face = path.split("/").slice(0, 2).join("/");
      if (target.endsWith("/queries.ts")) return false;
      return isIn(
        target,
        face,
        "faces/words",
        "domain",
        "http",
        "fetch/fetch.ts",
        "hub.ts",
        "caches.ts",
        "counters.ts",
        "deeds.ts",
        "errors.ts",
        "extensions",
        "fetch",
        "lasting.ts",
        "once.ts",
        "record-of.ts",
        "semaphore.ts",
        "stored-json.ts",
        "refusals",
        "config",
        "version.ts",
      );
    };
    expect(breaches((path) => isIn(path, "faces"), allows)).toEqual([]);
  });

  test("extensions get verbs of the domain, and what they are written against knows nothing of the hub", () => {
    const allowed = ["extensions", "domain", "hub.ts", "config", "jobs/queue.ts", "storage/sql.ts"];
    expect(
      breaches(
        (path) => isIn(path, "extensions"),
        (target) => isIn(target, ...allowed),
      ),
    ).toEqual([]);
    expect(files.filter(({ path }) => path === "extensions/extension.ts").flatMap(everything)).toEqual([]);
  });

  test("each table is written by the area that owns it", () => {
    const owners = new Map(
      Object.entries(tables).flatMap(([area, names]) => names.map((name) => [name, area] as const)),
    );
    const writes = sources
      .filter(({ path }) => !isIn(path, "storage", "jobs"))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\("(\w+)/g)].map((match) => ({
          path,
          table: match[1]!,
        })),
      );
    expect(writes.length).toBeGreaterThan(100);
    const strangers = writes.filter(
      ({ path, table }) => !isIn(path, `domain/${owners.get(table) ?? "?"}`) && !written[path]?.includes(table),
    );
    expect(strangers.map(({ path, table }) => `${path} writes ${table}`)).toEqual([]);
    const needless = Object.entries(written).flatMap(([path, names]) =>
      names.filter((name) => !writes.some((write) => write.path === path && write.table === name)),
    );
    expect(needless).toEqual([]);
  });

  test("lists of columns are checked by the tables, and rows are typed by them", () => {
    const lists = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/= \[\n(?:\s+(?:"\w+\.\w+"|\.\.\.\w+),\n)+\] as const(.*)$/gm)].map((match) => ({
        path,
        isTyped: match[1] === " satisfies readonly ColumnName[];" && /\bRowOf<typeof \w+>/.test(text),
      })),
    );
    expect(lists.length).toBeGreaterThan(6);
    expect(lists.filter(({ isTyped }) => !isTyped)).toEqual([]);
  });

  test("faces open no transactions and touch no blobs", () => {
    const found = sources.filter(({ path, text }) => isIn(path, "faces") && /\binTransaction\b|\.blobs\b/.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  test("a blob store is opened one way", () => {
    const inside = (path: string): boolean => isIn(path, "storage/blobs");
    const open = ["open.ts", "store.ts", "names.ts"].map((name) => `storage/blobs/${name}`);
    expect(
      breaches(
        (path) => !inside(path),
        (target) => !inside(target) || open.includes(target),
      ),
    ).toEqual([]);
  });

  test("pages have one kind of template", () => {
    expect(sources.filter(({ text }) => text.includes('"hono/html"')).map(({ path }) => path)).toEqual([]);
  });

  test("faces have no patterns to patch HTML with", () => {
    const patterns = /\/<\(?[a-z][^\n]*\/[a-z]*g/i;
    const found = sources.filter(({ path, text }) => isIn(path, "faces") && patterns.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  test("who is blocked or ignored is asked in one place", () => {
    const found = sources.filter(
      ({ path, text }) =>
        /abook_blocked\b[^;]{0,40}(?:\bor\b|\|\|)[^;]{0,40}abook_ignored/.test(text) && !isIn(path, "storage"),
    );
    expect(found.map(({ path }) => path)).toEqual(["domain/connections/unwanted.ts"]);
  });

  test("only what composes knows everything", () => {
    const composing = ["main.ts", "workers.ts", "cli", "jobs/table.ts"];
    const inner = (path: string): boolean => !isIn(path, ...composing, "faces");
    expect(breaches(inner, (target) => !isIn(target, "faces", "cli", "main.ts"))).toEqual([]);
  });

  test("the hub runs on what it depends on, never on what only tests and tools use", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "../package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const strange = (name: string): boolean => !name.startsWith("node:") && !Object.hasOwn(dependencies, name);
    const found = sources.flatMap(({ path, packages }) => packages.filter(strange).map((name) => `${path} -> ${name}`));
    expect(sources.flatMap(({ packages }) => packages)).toContain("structured-headers");
    expect(found).toEqual([]);
  });

  test("there are no cycles, by types neither", () => {
    const graph = new Map(sources.map((file) => [file.path, everything(file)]));
    expect(cycles(graph)).toEqual([]);
  });
});

function cycles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) return void found.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

describe("a start", () => {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const next of byPath.get(path)?.atOnce ?? []) load(next);
  };
  load("cli/serve-one.ts");

  test("loads no part of the hub that only some work of later needs", () => {
    const later = [
      "faces/federation/inbox",
      "faces/federation/outbox/post.ts",
      "faces/federation/outbox/federate.ts",
      "faces/federation/retrieve/look-up.ts",
      "faces/federation/retrieve/probe.ts",
      "domain/export/sections.ts",
      "domain/mail/send-letter.ts",
      "domain/import/run.ts",
      "domain/import/sources",
      "http/reference",
      "storage/migrations/index.ts",
      ...["mastodon", "microblog", "native"].map((name) => `faces/${name}/table.ts`),
    ];
    expect(loaded.size).toBeGreaterThan(500);
    expect(later.filter((place) => !sources.some(({ path }) => isIn(path, place)))).toEqual([]);
    expect([...loaded].filter((path) => isIn(path, ...later))).toEqual([]);
  });

  test("loads these packages, each of which costs every start", () => {
    const found = new Set([...loaded].flatMap((path) => byPath.get(path)?.packagesAtOnce ?? []));
    expect([...found].filter((name) => !name.startsWith("node:")).sort()).toEqual([
      "@fastify/busboy",
      "@hono/node-server",
      "@logtape/logtape",
      "blurhash",
      "hono",
      "intl-messageformat",
      "kysely",
      "markdown-it",
      "markdown-it-footnote",
      "modern-tar",
      "mrmime",
      "structured-headers",
      "zod",
    ]);
  });
});

describe("state", () => {
  /**
   * Parsers, patterns and the fixed parts of templates are made when they are first needed and kept: the answers never depend
   * on what was called before.
   */
  const memos = ["domain/bodies", "faces/web/html.ts"];

  test("only config reads the environment; the command hands it over", () => {
    const readers = sources.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ path }) => path);
    expect(readers.filter((path) => !isIn(path, "config") && path !== "cli/main.ts")).toEqual([]);
  });

  test("no module keeps anything that changes", () => {
    const changing =
      /^(?:export\s+)?(?:let|var)\s|^(?:export\s+)?const\s+\w+(?::[^=]+)?\s*=\s*(?:new\s+(?:Map|Set|WeakMap|WeakSet|Caches)(?:<[^(]*>)?\(\)|\[\]|\{\})/m;
    const found = sources
      .filter(({ path, text }) => changing.test(text) && !isIn(path, ...memos))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  test("importing a module does nothing", () => {
    const doing = /^(?:await\s|process\.|console\.|set(?:Timeout|Interval)\(|[a-z]\w*(?:\.\w+)*\()/m;
    expect(sources.filter(({ text }) => doing.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("settings", () => {
  const tables = ["domain/identity/channels/channel-settings.ts", "domain/identity/site/site-settings.ts"];
  /** These are words of other things as well. */
  const ambiguous = ["registration", "autoperms", "default_permcat"];

  test("are named by the tables of settings alone", () => {
    const keys = [...Object.values(channelSettings), ...Object.values(siteTable)].map(({ k }) => k);
    expect(keys.length).toBeGreaterThan(20);
    const naming = new RegExp(`["'](${keys.filter((k) => !ambiguous.includes(k)).join("|")})["']`);
    const elsewhere = sources.filter(
      ({ path }) => isIn(path, "domain", "jobs", "http", "cli") && !tables.includes(path),
    );
    expect(elsewhere.filter(({ text }) => naming.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe("names", () => {
  test("files are kebab-case words of the domain", () => {
    const odd = sources.map(({ path }) => path).filter((path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(path));
    expect(odd).toEqual([]);
    expect(
      sources
        .map(({ path }) => path)
        .filter((path) => /\b(utils?|helpers?|managers?|services?|misc|common)\b/.test(path)),
    ).toEqual([]);
  });
});

type Locked = {
  version: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  link?: boolean;
  os?: string;
  cpu?: string;
};

describe("what npm installs", () => {
  const lock = JSON.parse(readFileSync(join(root, "../package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  // Folders of the repository, and links to them, are not fetched from anywhere.
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);

  test("for a hub is what the lock file names, byte for byte, and nothing that a package fetches by itself", () => {
    const unpinned = packages.filter(([, { integrity, hasInstallScript, dev }]) => {
      return hasInstallScript === true || (!dev && !integrity?.startsWith("sha512-"));
    });
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  test.each(["x64", "arm64"])("has the Node that it runs on, for linux on %s", (cpu) => {
    const node = lock.packages[`node_modules/node-linux-${cpu}`];
    expect(node).toMatchObject({ version: expect.stringMatching(/^24\./), os: "linux", cpu });
  });
});

test("no database lies beside the program", () => {
  const files = readdirSync(join(root, ".."), { withFileTypes: true }).filter((entry) => entry.isFile());
  const isDatabase = (name: string) =>
    readFileSync(join(root, "..", name))
      .subarray(0, 15)
      .toString() === "SQLite format 3";
  expect(files.filter(({ name }) => isDatabase(name))).toEqual([]);
});
