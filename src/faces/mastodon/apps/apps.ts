import { z } from "zod";
import { registerApp } from "../../../domain/identity/applications/oauth2-apps.ts";
import type { Oauth2App } from "../../../domain/identity/applications/oauth2-apps.ts";
import { vapidKeys } from "../../../domain/push/vapid.ts";
import { allowance } from "../../../http/allowances.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { networkOf } from "../../../domain/identity/accounts/networks.ts";
import { requiredText, text, texts } from "../parameters.ts";
import { presentApplication } from "./present-application.ts";

/** So many applications register from one address (Mastodon contract 10). */
const registering = allowance({ of: "applications from", perMinute: 2.5, burst: 25 });

/** Mastodon contract 9.2. */
export const appRows = [
  endpoint({
    path: "v1/apps",
    methods: ["POST"],
    access: "public",
    // BitlBee sends a token that it does not have yet.
    provesApp: true,
    writes: true,
    summary: "Registers an application; its secret is told here alone.",
    answer: "CredentialApplication",
    example: { client_name: "Crow", redirect_uris: "crow-app://login", scopes: "read write" },
    input: z.object({
      client_name: requiredText("What it is called, up to 100 characters."),
      redirect_uris: texts(
        "Where people are led back to, up to 10 addresses, also as one text with white space between; `urn:ietf:wg:oauth:2.0:oob` shows them a code to type.",
      ),
      scopes: text("What it may ask for, with spaces between; `read` when left out."),
      website: text("Its page."),
    }),
    async handle(hub, _caller, input, { address }) {
      if (hub.config.rateLimits) registering(hub, networkOf(address));
      const registered = await registerApp(hub, 0, {
        name: input.client_name,
        redirects: input.redirect_uris.flatMap((one) => one.split(/\s+/)).filter((one) => one !== ""),
        scopes: input.scopes ?? "",
        website: input.website ?? "",
      });
      return { ...registered, vapid: (await vapidKeys(hub)).publicKey };
    },
    present: ({ app, secret, vapid }) => ({
      ...presentApplication({ ...shown(app), vapid }),
      client_id: app.client_id,
      client_secret: secret,
      client_secret_expires_at: 0,
    }),
  }),
  endpoint({
    path: "v1/apps/verify_credentials",
    methods: ["GET"],
    access: "public",
    anyToken: true,
    summary: "The application that a token belongs to.",
    answer: "Application",
    input: z.object({}),
    handle: async (hub, _caller, _input, { bearer }) => ({
      ...bearer!.application,
      vapid: (await vapidKeys(hub)).publicKey,
    }),
    present: presentApplication,
  }),
];

function shown({ id, name, website, redirects, scopes }: Oauth2App) {
  return { id, name, website, redirects, scopes };
}
