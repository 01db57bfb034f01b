import { resolve } from "node:path";
import { databaseSettings, usualProcesses } from "./database.ts";
import type { DatabaseSettings } from "./database.ts";
import { readExtensions } from "./extensions.ts";
import { mailSettings } from "./mail.ts";
import type { MailSettings } from "./mail.ts";
import { allowsPrivate, baseUrl, networks, webUrl } from "./network.ts";
import { given, isOn, text, whole } from "./read.ts";
import type { Environment } from "./read.ts";
import { backupSettings, blobsSettings } from "./stores.ts";
import type { BackupSettings, BlobsSettings } from "./stores.ts";
import { logSettings, metricsSettings, traceSettings } from "./watching.ts";
import type { LogSettings, MetricsSettings, TraceSettings } from "./watching.ts";

/** The finished, checked settings of one hub; nothing else reads the environment. */
export type Config = Readonly<{
  /** Public address without a trailing slash. */
  baseUrl: string;
  /** Host of the base URL, with the port only when it is not the default one. */
  host: string;
  listen: Readonly<{ address: string; port: number }>;
  /** Folder of the embedded database, and of the blobs or what is on its way to them. */
  dataDir: string;
  blobs: BlobsSettings;
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
  /** Undefined: none are made. */
  traces: TraceSettings | undefined;
  metrics: MetricsSettings;
  limits: Readonly<{
    body: number;
    upload: number;
    /** Bytes of an uploaded image, and its longest edge at scale 0 (0: as it is). */
    image: number;
    imageLength: number;
    request: number;
  }>;
}>;

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
    rateLimits: isOn(env, "HUBBUB_RATE_LIMITS"),
    linkCards: isOn(env, "HUBBUB_LINK_CARDS"),
    publicDays: whole(env, "HUBBUB_PUBLIC_DAYS", 0, 3650),
    mail: mailSettings(env, base),
    trustProxy: isOn(env, "HUBBUB_TRUST_PROXY"),
    aliasFields: isOn(env, "HUBBUB_ALIAS_FIELDS"),
    importFrom: networks(env, "HUBBUB_IMPORT_FROM"),
    allowPrivate: allowsPrivate(env, base),
    backups: backupSettings(env),
    log: logSettings(env, part),
    extensions: readExtensions(env),
    sourceUrl: webUrl(env, "HUBBUB_SOURCE_URL"),
    slowStatement: whole(env, "HUBBUB_SLOW_STATEMENT", 0, 1e9),
    traces: traceSettings(env),
    metrics: metricsSettings(env),
    limits: Object.freeze({
      body: whole(env, "HUBBUB_MAX_BODY", 1, 10_000_000),
      upload: whole(env, "HUBBUB_MAX_UPLOAD", 1, 1e12),
      image: whole(env, given(env, "HUBBUB_MAX_IMAGE") ? "HUBBUB_MAX_IMAGE" : "HUBBUB_MAX_UPLOAD", 1, 1e12),
      imageLength: whole(env, "HUBBUB_MAX_IMAGE_LENGTH", 0, 100_000),
      request: 4 * 1024 * 1024,
    }),
  });
}
