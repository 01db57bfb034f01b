import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { outOfBand2, registerApp } from "./oauth2-apps.ts";
import type { Oauth2App } from "./oauth2-apps.ts";
import { issueBearer } from "./oauth2-tokens.ts";

/** An application of a channel's own and the token by which it acts as the channel; both secrets are told here and never again. */
export type ScriptToken = { app: Oauth2App; secret: string; token: string };

/** Makes a token for a script, without a browser in between (Mastodon contract 9.5). Throws invalid for a name or scopes that nobody may have. */
export async function makeScriptToken(
  hub: Hub,
  uid: number,
  { name, scopes, callback = outOfBand2 }: { name: string; scopes: string; callback?: string },
): Promise<ScriptToken> {
  return inTransaction(hub, async (hub) => {
    const { app, secret } = await registerApp(hub, uid, { name, scopes, redirects: [callback], website: "" });
    const { token } = await issueBearer(hub, app, uid, app.scopes);
    return { app, secret, token };
  });
}
