import { z } from "zod";
import { getSetting, siteSettings } from "../../../domain/identity/site/site-settings.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { presentConfiguration } from "./present-configuration.ts";
import { presentConfig } from "./present-site.ts";
import { ok } from "../small-answers.ts";

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
      return { config: hub.config, site: await siteSettings(hub), email: await getSetting(hub, "adminEmail") };
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
