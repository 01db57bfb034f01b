import { z } from "zod";
import { registrationNow } from "../../../domain/identity/accounts/setup.ts";
import { getSetting, siteSettings } from "../../../domain/identity/site/site-settings.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { presentConfig } from "./present-site.ts";
import { ok } from "../small-answers.ts";
import type { Config } from "../../../config/config.ts";
import { imageBoxes } from "../media/present-media-entities.ts";

/** A level of the protocol that old clients check; it is not the version of the hub (microblog contract 7.17). */
const protocolLevel = "0.9.7";

/** Microblog contract 8.13. */
export const compatRows = [
  endpoint({
    path: "compat/config",
    methods: "*",
    access: "public",
    summary: "What clients want to know of a hub before they sign in.",
    answer: "Config",
    input: z.object({}),
    async handle(hub) {
      const [site, registration, email] = await Promise.all([
        siteSettings(hub),
        registrationNow(hub),
        getSetting(hub, "adminEmail"),
      ]);
      return { config: hub.config, site: { ...site, registration }, email };
    },
    present: ({ config, site, email }) => presentConfig(config, site, email),
    xml: "config",
  }),
  endpoint({
    path: "compat/version",
    methods: "*",
    access: "public",
    summary: "The protocol level.",
    answer: "ProtocolVersion",
    input: z.object({}),
    handle: () => protocolLevel,
    xml: "version",
  }),
  endpoint({
    path: "help/test",
    methods: "*",
    access: "public",
    summary: "Says that the API is there.",
    input: z.object({}),
    handle: () => "ok",
    ...ok,
  }),
  endpoint({
    path: "help/configuration",
    methods: ["GET"],
    access: "public",
    summary: "Sizes and numbers that clients keep to.",
    answer: "Configuration",
    input: z.object({}),
    handle: (hub) => hub.config,
    present: presentConfiguration,
    xml: "configuration",
  }),
];

/** Most files of one status, and most characters of a direct message that clients should offer. */
const mostMedia = 10;
const messageLength = 10_000;
/** Nothing is shortened here; clients reckon with this many characters all the same (microblog contract 7.17). */
const urlLength = 30;

/** The answer of `help/configuration`. */
function presentConfiguration({ limits }: Config): object {
  const sizes = Object.entries(imageBoxes).map(([name, box]) => [name, { w: box, h: box, resize: "fit" }] as const);
  return {
    dm_text_character_limit: messageLength,
    characters_reserved_per_media: 0,
    max_media_per_upload: mostMedia,
    short_url_length: urlLength,
    short_url_length_https: urlLength,
    photo_size_limit: limits.image,
    photo_sizes: Object.fromEntries(sizes),
    non_username_paths: [],
  };
}
