/**
 * All that webhooks can be told, by the name that goes out as `type` (docs/webhooks.md), and where it comes from: told of each item that comes
 * to a channel, by what notices tell its owner, or to those who administer the site. A name that has been published stays.
 */
const sources = {
  "post.published": "item",
  "post.received": "item",
  "comment.published": "item",
  "comment.received": "item",
  "mention.received": "notice",
  "reaction.received": "notice",
  "share.received": "notice",
  "message.received": "notice",
  "connection.requested": "notice",
  "connection.made": "notice",
  "report.filed": "site",
  "account.requested": "site",
} as const;

export type WebhookEvent = keyof typeof sources;

export const webhookEvents = Object.keys(sources) as WebhookEvent[];

/** Sent when the owner asks for it, to see whether anybody is there. */
export const testEvent = "test";

/** Is this the name of an event? */
export function isWebhookEvent(name: string): name is WebhookEvent {
  return Object.hasOwn(sources, name);
}

/** Is it about an item that has come to the channel, whatever notices say of it? */
export function isOfItems(event: WebhookEvent): boolean {
  return sources[event] === "item";
}

/** Is it for those alone who administer the site? */
export function isOfSite(event: WebhookEvent): boolean {
  return sources[event] === "site";
}
