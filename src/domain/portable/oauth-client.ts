import type { OauthClient } from "../identity/oauth-clients.ts";

/** An application that the channel has registered (microblog contract 6.5), with its secret: exports are for the owner. */
export function clientRecord({ client_key, secret, name, redirect, icon }: OauthClient): Record<string, string> {
  return { client_key, secret, name, redirect, icon };
}
