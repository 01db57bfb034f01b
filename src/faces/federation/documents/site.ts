import { cache } from "../../../caches.ts";
import { siteActor, siteNick } from "../../../domain/identity/channels/site-actor.ts";
import { getSetting } from "../../../domain/identity/site/site-settings.ts";
import type { Hub } from "../../../hub.ts";
import type { Address } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { siteIds } from "../ids.ts";
import { actorContext, plainContext } from "./context.ts";
import { publicKeys } from "./public-keys.ts";

/** The actor of the site, which fetches and reports in nobody's name. It publishes nothing. */
export const siteDocuments: readonly Address[] = [
  { path: "/actor", forAll: true, get: ({ hub }) => actor(hub) },
  {
    path: "/actor/outbox",
    get: ({ hub }) =>
      jsonDocument({
        "@context": plainContext,
        id: siteIds(hub).outbox,
        type: "OrderedCollection",
        totalItems: 0,
        orderedItems: [],
      }),
  },
];

const actors = cache<string, Document>(1);

/** Made once for each name that the site has. */
async function actor(hub: Hub): Promise<Document> {
  const name = await getSetting(hub, "name");
  const made = actors(hub);
  const document = made.get(name) ?? (await describe(hub, name));
  made.set(name, document);
  return document;
}

async function describe(hub: Hub, name: string): Promise<Document> {
  const { actor, inbox, outbox, address } = siteIds(hub);
  const site = await siteActor(hub);
  const keys = { rsa: [{ name: "main-key", pem: site.channel_pubkey }], ed25519: site.channel_ed25519_pubkey };
  return jsonDocument({
    "@context": actorContext,
    id: actor,
    type: "Application",
    preferredUsername: siteNick,
    name,
    url: hub.config.baseUrl,
    inbox,
    outbox,
    endpoints: { sharedInbox: inbox },
    webfinger: address,
    manuallyApprovesFollowers: true,
    discoverable: false,
    indexable: false,
    ...publicKeys(actor, keys),
  });
}
