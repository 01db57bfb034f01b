import { z } from "zod";
import { registrationNow } from "../../../domain/identity/accounts/setup.ts";
import { mostFeaturedTags } from "../../../domain/people/featured-tags.ts";
import { usageFigures } from "../../../domain/identity/site/site-figures.ts";
import type { DatedText, SiteTexts } from "../../../domain/identity/site/site-settings.ts";
import type { UsageFigures } from "../../../domain/identity/site/site-figures.ts";
import { getSettings, siteTexts } from "../../../domain/identity/site/site-settings.ts";
import { oncePerHub } from "../../../caches.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { vapidKeys } from "../../../domain/push/vapid.ts";
import type { Hub } from "../../../hub.ts";
import { version } from "../../../version.ts";
import { namedAccount } from "../accounts/named-account.ts";
import { keptShortly } from "../headers.ts";
import { imageTypes, mimetypes, mostMedia, polls } from "../offered.ts";
import { id } from "../parameters.ts";
import { paragraphs } from "../present/account.ts";
import { seeing } from "../seeing.ts";
import { datetime } from "../present/dates.ts";

/** What applications take the hub for (Mastodon contract 16.2): a figure promises what is there. */
const compatible = "4.5.0";
const apiVersion = 7;

type Site = {
  name: string;
  registration: string;
  invitations: string;
  blockPublic: boolean;
  figures: UsageFigures | undefined;
  vapid: string;
  texts: SiteTexts;
  textsChanged: Partial<Record<DatedText, string>> | undefined;
  /** Version of the hub's own logo; empty for the usual one. */
  logo: string;
  hub: Hub["config"];
};

/** Crawlers and applications read these documents all the time, and they are nobody's own (Mastodon contract 13.1). */
const keptFor = 60_000;

const kept = oncePerHub((): { site?: Promise<Site> | undefined; until: number } => ({ until: 0 }));

/** Mastodon contract 12.2. */
export const instanceRows = [
  endpoint({
    path: "v2/instance",
    methods: ["GET"],
    access: "public",
    summary: "What the hub is, what it can do, and its limits.",
    answer: "Instance",
    input: z.object({}),
    handle: siteOf,
    present: presentSite,
    headers: () => keptShortly,
  }),
  endpoint({
    path: "v1/instance",
    methods: ["GET"],
    access: "public",
    summary: "The same, as older applications know it.",
    answer: "InstanceV1",
    input: z.object({}),
    handle: siteOf,
    present: presentSiteV1,
    headers: () => keptShortly,
  }),
  endpoint({
    path: "v1/instance/activity",
    methods: ["GET"],
    access: "public",
    summary: "Twelve weeks, of which nothing is told.",
    answer: "Activity[]",
    input: z.object({}),
    handle: ({ clock }) => clock(),
    present: (moment) => weeksBefore(moment).map((week) => ({ week, statuses: "0", logins: "0", registrations: "0" })),
  }),
  endpoint({
    path: "v1/instance/languages",
    methods: ["GET"],
    access: "public",
    summary: "Languages of the hub's pages.",
    answer: "Language[]",
    input: z.object({}),
    handle: () => [{ code: "en", name: "English" }],
  }),
  siteText("extended_description", "about", "More about the hub."),
  siteText("privacy_policy", "privacyPolicy", "What the hub does with data."),
  endpoint({
    path: "v1/instance/rules",
    methods: ["GET"],
    access: "public",
    summary: "Rules of the hub.",
    answer: "Rule[]",
    input: z.object({}),
    handle: siteOf,
    present: ({ texts }) => rulesOf(texts.rules),
  }),
  nothing("v1/instance/peers", "Other servers that the hub knows; it does not tell.", "Nobody"),
  nothing("v1/instance/domain_blocks", "Servers that the hub keeps away from; it does not tell.", "Nobody"),
  nothing("v1/custom_emojis", "Emoji of the hub's own: it has none.", "Nobody"),
  nothing("v1/trends/statuses", "Posts of which many speak; not counted.", "Nobody"),
  nothing("v1/trends/links", "Links of which many speak; not counted.", "Nobody"),
  nothing("v1/trends/tags", "Hashtags of which many speak; not counted.", "Nobody", ["v1/trends"]),
  nothing("v1/timelines/link", "Posts with a link; not kept.", "Nobody"),
  endpoint({
    path: "v1/instance/translation_languages",
    methods: ["GET"],
    access: "public",
    summary: "Languages that can be translated: none.",
    answer: "Nothing",
    input: z.object({}),
    handle: () => ({}),
  }),
  ownNothing("v1/endorsements", "People whom the caller recommends; not kept.", "read:accounts"),
  ownNothing("v1/featured_tags/suggestions", "Hashtags for the caller's profile; not kept.", "read:accounts"),
  nothingOf("v1/accounts/:id/endorsements", "People whom somebody recommends; not kept."),
  nothingOf("v1/accounts/:id/identity_proofs", "Proofs of somebody's identity; not kept."),
  endpoint({
    path: "v1/accounts/:id/collections",
    aliases: ["v1/accounts/:id/in_collections"],
    methods: ["GET"],
    access: "public",
    summary: "Collections of people by somebody, or with them; not kept.",
    answer: "Collections",
    input: z.object({ id: id("Id of the person.") }),
    async handle(hub, caller, input) {
      await namedAccount(hub, (await seeing(hub, caller)).observer, input.id);
      return { collections: [] };
    },
  }),
];

/** The site as it was a minute ago at most; what all ask for at once is loaded once. */
function siteOf(hub: Hub): Promise<Site> {
  const known = kept(hub);
  const moment = hub.clock().getTime();
  if (known.site && known.until > moment) return known.site;
  const site = loadSite(hub);
  Object.assign(known, { site, until: moment + keptFor });
  site.catch(() => (known.site = undefined));
  return site;
}

async function loadSite(hub: Hub): Promise<Site> {
  const { hidesFigures, look, ...site } = await getSettings(hub, [
    "name",
    "invitations",
    "blockPublic",
    "hidesFigures",
    "textsChanged",
    "look",
  ]);
  const [registration, texts, { publicKey: vapid }] = await Promise.all([
    registrationNow(hub),
    siteTexts(hub),
    vapidKeys(hub),
  ]);
  const figures = hidesFigures ? undefined : await usageFigures(hub);
  return { ...site, registration, logo: look?.logo ?? "", texts, figures, vapid, hub: hub.config };
}

/** The hub's logo, large and small: its own one, or that of all hubs. */
function logosOf({ logo, hub: { baseUrl } }: Site): { large: string; small: string } {
  if (logo === "") return { large: `${baseUrl}/assets/thumbnail.png`, small: `${baseUrl}/assets/logo-64.png` };
  return { large: `${baseUrl}/look/${logo}/logo-large.png`, small: `${baseUrl}/look/${logo}/logo.png` };
}

function shownVersion(): string {
  return `${compatible} (compatible; Hubbub ${version})`;
}

function presentSite(site: Site) {
  const { name, registration, blockPublic, figures, texts, vapid, hub } = site;
  const logos = logosOf(site);
  const reads = blockPublic ? "authenticated" : "public";
  const access = { local: reads, remote: reads };
  return {
    domain: hub.host,
    title: name,
    version: shownVersion(),
    source_url: `${hub.baseUrl}/source`,
    description: texts.description,
    usage: { users: { active_month: figures?.activeMonth ?? 0 } },
    thumbnail: { url: logos.large, description: "", versions: {} },
    icon: [{ src: logos.small, size: "64x64" }],
    languages: ["en"],
    configuration: {
      urls: {
        streaming: streamingOf(hub),
        status: null,
        about: `${hub.baseUrl}/help`,
        privacy_policy: null,
        terms_of_service: null,
      },
      vapid: { public_key: vapid },
      ...offeredBy(hub),
      translation: { enabled: false },
      timelines_access: { live_feeds: access, hashtag_feeds: access, trending_link_feeds: access },
      limited_federation: false,
    },
    registrations: {
      enabled: registration !== "closed",
      approval_required: registration === "approval",
      reason_required: registration === "approval",
      message: null,
      min_age: null,
      url: `${hub.baseUrl}/register`,
    },
    contact: { email: texts.publicEmail, account: null },
    rules: rulesOf(texts.rules),
    api_versions: { mastodon: apiVersion },
    wrapstodon: null,
    hubbub: { version },
  };
}

function presentSiteV1(site: Site) {
  const { name, registration, invitations, figures, texts, vapid, hub } = site;
  return {
    uri: hub.host,
    title: name,
    short_description: texts.description,
    description: texts.description,
    email: texts.publicEmail,
    version: shownVersion(),
    urls: { streaming_api: streamingOf(hub) },
    stats: { user_count: figures?.channels ?? 0, status_count: figures?.posts ?? 0, domain_count: figures?.peers ?? 0 },
    thumbnail: logosOf(site).large,
    languages: ["en"],
    registrations: registration !== "closed",
    approval_required: registration === "approval",
    invites_enabled: invitations !== "nobody",
    configuration: offeredBy(hub),
    contact_account: null,
    rules: rulesOf(texts.rules),
    max_toot_chars: hub.limits.body,
    max_media_attachments: mostMedia,
    vapid_key: vapid,
  };
}

/** The host alone: applications know the path. */
function streamingOf({ baseUrl }: Hub["config"]): string {
  return baseUrl.replace(/^http/, "ws");
}

const mostPixels = 100_000_000;
/** Clients keep these in 32 bits. */
const largest = 2 ** 31 - 1;

function offeredBy({ limits }: Hub["config"]) {
  const bytes = Math.min(limits.upload, largest);
  return {
    accounts: {
      max_display_name_length: 191,
      max_note_length: 65_535,
      max_avatar_description_length: 0,
      max_header_description_length: 0,
      max_featured_tags: mostFeaturedTags,
      max_pinned_statuses: 5,
      max_profile_fields: 16,
      profile_field_name_limit: 255,
      profile_field_value_limit: 2047,
    },
    statuses: {
      max_characters: limits.body,
      max_media_attachments: mostMedia,
      characters_reserved_per_url: 23,
      supported_mime_types: mimetypes,
    },
    media_attachments: {
      supported_mime_types: imageTypes,
      description_limit: 1500,
      image_size_limit: bytes,
      image_matrix_limit: mostPixels,
      video_size_limit: bytes,
      video_frame_rate_limit: 120,
      video_matrix_limit: mostPixels,
    },
    polls,
  };
}

function weeksBefore(moment: Date): string[] {
  const week = 7 * 24 * 3600;
  const begin = Math.floor(moment.getTime() / 1000 / week) * week;
  return Array.from({ length: 12 }, (_, back) => String(begin - back * week));
}

/** What nobody keeps is an empty list, because applications stop where there is nothing at all (Mastodon contract 12, tier D). */
function nothing(path: string, summary: string, answer: string, aliases: readonly string[] = []): Endpoint {
  return endpoint({
    path,
    aliases,
    methods: ["GET"],
    access: "public",
    summary,
    answer,
    input: z.object({}),
    handle: () => [],
  });
}

function nothingOf(path: string, summary: string): Endpoint {
  return endpoint({
    path,
    methods: ["GET"],
    access: "public",
    summary,
    answer: "Nobody",
    input: z.object({ id: id("Id of the person.") }),
    async handle(hub, caller, input) {
      await namedAccount(hub, (await seeing(hub, caller)).observer, input.id);
      return [];
    },
  });
}

function ownNothing(path: string, summary: string, scope?: string, aliases: readonly string[] = []): Endpoint {
  return endpoint({
    path,
    aliases,
    methods: ["GET"],
    access: "channel",
    ...(scope !== undefined && { scope }),
    summary,
    answer: "Nobody",
    input: z.object({}),
    handle: () => [],
  });
}

function siteText(name: string, setting: DatedText, summary: string): Endpoint {
  return endpoint({
    path: `v1/instance/${name}`,
    methods: ["GET"],
    access: "public",
    summary,
    answer: "SiteText",
    input: z.object({}),
    handle: siteOf,
    present({ texts, textsChanged }) {
      const changed = textsChanged?.[setting];
      return { updated_at: changed === undefined ? null : datetime(changed), content: paragraphs(texts[setting]) };
    },
  });
}

function rulesOf(rules: readonly string[]) {
  return rules.map((rule, at) => ({ id: String(at + 1), text: rule, hint: "", translations: {} }));
}
