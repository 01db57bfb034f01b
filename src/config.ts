import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { isAbsolute, resolve } from "node:path";
import type { LogLevel } from "@logtape/logtape";
import { isPrivateHost } from "./fetch/private-hosts.ts";
import { readBackupsPlace, readBlobsPlace } from "./storage-places.ts";
import type { BackupsPlace, BlobsPlace } from "./storage-places.ts";

/** The finished, checked settings of one hub; nothing else reads the environment. */
export type Config = Readonly<{
  /** Public address without a trailing slash. */
  baseUrl: string;
  /** Host of the base URL, with the port only when it is not the default one. */
  host: string;
  listen: Readonly<{ address: string; port: number }>;
  /** Folder of the embedded database, and of the blobs or what is on its way to them. */
  dataDir: string;
  /** Where blobs are kept, and where those are that have not been moved there yet; are browsers sent there for what is public? */
  blobs: Readonly<{ at: BlobsPlace; from: BlobsPlace | undefined; redirect: boolean }>;
  /** How many processes serve, and which of them this is; 0: it is alone, or watches over the others. */
  processes: number;
  part: number;
  database: DatabaseSettings;
  /** False switches off request limits and log-in throttling (tests and benchmarks). */
  rateLimits: boolean;
  /** Pages that public posts link to are asked what they are about. */
  linkCards: boolean;
  /** For how many days everybody here sees what is public elsewhere and came for somebody; 0: nobody else does. */
  publicDays: number;
  /** How mails are sent and as whom; undefined where the hub sends none. */
  mail: MailSettings | undefined;
  /** A proxy of the operator says who calls and how: X-Forwarded-For, -Proto and -Host are believed. */
  trustProxy: boolean;
  /** JSON of the microblog API carries its own fields under the names of other servers too. */
  aliasFields: boolean;
  /** Hosts and networks of the operator's own that imports may ask though they are private; nothing else may. */
  importFrom: readonly string[];
  /** Others are asked in private networks too, by any address and without encryption (tests of several hubs on one machine). */
  allowPrivate: boolean;
  backups: BackupSettings;
  log: LogSettings;
  /** Packages, folders and modules of the operator's that add to the hub. */
  extensions: readonly string[];
  /** Where the source of the program is offered; undefined: by the hub itself. */
  sourceUrl: string | undefined;
  /** Statements that take longer than so many milliseconds are written to the log; 0: none. */
  slowStatement: number;
  /** Where traces are sent (OTLP over HTTP), and of how many of a hundred requests and jobs; undefined: none are made. */
  traces: Readonly<{ url: string; share: number }> | undefined;
  /** Who may read what the hub measures; with neither nobody may. */
  metrics: Readonly<{ token: string; from: readonly string[] }>;
  limits: Readonly<{
    body: number;
    upload: number;
    /** Bytes of an uploaded image, and its longest edge at scale 0 (0: as it is). */
    image: number;
    imageLength: number;
    request: number;
  }>;
}>;

/** Where backups are made, after how many hours again, and what seals them; all that are made where there is a key. */
export type BackupSettings = Readonly<{ to: BackupsPlace | undefined; every: number; key: string | undefined }>;

/** `file`: where the log goes in place of standard error. */
export type LogSettings = Readonly<{
  level: LogLevel | "off";
  format: "text" | "json";
  file: string | undefined;
  part: number;
}>;

/** `url` has name and password of the server in it. `needsTls`: they are not said before the connection is encrypted. */
export type MailSettings = Readonly<{ url: string; from: string; needsTls: boolean }>;

/**
 * Of PostgreSQL: the address past a pooler and that of a replica, where there are any; how many connections a process has; after how many seconds a statement
 * ends, a server without an answer counts as away, and a connection that rests is tried.
 */
export type DatabaseSettings = Readonly<
  | { engine: "sqlite"; file: string }
  | {
      engine: "postgres";
      url: string;
      direct?: string;
      replica?: string;
      pool?: number;
      timeout?: number;
      silence?: number;
      keepAlive?: number;
    }
>;

/** One setting as the operator sees it: the `config` command prints these rows. */
export type Setting = {
  name: string;
  meaning: string;
  fallback: string;
  example: string;
  /** Masked; in an address only the password is. */
  secret?: true | "in an address";
};

export const settings = [
  {
    name: "HUBBUB_BASE_URL",
    meaning: "Public address of the hub. It never changes after the first start.",
    fallback: "http://localhost:<port>",
    example: "https://hub.example",
  },
  { name: "HUBBUB_LISTEN", meaning: "Address to listen on.", fallback: "127.0.0.1", example: "0.0.0.0" },
  { name: "HUBBUB_PORT", meaning: "Port to listen on.", fallback: "8080", example: "8080" },
  {
    name: "HUBBUB_PROCESSES",
    meaning: "How many processes of `serve` answer at one port, each with jobs of its own.",
    fallback: "<one, or on PostgreSQL one for each core>",
    example: "4",
  },
  {
    name: "HUBBUB_DATA",
    meaning: "Folder of the embedded database, files and photos.",
    fallback: "./data",
    example: "/var/lib/hubbub",
  },
  {
    name: "HUBBUB_BLOBS_URL",
    meaning:
      "Where the bytes of files and photos are kept: directory (in the data folder), or s3://KEY:SECRET@BUCKET/PREFIX?endpoint=URL&region=REGION; keys=FILE reads KEY:SECRET from a file, style=host puts the bucket before the host.",
    fallback: "directory",
    example: "s3://my-bucket?endpoint=https://s3.example.net&region=eu-1&keys=/etc/hubbub/s3-keys",
    secret: true,
  },
  {
    name: "HUBBUB_BLOBS_FROM_URL",
    meaning: "Where they were kept before, in the same form, until `hubbub files move` has moved them; none: nowhere.",
    fallback: "none",
    example: "directory",
    secret: true,
  },
  {
    name: "HUBBUB_BLOBS_REDIRECT",
    meaning:
      "on: visitors get public files from S3 itself, by addresses that end after a minute; off: all through the hub.",
    fallback: "off",
    example: "on",
  },
  {
    name: "HUBBUB_DATABASE_URL",
    meaning: "Database: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.",
    fallback: "sqlite:<data>/hubbub.db",
    example: "postgres://hubbub@localhost/hubbub",
    secret: true,
  },
  {
    name: "HUBBUB_DATABASE_DIRECT_URL",
    meaning:
      "The same PostgreSQL past a pooler in transaction mode (PgBouncer) that HUBBUB_DATABASE_URL names; none: there is no pooler.",
    fallback: "none",
    example: "postgres://hubbub@localhost:5432/hubbub",
    secret: true,
  },
  {
    name: "HUBBUB_DATABASE_REPLICA_URL",
    meaning:
      "A streaming replica of that PostgreSQL, for what strangers read and may be a second old; none: everything is read from one server.",
    fallback: "none",
    example: "postgres://hubbub@replica.example.net/hubbub",
    secret: true,
  },
  {
    name: "HUBBUB_DATABASE_POOL",
    meaning: "Connections to PostgreSQL that each process has at most, besides two of its own.",
    fallback: "10",
    example: "20",
  },
  {
    name: "HUBBUB_DATABASE_TIMEOUT",
    meaning: "Seconds after which PostgreSQL ends a statement of the hub; 0: never.",
    fallback: "0",
    example: "30",
  },
  {
    name: "HUBBUB_DATABASE_SILENCE",
    meaning:
      "Seconds without an answer after which PostgreSQL is asked whether it is there; when it says nothing for as long again, the hub answers 503. 0: never.",
    fallback: "5",
    example: "3",
  },
  {
    name: "HUBBUB_DATABASE_KEEPALIVE",
    meaning: "Seconds of rest after which the system tries a connection to PostgreSQL (TCP keep-alive).",
    fallback: "60",
    example: "20",
  },
  {
    name: "HUBBUB_RATE_LIMITS",
    meaning: "off: no request limits and no log-in throttling (for tests only).",
    fallback: "on",
    example: "off",
  },
  {
    name: "HUBBUB_LINK_CARDS",
    meaning: "off: never ask the pages that public posts link to for their title and picture.",
    fallback: "on",
    example: "off",
  },
  {
    name: "HUBBUB_PUBLIC_DAYS",
    meaning:
      "How many days everybody here sees public posts of other hubs that came for somebody; 0: only who got them.",
    fallback: "30",
    example: "7",
  },
  {
    name: "HUBBUB_SMTP_URL",
    meaning: "Mail server through which the hub sends: smtp:// or smtps://USER:PASSWORD@HOST:PORT; none: no mail.",
    fallback: "none",
    example: "smtps://hub%40example.org:secret@mail.example.org",
    secret: true,
  },
  {
    name: "HUBBUB_MAIL_FROM",
    meaning: "Address that the mails of the hub come from.",
    fallback: "noreply@<host>",
    example: "hub@example.org",
  },
  {
    name: "HUBBUB_TRUST_PROXY",
    meaning: "on: believe X-Forwarded-For, -Proto and -Host, when a proxy of yours sets them.",
    fallback: "off",
    example: "on",
  },
  {
    name: "HUBBUB_ALIAS_FIELDS",
    meaning: "off: the microblog API leaves out the friendica_ names of its fields, which old clients need.",
    fallback: "on",
    example: "off",
  },
  {
    name: "HUBBUB_IMPORT_FROM",
    meaning:
      "Private hosts and networks that members may import from and send archives to, with commas between; none: only public ones.",
    fallback: "none",
    example: "192.168.7.0/24,old.home.arpa",
  },
  {
    name: "HUBBUB_ALLOW_PRIVATE",
    meaning:
      "on: ask other hubs in private networks and over http too (for tests; the hub itself must be at a private address).",
    fallback: "off",
    example: "on",
  },
  {
    name: "HUBBUB_BACKUP_TO",
    meaning:
      "Folder in which the hub makes backups by itself, or s3://BUCKET/PREFIX as in HUBBUB_BLOBS_URL; none: it makes none.",
    fallback: "none",
    example: "/backups",
    secret: "in an address",
  },
  { name: "HUBBUB_BACKUP_HOURS", meaning: "Hours between two of these backups.", fallback: "24", example: "6" },
  {
    name: "HUBBUB_BACKUP_KEY",
    meaning: "Public half of the key that seals all backups (age); none: they are not sealed.",
    fallback: "none",
    example: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
  },
  { name: "HUBBUB_LOG_LEVEL", meaning: "debug, info, warning, error or off.", fallback: "info", example: "warning" },
  { name: "HUBBUB_LOG_FORMAT", meaning: "text or json.", fallback: "text", example: "json" },
  {
    name: "HUBBUB_LOG_FILE",
    meaning: "File that the log goes to; none: standard error. Whoever moves it away gets a new one, without a signal.",
    fallback: "none",
    example: "/var/log/hubbub/hubbub.log",
  },
  {
    name: "HUBBUB_EXTENSIONS",
    meaning:
      "Packages, folders and modules that add commands, jobs, pages and themes, with commas between; none: nothing is added.",
    fallback: "none",
    example: "@me/on-this-day,/srv/hubbub/our-pages",
  },
  {
    name: "HUBBUB_SOURCE_URL",
    meaning: "Where the source of this program is offered, as its licence asks; none: the hub sends what it runs.",
    fallback: "none",
    example: "https://code.example/our-hubbub",
  },
  {
    name: "HUBBUB_SLOW_STATEMENT",
    meaning: "Milliseconds after which a statement on the database is written to the log; 0: never.",
    fallback: "500",
    example: "100",
  },
  {
    name: "HUBBUB_TRACES_URL",
    meaning:
      "Address to which traces of requests and jobs are sent (OpenTelemetry, OTLP over HTTP); none: none are made.",
    fallback: "none",
    example: "http://127.0.0.1:4318/v1/traces",
  },
  {
    name: "HUBBUB_TRACES_SHARE",
    meaning: "Of how many of a hundred requests and jobs traces are made.",
    fallback: "100",
    example: "5",
  },
  {
    name: "HUBBUB_METRICS_TOKEN",
    meaning: "Bearer token with which /metrics may be read, of at least 16 signs; none: with no token.",
    fallback: "none",
    example: "3f8e1c5a9b7d2046",
    secret: true,
  },
  {
    name: "HUBBUB_METRICS_FROM",
    meaning: "Addresses and networks from which /metrics may be read, with commas between; none: from nowhere.",
    fallback: "none",
    example: "127.0.0.1,::1,10.0.0.0/24",
  },
  { name: "HUBBUB_MAX_BODY", meaning: "Longest text of a post, in characters.", fallback: "200000", example: "50000" },
  {
    name: "HUBBUB_MAX_UPLOAD",
    meaning: "Largest uploaded file, in bytes.",
    fallback: "104857600",
    example: "20971520",
  },
  {
    name: "HUBBUB_MAX_IMAGE",
    meaning: "Largest uploaded image, in bytes.",
    fallback: "<upload>",
    example: "20971520",
  },
  {
    name: "HUBBUB_MAX_IMAGE_LENGTH",
    meaning: "Longest edge of stored images, in pixels; larger ones are reduced. 0: as they are.",
    fallback: "0",
    example: "4096",
  },
] as const satisfies readonly Setting[];

type SettingName = (typeof settings)[number]["name"];
export type Environment = Partial<Record<string, string>>;

const logLevels = ["debug", "info", "warning", "error", "off"] as const;

/** A setting that cannot be used; the message tells the operator what was expected. */
export class ConfigError extends Error {}

/**
 * Turns the environment (and what the command line says in its place) into checked settings.
 * Throws ConfigError that names the variable, what was found and an example.
 */
export function readConfig(env: Environment): Config {
  const port = whole(env, "HUBBUB_PORT", 0, 65_535);
  const base = baseUrl(env, port);
  const dataDir = resolve(text(env, "HUBBUB_DATA"));
  // Not for operators: who watches over processes tells each which one it is.
  const part = Number(env["HUBBUB_PART"] ?? 0);
  return Object.freeze({
    baseUrl: base.href.replace(/\/$/, ""),
    host: base.host,
    listen: Object.freeze({ address: text(env, "HUBBUB_LISTEN"), port }),
    dataDir,
    blobs: blobsSettings(env),
    processes: given(env, "HUBBUB_PROCESSES") ? whole(env, "HUBBUB_PROCESSES", 1, 256) : usualProcesses(env),
    part,
    database: databaseSettings(env, dataDir),
    rateLimits: oneOf(env, "HUBBUB_RATE_LIMITS", ["on", "off"]) === "on",
    linkCards: oneOf(env, "HUBBUB_LINK_CARDS", ["on", "off"]) === "on",
    publicDays: whole(env, "HUBBUB_PUBLIC_DAYS", 0, 3650),
    mail: mailSettings(env, base),
    trustProxy: oneOf(env, "HUBBUB_TRUST_PROXY", ["on", "off"]) === "on",
    aliasFields: oneOf(env, "HUBBUB_ALIAS_FIELDS", ["on", "off"]) === "on",
    importFrom: networks(env, "HUBBUB_IMPORT_FROM"),
    allowPrivate: allowsPrivate(env, base),
    backups: backupSettings(env),
    log: Object.freeze({
      level: oneOf(env, "HUBBUB_LOG_LEVEL", logLevels),
      format: oneOf(env, "HUBBUB_LOG_FORMAT", ["text", "json"]),
      file: logFile(env),
      part,
    }),
    extensions: readExtensions(env),
    sourceUrl: webUrl(env, "HUBBUB_SOURCE_URL"),
    slowStatement: whole(env, "HUBBUB_SLOW_STATEMENT", 0, 1e9),
    traces: traceSettings(env),
    metrics: Object.freeze({ token: metricsToken(env), from: networks(env, "HUBBUB_METRICS_FROM") }),
    limits: Object.freeze({
      body: whole(env, "HUBBUB_MAX_BODY", 1, 10_000_000),
      upload: whole(env, "HUBBUB_MAX_UPLOAD", 1, 1e12),
      image: whole(env, env["HUBBUB_MAX_IMAGE"]?.trim() ? "HUBBUB_MAX_IMAGE" : "HUBBUB_MAX_UPLOAD", 1, 1e12),
      imageLength: whole(env, "HUBBUB_MAX_IMAGE_LENGTH", 0, 100_000),
      request: 4 * 1024 * 1024,
    }),
  });
}

/** The extensions that are named; commands ask for these alone. What begins with a slash or a point is a file or folder. */
export function readExtensions(env: Environment): readonly string[] {
  const found = text(env, "HUBBUB_EXTENSIONS");
  const places = found === "none" ? [] : found.split(",").map((place) => place.trim());
  if (!places.every((place) => /^(?:[./]|(?:@[a-z0-9._~-]+\/)?[a-z0-9_~-][a-z0-9._~-]*$)/.test(place)))
    refuse("HUBBUB_EXTENSIONS", found, "names of packages, folders or modules, with commas between");
  return Object.freeze(places.map((place) => (/^[./]/.test(place) ? resolve(place) : place)));
}

/** Every setting with its meaning, its value and where that comes from; secrets are masked. */
export function describeConfig(env: Environment): (Setting & { value: string; source: "environment" | "default" })[] {
  return settings.map((setting: Setting) => {
    const given = env[setting.name]?.trim();
    const value = given || fallbackOf(setting, env);
    return {
      ...setting,
      value: setting.secret ? masked(setting, value) : value,
      source: given ? "environment" : "default",
    };
  });
}

/** A secret as it may be seen: an address without its password, and of anything else nothing. */
function masked({ fallback, secret }: Setting, value: string): string {
  return value === fallback || secret !== true || /^\w+:/.test(value) ? withoutPassword(value) : "***";
}

/** The address of a database with the password masked, whatever signs it has and wherever it stands. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1:***@").replace(/([?&]password=)[^&]*/gi, "$1***");
}

/** What a setting is when nobody sets it; some follow from others. */
function fallbackOf(setting: Setting, env: Environment): string {
  return setting.fallback
    .replace("<port>", () => text(env, "HUBBUB_PORT"))
    .replace("<host>", () => baseUrl(env, whole(env, "HUBBUB_PORT", 0, 65_535)).hostname)
    .replace("<upload>", () => text(env, "HUBBUB_MAX_UPLOAD"))
    .replace("<one, or on PostgreSQL one for each core>", () => String(usualProcesses(env)))
    .replace("<data>", () => text(env, "HUBBUB_DATA"));
}

/** On SQLite one writes at a time; a usual PostgreSQL has room for the connections of so many. */
const mostByDefault = 8;

/** One on SQLite; on PostgreSQL one for each core. */
function usualProcesses(env: Environment): number {
  const { engine } = databaseSettings(env, resolve(text(env, "HUBBUB_DATA")));
  return engine === "sqlite" ? 1 : Math.min(availableParallelism(), mostByDefault);
}

function text(env: Environment, name: SettingName): string {
  return given(env, name) ?? find(name).fallback;
}

/** What the operator says, if anything. */
function given(env: Environment, name: SettingName): string | undefined {
  return env[name]?.trim() || undefined;
}

function find(name: SettingName): Setting {
  return settings.find((setting) => setting.name === name)!;
}

function refuse(name: SettingName, found: string, expected: string): never {
  throw new ConfigError(`${name} is "${found}", but it should be ${expected}. Example: ${name}=${find(name).example}`);
}

function whole(env: Environment, name: SettingName, least: number, most: number): number {
  const found = text(env, name);
  const value = Number(found);
  if (!/^\d+$/.test(found) || value < least || value > most) refuse(name, found, `a number from ${least} to ${most}`);
  return value;
}

function oneOf<T extends string>(env: Environment, name: SettingName, values: readonly T[]): T {
  const found = text(env, name).toLowerCase();
  return values.find((value) => value === found) ?? refuse(name, found, `one of ${values.join(", ")}`);
}

function backupSettings(env: Environment): BackupSettings {
  const [to, key] = [text(env, "HUBBUB_BACKUP_TO"), text(env, "HUBBUB_BACKUP_KEY")];
  // Who gives the private half would have it lie about.
  if (key !== "none" && !/^age1[02-9a-z]{20,}$/.test(key))
    refuse("HUBBUB_BACKUP_KEY", "***", "a public key of age, or none");
  return Object.freeze({
    to: to === "none" ? undefined : backupsPlace(to),
    every: whole(env, "HUBBUB_BACKUP_HOURS", 1, 8760),
    key: key === "none" ? undefined : key,
  });
}

function backupsPlace(found: string): BackupsPlace {
  const form = "a folder, or s3://BUCKET/PREFIX with its endpoint and either KEY:SECRET@ or keys=FILE";
  return readBackupsPlace(found) ?? refuse("HUBBUB_BACKUP_TO", withoutPassword(found), form);
}

function logFile(env: Environment): string | undefined {
  const found = text(env, "HUBBUB_LOG_FILE");
  return found === "none" ? undefined : resolve(found);
}

function traceSettings(env: Environment): Config["traces"] {
  const url = webUrl(env, "HUBBUB_TRACES_URL");
  return url === undefined ? undefined : Object.freeze({ url, share: whole(env, "HUBBUB_TRACES_SHARE", 1, 100) });
}

/** An address of the web; undefined for none. */
function webUrl(env: Environment, name: SettingName): string | undefined {
  const found = text(env, name);
  if (found === "none") return undefined;
  return /^https?:$/.test(URL.parse(found)?.protocol ?? "") ? found : refuse(name, found, "an http or https address");
}

/** A short one could be guessed. */
function metricsToken(env: Environment): string {
  const found = text(env, "HUBBUB_METRICS_TOKEN");
  if (found === "none") return "";
  return /^[\w.~+/=-]{16,}$/.test(found)
    ? found
    : refuse("HUBBUB_METRICS_TOKEN", "***", "16 or more letters, digits or signs of a bearer token");
}

function networks(env: Environment, name: SettingName): readonly string[] {
  const found = text(env, name).toLowerCase();
  const entries = found === "none" ? [] : found.split(/[\s,]+/).filter((entry) => entry !== "");
  if (!entries.every(isHostOrNetwork)) refuse(name, found, "host names, addresses or networks, with commas between");
  return Object.freeze(entries);
}

function isHostOrNetwork(entry: string): boolean {
  const [address = "", length = "", ...more] = entry.split("/");
  if (more.length > 0) return false;
  if (!entry.includes("/")) return isIP(entry) !== 0 || (/^[a-z0-9_.-]+$/.test(entry) && !/^[0-9.]+$/.test(entry));
  return isIP(address) !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= (isIP(address) === 4 ? 32 : 128);
}

/** Who is reached from everywhere may not be led into the network that it stands in. */
function allowsPrivate(env: Environment, base: URL): boolean {
  const allows = oneOf(env, "HUBBUB_ALLOW_PRIVATE", ["on", "off"]) === "on";
  if (allows && !isPrivateHost(base.hostname))
    refuse("HUBBUB_ALLOW_PRIVATE", "on", `off, because ${base.host} is public`);
  return allows;
}

function baseUrl(env: Environment, port: number): URL {
  const found = env["HUBBUB_BASE_URL"]?.trim() || `http://localhost:${port}`;
  const url = URL.canParse(found) ? new URL(found) : undefined;
  const plain =
    url && (url.protocol === "https:" || url.protocol === "http:") && url.pathname === "/" && !url.search && !url.hash;
  return plain ? url : refuse("HUBBUB_BASE_URL", found, "an http or https address without a path");
}

/** Is this one e-mail address and nothing else: no name, no list, no comment? */
export function isPlainAddress(text: string): boolean {
  return /^[^\p{C}\s@<>,;:"()[\]\\]+@[^\p{C}\s@<>,;:"()[\]\\]+$/u.test(text);
}

function mailSettings(env: Environment, base: URL): MailSettings | undefined {
  const url = text(env, "HUBBUB_SMTP_URL");
  // In an address of the hub that is a number of IPv6, there is no name for mail.
  const host = base.hostname.startsWith("[") ? "localhost" : base.hostname;
  const from = env["HUBBUB_MAIL_FROM"]?.trim() || `noreply@${host}`;
  if (!isPlainAddress(from)) refuse("HUBBUB_MAIL_FROM", from, "an e-mail address");
  if (url.toLowerCase() === "none") return undefined;
  const server = URL.canParse(url) ? new URL(url) : undefined;
  // The password goes into no message.
  if (!server || !/^smtps?:$/.test(server.protocol) || server.hostname === "")
    refuse("HUBBUB_SMTP_URL", withoutPassword(url), "an smtp:// or smtps:// address");
  return Object.freeze({ url, from, needsTls: server.username !== "" && !isPrivateHost(server.hostname) });
}

function blobsSettings(env: Environment): Config["blobs"] {
  const at = blobsPlace(env, "HUBBUB_BLOBS_URL");
  const from = text(env, "HUBBUB_BLOBS_FROM_URL") === "none" ? undefined : blobsPlace(env, "HUBBUB_BLOBS_FROM_URL");
  if (from && nameOf(from) === nameOf(at))
    refuse("HUBBUB_BLOBS_FROM_URL", nameOf(from), "another place than HUBBUB_BLOBS_URL");
  return Object.freeze({ at, from, redirect: oneOf(env, "HUBBUB_BLOBS_REDIRECT", ["on", "off"]) === "on" });
}

/** The keys go into no message. */
function nameOf(place: BlobsPlace): string {
  return place.kind === "directory" ? place.kind : `s3://${place.bucket}/${place.prefix} at ${place.endpoint}`;
}

function blobsPlace(env: Environment, name: "HUBBUB_BLOBS_URL" | "HUBBUB_BLOBS_FROM_URL"): BlobsPlace {
  const found = text(env, name);
  const form = "directory, or s3://BUCKET/PREFIX with its endpoint and either KEY:SECRET@ or keys=FILE";
  return readBlobsPlace(found) ?? refuse(name, withoutPassword(found), form);
}

/** One server: no driver of ours tries several hosts in turn. */
function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#@,]*(?:[/?#]|$)/.test(url);
}

function postgresSettings(env: Environment, url: string): DatabaseSettings {
  const direct = otherPostgres(env, "HUBBUB_DATABASE_DIRECT_URL");
  const replica = otherPostgres(env, "HUBBUB_DATABASE_REPLICA_URL");
  const pool = whole(env, "HUBBUB_DATABASE_POOL", 4, 1000);
  const timeout = whole(env, "HUBBUB_DATABASE_TIMEOUT", 0, 86_400);
  const silence = whole(env, "HUBBUB_DATABASE_SILENCE", 0, 3600);
  const keepAlive = whole(env, "HUBBUB_DATABASE_KEEPALIVE", 1, 86_400);
  const others = { ...(direct !== undefined && { direct }), ...(replica !== undefined && { replica }) };
  return { engine: "postgres", url, pool, timeout, silence, keepAlive, ...others };
}

/** Another way to the PostgreSQL of the hub, if there is one. */
function otherPostgres(env: Environment, name: SettingName): string | undefined {
  const found = text(env, name);
  if (found === "none") return undefined;
  return isPostgres(found) ? found : refuse(name, withoutPassword(found), "postgres://... or none");
}

function databaseSettings(env: Environment, dataDir: string): DatabaseSettings {
  const found = env["HUBBUB_DATABASE_URL"]?.trim() || `sqlite:${resolve(dataDir, "hubbub.db")}`;
  if (isPostgres(found)) return postgresSettings(env, found);
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(found)?.[1];
  if (file === undefined) refuse("HUBBUB_DATABASE_URL", withoutPassword(found), "sqlite:FILE or postgres://...");
  return { engine: "sqlite", file: file === ":memory:" || isAbsolute(file) ? file : resolve(file) };
}
