import { sql } from "kysely";
import { oncePerHub } from "../../../caches.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import type { HubOfQueries } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { count, flag, json, lines, oneOf, optional, text } from "../records/setting-kinds.ts";
import type { SettingKind } from "../records/setting-kinds.ts";

export const registrations = ["open", "approval", "closed"] as const;
export type Registration = (typeof registrations)[number];

/** Who may let others sign up by a link. */
export const invitings = ["nobody", "administrators", "members"] as const;
export type Inviting = (typeof invitings)[number];

export const mediaCopyRules = ["connections", "everybody", "nobody"] as const;
export type MediaCopies = (typeof mediaCopyRules)[number];

type Place<T> = SettingKind<T> & { readonly k: string };

function place<T>(k: string, kind: SettingKind<T>): Place<T> {
  return { k, ...kind };
}

/** Every setting of the site, where it is kept and how. */
const table = {
  name: place("site_name", text("Hubbub")),
  /** A closed hub is the safe reading of a word that nobody knows. */
  registration: place("registration", oneOf(registrations, { usual: "open", unknown: "closed" })),
  invitations: place("who_invites", oneOf(invitings, { usual: "administrators", unknown: "nobody" })),
  /** Those who were invited wait for approval like others where the site wants that. */
  invitedWait: place("invited_wait", flag),
  /** The site is closed to anonymous visitors (native contract 3.4 rule 5). */
  blockPublic: place("block_public", flag),
  /** Others do not learn how many people and posts there are. */
  hidesFigures: place("hide_figures", flag),
  /** Everybody learns by which channels the hub is run. */
  showsAdministrators: place("show_administrators", flag),
  /** Other hubs sign whatever they read. */
  onlySignedReads: place("only_signed_reads", flag),
  /** Only hosts that are named among the blocked and allowed ones count. */
  onlyAllowedHosts: place("only_allowed_hosts", flag),
  /** Another one with each change of those. */
  hostsVersion: place("hosts_version", text()),
  /** What the hub says of itself: in a few words, at length, what it does with data (text), its rules, and where to write. */
  description: place("site_description", text()),
  about: place("site_about", text()),
  privacyPolicy: place("privacy_policy", text()),
  rules: place("site_rules", lines),
  publicEmail: place("public_email", text()),
  /** When those of them were changed last of which applications ask that. */
  textsChanged: place("site_texts_changed", json<Partial<Record<DatedText, string>>>()),
  adminEmail: place("admin_email", text()),
  /** What the first page says: as it was typed, and as HTML. */
  frontText: place("front_text", text()),
  frontHtml: place("front_html", text()),
  /**
   * How the pages look: a theme of an extension (EXTENSION/THEME), colours, versions of the sheet of styles and the logo (empty:
   * none), the styles, the pictures (base64).
   */
  look: place("site_look", json<SiteLook>()),
  siteCss: place("site_css", text()),
  logo: place("site_logo", json<{ small: string; large: string }>()),
  /** How many bytes the files of one account may take; 0 is as many as the disk takes. */
  storageQuota: place("storage_quota", count()),
  /** How many posts a channel may begin in such a time (microblog contract 8.3); 0 is as many as it likes. */
  postsPerDay: place("posts_per_day", count()),
  postsPerWeek: place("posts_per_week", count()),
  postsPerMonth: place("posts_per_month", count()),
  /** Of which media of elsewhere the hub keeps copies, besides portraits (federation contract 14). */
  mediaCopies: place("media_copies", oneOf<MediaCopies>(mediaCopyRules, { usual: "connections" })),
  /** How many bytes these copies may take, all together and of one host. */
  mediaBudget: place("media_budget", count(2 ** 30)),
  mediaHostBudget: place("media_host_budget", count(2 ** 28)),
  /** The address that the hub is tied to since it first served. */
  baseUrl: place("base_url", optional),
  /** The moment of the backup that the hub was restored from, if it ever was. */
  restoredFrom: place("restored_from", optional),
  /** Since then nothing has been fetched of what others have sent meanwhile. */
  hasMissed: place("has_missed", flag),
  /** When the last backup was begun that came to its end. */
  lastBackup: place("last_backup", optional),
  /** The mark of the data folder that belongs to the database. */
  dataFolder: place("data_folder", optional),
  /** There while nobody has set up the hub. */
  setupToken: place("setup_token", optional),
  formSecret: place("form_secret", optional),
  keys: place("site_keys", json<KeyPair>()),
  vapid: place("site_vapid", json<KeyPair>()),
};

/** What pages have to know of the look of the site. */
export type SiteLook = {
  accents?: { light: string; dark: string } | undefined;
  sheet: string;
  logo: string;
  theme?: string;
};
type KeyPair = { publicKey: string; privateKey: string };
type SiteTable = { [N in keyof typeof table]: (typeof table)[N] extends Place<infer T> ? T : never };
export type SiteSetting = keyof SiteTable;
export type SiteSettings = Pick<SiteTable, "name" | "registration" | "blockPublic"> & { look?: SiteLook | undefined };
/** A text of the site that says when it was changed. */
export type DatedText = "about" | "privacyPolicy";
export type SiteTexts = Pick<SiteTable, "description" | "about" | "privacyPolicy" | "rules" | "publicEmail">;
export type SiteChanges = Partial<
  Omit<SiteSettings, "look"> & Pick<SiteTable, "hidesFigures" | "showsAdministrators" | "invitations" | "invitedWait">
>;

/** The same, for queries that read settings along with something else. */
export const siteTable: { readonly [N in SiteSetting]: Place<SiteTable[N]> } = table;

/** One setting of the site. */
export async function getSetting<N extends SiteSetting>(hub: HubOfQueries, name: N): Promise<SiteTable[N]> {
  return (await getSettings(hub, [name]))[name];
}

/** Several settings of the site, in one query. */
export async function getSettings<N extends SiteSetting>(
  hub: HubOfQueries,
  names: readonly N[],
): Promise<Pick<SiteTable, N>> {
  const keys = names.map((name) => siteTable[name].k);
  const given: { k?: string; keys?: string[] } = keys.length === 1 ? { k: keys[0]! } : { keys };
  const rows = await compiled(hub, "settings", given, (slots) => {
    const all = hub.db.selectFrom("setting").selectAll();
    // Looking into a list costs more than the row.
    return slots.k ? all.where("k", "=", slots.k) : all.where(isOneOf(hub.engine, sql.ref("k"), slots.keys!, "text"));
  });
  const found = new Map(rows.map((row) => [row.k, row.v]));
  const values = names.map((name) => [name, siteTable[name].read(found.get(siteTable[name].k))] as const);
  return Object.fromEntries(values) as Pick<SiteTable, N>;
}

/** Writes one setting of the site. */
export async function setSetting<N extends SiteSetting>(
  hub: Pick<Hub, "db">,
  name: N,
  value: SiteTable[N],
): Promise<void> {
  const { k, write } = siteTable[name];
  const v = write(value);
  await hub.db
    .insertInto("setting")
    .values({ k, v })
    .onConflict((conflict) => conflict.column("k").doUpdateSet({ v }))
    .execute();
}

/** Writes a setting unless somebody else has been faster, and answers the one that counts. */
export async function settleSetting<N extends SiteSetting>(
  hub: Hub,
  name: N,
  value: NonNullable<SiteTable[N]>,
): Promise<NonNullable<SiteTable[N]>> {
  const { k, write } = siteTable[name];
  await hub.db
    .insertInto("setting")
    .values({ k, v: write(value) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await getSetting(hub, name))!;
}

/** What visitors notice of the site, in one query. */
export async function siteSettings(hub: Hub): Promise<SiteSettings> {
  return getSettings(hub, ["name", "registration", "blockPublic", "look"]);
}

/** Changes what visitors notice of the site; absent fields stay. */
export async function changeSite(hub: Hub, changes: SiteChanges): Promise<void> {
  const { name, registration, blockPublic, hidesFigures, showsAdministrators, invitations, invitedWait } = changes;
  if (name !== undefined) await setSetting(hub, "name", name);
  if (registration !== undefined) await setSetting(hub, "registration", registration);
  if (blockPublic !== undefined) await setSetting(hub, "blockPublic", blockPublic);
  if (invitations !== undefined) await setSetting(hub, "invitations", invitations);
  if (invitedWait !== undefined) await setSetting(hub, "invitedWait", invitedWait);
  if (hidesFigures !== undefined) await setSetting(hub, "hidesFigures", hidesFigures);
  if (showsAdministrators !== undefined) await setSetting(hub, "showsAdministrators", showsAdministrators);
}

const textNames = ["description", "about", "privacyPolicy", "rules", "publicEmail"] as const;

/** What the hub says of itself. */
export async function siteTexts(hub: Hub): Promise<SiteTexts> {
  return getSettings(hub, textNames);
}

const datedTexts = ["about", "privacyPolicy"] as const satisfies readonly DatedText[];

/** Says that anew. */
export async function changeSiteTexts(hub: Hub, texts: SiteTexts): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await getSettings(hub, [...datedTexts, "textsChanged"]);
    const changed = datedTexts.filter((name) => known[name] !== texts[name]).map((name) => [name, now(hub)] as const);
    for (const name of textNames) await setSetting(hub, name, texts[name]);
    await setSetting(hub, "textsChanged", { ...known.textsChanged, ...Object.fromEntries(changed) });
  });
}

/** What the first page says in the place of the hub's own words: as it was typed, and laid out. */
export async function frontWords(hub: Hub): Promise<Pick<SiteTable, "frontText" | "frontHtml">> {
  return getSettings(hub, ["frontText", "frontHtml"]);
}

/** Says that anew. */
export async function changeFrontWords(
  hub: Hub,
  { frontText, frontHtml }: Pick<SiteTable, "frontText" | "frontHtml">,
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await setSetting(hub, "frontText", frontText);
    await setSetting(hub, "frontHtml", frontHtml);
  });
}

/** The RSA keys of the site, PEM; made when they are first needed, and never changed. */
export async function siteKeys(hub: Hub): Promise<KeyPair> {
  return (await getSetting(hub, "keys")) ?? settleSetting(hub, "keys", (await hub.makeKeys()).rsa);
}

const knownFormSecret = oncePerHub((): { secret?: string } => ({}));

/** Signs what the hub hands to visitors and takes back; made with the tables, the same on all processes. */
export async function formSecret(hub: Hub): Promise<string> {
  const known = knownFormSecret(hub);
  return (known.secret ??= (await getSetting(hub, "formSecret"))!);
}
