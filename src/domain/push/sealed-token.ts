import type { Hub } from "../../hub.ts";
import { lock, unlock } from "../identity/site/locked.ts";

/**
 * Applications with several accounts know by their own token for which of them a message is (Mastodon contract 15). The hub has digests of
 * tokens, so that of a subscription is kept locked with a secret of the site.
 */
export function lockToken(hub: Hub, token: string): Promise<string> {
  return lock(hub, what, token);
}

/** The token; undefined where it cannot be read any more. */
export function unlockToken(hub: Hub, locked: string): Promise<string | undefined> {
  return unlock(hub, what, locked);
}

const what = "token of a push subscription";
