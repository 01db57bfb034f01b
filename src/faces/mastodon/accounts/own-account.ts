import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { stopUsing } from "../../../domain/photos/use.ts";
import type { Use } from "../../../domain/photos/scales.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Hub } from "../../../hub.ts";
import { languageOf, presentOwn, presentProfile, privacyOf, quotePolicies } from "../present/own-account.ts";
import { changeOwn, ownErrors, ownInput, pictures } from "./change-own.ts";
import type { OwnInput } from "./change-own.ts";
import { loadOwn } from "./load-own.ts";

/** The parts of rows that answer who the caller is. */
const credentials = { answer: "CredentialAccount", present: presentOwn } as const;
const profile = { answer: "Profile", present: presentProfile } as const;

const changes = {
  methods: ["PATCH"],
  access: "channel",
  scope: "write:accounts",
  writes: true,
  files: pictures,
  base64: true,
  errors: ownErrors,
  example: { display_name: "Ann" },
  input: ownInput,
  async handle(hub: Hub, caller: Caller, input: OwnInput, exchange: Exchange) {
    return loadOwn(hub, await changeOwn(hub, caller, input, exchange));
  },
} as const;

/** Mastodon contract 12.3: who a token acts as, and what its posts begin with. */
export const ownAccountRows = [
  endpoint({
    path: "v1/accounts/verify_credentials",
    methods: ["GET"],
    access: "channel",
    scope: ["profile", "read:accounts"],
    summary: "Who the token acts as; the first thing that applications ask.",
    input: z.object({}),
    handle: loadOwn,
    ...credentials,
  }),
  endpoint({
    ...changes,
    path: "v1/accounts/update_credentials",
    summary: "Changes what the caller shows of itself, and what its posts begin with; what is left out stays.",
    ...credentials,
  }),
  endpoint({
    path: "v1/profile",
    methods: ["GET"],
    access: "channel",
    scope: ["profile", "read:accounts"],
    summary: "What the caller shows of itself, as it was typed.",
    input: z.object({}),
    handle: loadOwn,
    ...profile,
  }),
  endpoint({
    ...changes,
    path: "v1/profile",
    // masto.js sends it so.
    methods: ["PATCH", "PUT"],
    summary: "Changes that, and answers it.",
    ...profile,
  }),
  pictureRow("avatar", "profile", "Shows the drawn picture again."),
  pictureRow("header", "cover", "Shows no cover any more."),
  endpoint({
    path: "v1/preferences",
    methods: ["GET"],
    access: "channel",
    scope: "read:accounts",
    summary: "What new posts of the caller begin with.",
    answer: "Preferences",
    input: z.object({}),
    handle: loadOwn,
    present: (own) => ({
      "posting:default:visibility": privacyOf(own),
      "posting:default:sensitive": own.preferences.sensitive,
      "posting:default:language": languageOf(own) || null,
      "posting:default:quote_policy": quotePolicies[own.preferences.quoters],
      "reading:expand:media": "default",
      "reading:expand:spoilers": false,
      "reading:autoplay:gifs": false,
    }),
  }),
];

function pictureRow(name: string, use: Use, summary: string): Endpoint {
  return endpoint({
    path: `v1/profile/${name}`,
    methods: ["DELETE"],
    access: "channel",
    scope: "write:accounts",
    writes: true,
    summary,
    input: z.object({}),
    async handle(hub, caller) {
      await stopUsing(hub, caller.channel, use);
      return loadOwn(hub, caller);
    },
    ...credentials,
  });
}
