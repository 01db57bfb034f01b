import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { outOfBand2, registerApp } from "./oauth2-apps.ts";
import type { Oauth2App } from "./oauth2-apps.ts";
import { issueBearer } from "./oauth2-tokens.ts";

/** What somebody says of an application of their own, which may have no page to come back to. */
export type OwnApp = { name: string; scopes: string; callback?: string };

type Made = { app: Oauth2App; secret: string };

/**
 * Makes an application of a channel's own (`uid` 0: of the whole hub), on request with a token by which a script acts as the channel without
 * a browser in between (Mastodon contract 9.5). Secrets are told here and never again. Throws invalid for a name or scopes that nobody may have.
 */
export async function makeOwnApp(
  hub: Hub,
  uid: number,
  order: OwnApp & { withToken: true },
): Promise<Made & { token: string }>;
export async function makeOwnApp(
  hub: Hub,
  uid: number,
  order: OwnApp & { withToken: boolean },
): Promise<Made & { token?: string }>;
export async function makeOwnApp(
  hub: Hub,
  uid: number,
  { name, scopes, callback = outOfBand2, withToken }: OwnApp & { withToken: boolean },
): Promise<Made & { token?: string }> {
  return inTransaction(hub, async (hub) => {
    const made = await registerApp(hub, uid, { name, scopes, redirects: [callback], website: "" });
    return withToken ? { ...made, token: (await issueBearer(hub, made.app, uid, made.app.scopes)).token } : made;
  });
}
