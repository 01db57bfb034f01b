import { siteNick } from "../../../domain/identity/channels/site-actor.ts";
import { avatarUrls } from "../../../domain/identity/xchans/avatar-urls.ts";
import { findReachable } from "../../../domain/people/reachable.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Address, Question } from "../address.ts";
import { activityType, jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { idsOf, siteIds } from "../ids.ts";
import { nickOf } from "./resource.ts";

/** WebFinger (RFC 7033): from `nick@host` to the actor (federation contract 2). */
export const webFinger: readonly Address[] = [
  { path: "/.well-known/webfinger", open: true, forAll: true, kept: true, mayBeStale: true, get: find },
];

const jrd = "application/jrd+json";

async function find({ hub, query }: Question): Promise<Document> {
  const resource = query.get("resource") ?? "";
  if (resource === "") throw new HubError("invalid", "WebFinger needs a resource.");
  const nick = nickOf(hub, resource);
  if (nick === siteNick) return jsonDocument(site(hub), jrd);
  const found = nick === undefined ? undefined : await findReachable(hub, nick);
  if (!found) throw missing("Channel");
  if (found.gone) return jsonDocument({ error: "Gone" }, jrd, 410);
  return jsonDocument(person(hub, found.channel), jrd);
}

function site(hub: Hub): object {
  const { address, actor } = siteIds(hub);
  return { subject: `acct:${address}`, aliases: [actor], links: actorLinks(actor) };
}

function person(hub: Hub, { channel_address: nick, channel_id: uid }: { channel_address: string; channel_id: number }) {
  const { baseUrl, host } = hub.config;
  const { actor } = idsOf(hub, nick);
  return {
    subject: `acct:${nick}@${host}`,
    aliases: [actor],
    links: [
      ...actorLinks(actor),
      { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href: actor },
      { rel: "http://webfinger.net/rel/avatar", href: avatarUrls(hub, uid).l },
      { rel: "http://ostatus.org/schema/1.0/subscribe", template: `${baseUrl}/follow?f=&url={uri}` },
    ],
  };
}

function actorLinks(href: string) {
  const profile = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
  return [activityType, profile].map((type) => ({ rel: "self", type, href }));
}
