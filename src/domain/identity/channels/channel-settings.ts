import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import { setConfigs } from "./channel-config.ts";
import { roles } from "./roles.ts";
import type { PermissionName, RoleName } from "./roles.ts";
import { count, flag, json, oneOf, text, words } from "../records/setting-kinds.ts";
import type { SettingKind } from "../records/setting-kinds.ts";
import { namesIn } from "../../../record-of.ts";

/** Where a setting is kept among all that a channel may have of this and other hubs, and how. */
type Place<T> = SettingKind<T> & { readonly cat: string; readonly k: string };

function place<T>(cat: string, k: string, kind: SettingKind<T>): Place<T> {
  return { cat, k, ...kind };
}

const system = "system";
const feature = "feature";

/** Whose comments wait for the owner of the thread. */
export const moderation = { nobody: "0", strangers: "1", everybody: "2" } as const;
export type Moderation = (typeof moderation)[keyof typeof moderation];

/** Who may quote a post without being asked: its author always may (federation contract 7). */
export const quoters = ["everybody", "connections", "nobody"] as const;
export type Quoters = (typeof quoters)[number];

/** The forms in which people may write on pages. */
export const textFormats = ["text/bbcode", "text/markdown"] as const;
export type TextFormat = (typeof textFormats)[number];

/** What a channel can be besides a forum, which its role decides. */
export const channelKinds = ["person", "organization", "service"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Something that a profile says in short, as it was typed. */
export type ShortField = { name: string; value: string };

/** What the hub reads of the settings of a channel (native contract 2.15); clients and imports may store any others. */
const table = {
  /** One with an unknown role is custom (native contract 3.6). */
  role: place(system, "permissions_role", oneOf<RoleName>(namesIn(roles), { usual: "custom" })),
  /** What other hubs are told that it is, unless it is a forum. */
  kind: place(system, "channel_kind", oneOf<ChannelKind>(channelKinds, { usual: "person" })),
  /** Actor ids of elsewhere that are the same person (federation contract 11). */
  aliases: place(system, "alias_ids", words),
  /** Hashtags that it shows as what it writes about: see `people/featured-tags.ts`. */
  featuredTags: place(system, "featured_tags", words),
  /** Sites whose pages may name it as their author. */
  authorSites: place(system, "author_sites", words),
  /** Who it is now, by the hash of somebody elsewhere, and since when: see `moved.ts`. */
  movedTo: place(system, "successor", text()),
  movedAt: place(system, "succeeded_at", text()),
  showsOnline: place(system, "show_online_status", flag),
  /** Of a custom channel: requests are approved without the owner. */
  autoApprove: place(system, "autoperms", flag),
  /** Name of the set that new connections get instead of the role's list (native contract 3.3). */
  defaultSet: place(system, "default_permcat", text()),
  newCloseness: place(system, "new_abook_closeness", count(80, 99)),
  /** How many threads a page has; 0 is as many as usual (native contract 1.11). */
  threadsPerPage: place(system, "itemspage", count()),
  /** Where uploads go, with the date as %Y, %m and %d (native contract 2.12). */
  photoFolder: place(system, "photo_path", text("%Y-%m")),
  fileFolder: place(system, "attach_path", text("%Y-%m")),
  overwritesFiles: place(system, "overwrite_dup_files", flag),
  largePhotos: place(system, "large_photos", flag),
  /** Readers may not tag what the channel writes. */
  refusesTags: place(system, "blocktags", flag),
  moderation: place(system, "moderate_comments", oneOf<Moderation>(Object.values(moderation), { usual: "0" })),
  /** For how many days somebody of elsewhere is new to the channel, so that what they write waits; 0: nobody is (`items/first-contacts.ts`). */
  newFor: place(system, "strangers_new_for", count(0, 365)),
  /** Of posts that do not say it themselves. */
  quoters: place(system, "who_may_quote", oneOf<Quoters>(quoters, { usual: "everybody" })),
  /** Private mentions add to the audience that was chosen, instead of replacing it. */
  keepsLists: place(system, "no_private_mention_acl_override", flag),
  /** Something by which the secret address of the calendar differs from earlier ones; none without such an address (events/calendar-address.ts). */
  calendarAddress: place(system, "calendar_address", text()),
  /** What the owner writes posts in, as chosen the last time. */
  textFormat: place(system, "text_format", oneOf<TextFormat>(textFormats, { usual: "text/bbcode" })),
  /** What posts begin with that programs send (Mastodon contract 11.25); without a language they have that of the account. */
  sensitiveMedia: place("mastodon", "sensitive_media", flag),
  postLanguage: place("mastodon", "post_language", text()),
  /** The group, by its hash, for which a post of a program is that says `private`; without one the channel's default audience. */
  privateMeans: place("mastodon", "private_means", text()),
  /** What the profile says in short besides its usual fields. */
  shortFields: place("mastodon", "short_fields", json<readonly ShortField[]>()),
  /** The channel wants no text of its own twice within two minutes (native contract 6.15). */
  refusesRepeats: place(feature, "suppress_duplicates", flag),
  /** Photos tell where they were taken. */
  tellsPlaces: place(feature, "photo_location", flag),
};

export type ChannelSettings = {
  [N in keyof typeof table]: (typeof table)[N] extends Place<infer T> ? T : never;
};
export type ChannelSetting = keyof ChannelSettings;

/** The same, for queries that read settings along with something else. */
export const channelSettings: { readonly [N in ChannelSetting]: Place<ChannelSettings[N]> } = table;

/** Families that have a setting for each permission, for each topic, or for each name that the owner gives. */
export const families = {
  /** How far each permission reaches: a number of `limits` (native contract 3.2). */
  limits: "perm_limits",
  /** What a custom channel grants new connections: 1 or 0 for each permission. */
  grants: "autoperms",
  /** Named sets of grants. */
  sets: "permcat",
  /** By which ways the channel is told of what others do: for each topic their names. */
  notices: "notices",
  /** Whose notices it wants: a rule for each kind of people. */
  policy: "notice_policy",
  /** Whose notices it wants whatever the policy says, by their hashes. */
  letIn: "notice_let_in",
  /** What the owner notes about people, by their hashes. */
  notes: "mastodon.note",
  /** Which groups' members stand in their lists alone, and which answers lists show, by the hashes of groups (groups/list-choices.ts). */
  exclusiveLists: "mastodon.exclusive",
  listReplies: "mastodon.replies",
} as const;

/** Condition on a row `alias` of `config`: it is the limit of this permission. */
export function isLimitOf(alias: string, permission: PermissionName): RawBuilder<SqlBool> {
  const [cat, k] = [sql.ref(`${alias}.cat`), sql.ref(`${alias}.k`)];
  return sql`${cat} = ${sql.lit(families.limits)} and ${k} = ${sql.lit(permission)}`;
}

/** One setting of a channel. */
export async function channelSetting<N extends ChannelSetting>(
  hub: Hub,
  uid: number,
  name: N,
): Promise<ChannelSettings[N]> {
  return (await readChannelSettings(hub, uid, [name]))[name];
}

/** Several settings of a channel, in one query. */
export async function readChannelSettings<N extends ChannelSetting>(
  hub: Hub,
  uid: number,
  names: readonly N[],
): Promise<Pick<ChannelSettings, N>> {
  const places = names.map((name) => channelSettings[name]);
  const rows = await compiled(hub, `channel settings: ${names.join(" ")}`, { uid }, (slots) =>
    hub.db
      .selectFrom("config")
      .select(["cat", "k", "v"])
      .where("uid", "=", slots.uid)
      .where((x) => x.or(places.map(({ cat, k }) => x.and([x("cat", "=", cat), x("k", "=", k)])))),
  );
  const found = new Map(rows.map(({ cat, k, v }) => [`${cat} ${k}`, v]));
  const values = names.map((name) => {
    const { cat, k, read } = channelSettings[name];
    return [name, read(found.get(`${cat} ${k}`))] as const;
  });
  return Object.fromEntries(values) as Pick<ChannelSettings, N>;
}

/** What others learn of a channel without asking for a permission. */
const toldToOthers = [
  "role",
  "autoApprove",
  "kind",
  "aliases",
  "quoters",
  "featuredTags",
  "authorSites",
  "shortFields",
] as const satisfies ChannelSetting[];

/** Changes settings of a channel together; absent ones stay. */
export async function changeChannelSettings(
  hub: Hub,
  uid: number,
  values: { [N in ChannelSetting]?: ChannelSettings[N] | undefined },
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const name of namesIn(values)) await change(hub, uid, name, values[name]);
    if (toldToOthers.some((name) => values[name] !== undefined)) await recordAppearance(hub, uid);
  });
}

async function change<N extends ChannelSetting>(
  hub: Hub,
  uid: number,
  name: N,
  value: ChannelSettings[N] | undefined,
): Promise<void> {
  const { cat, k, write } = channelSettings[name];
  if (value !== undefined) await setConfigs(hub, uid, cat, { [k]: write(value) });
}
