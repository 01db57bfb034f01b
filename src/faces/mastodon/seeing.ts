import { callerOrNobody } from "../../domain/identity/accounts/caller.ts";
import type { Anybody, Caller } from "../../domain/identity/accounts/caller.ts";
import { HubError } from "../../errors.ts";
import { needsUser } from "../../http/credentials.ts";
import type { Hub } from "../../hub.ts";

/** Whoever reads something public: the caller, or nobody where the site is open to such. Throws unauthenticated (Mastodon contract 8.2). */
export async function seeing(hub: Hub, caller: Caller | undefined): Promise<Anybody> {
  const anybody = await callerOrNobody(hub, caller);
  if (!anybody.observer.seesPublic) throw new HubError("unauthenticated", needsUser, { reason: "no_credentials" });
  return anybody;
}
