import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { removeInSteps } from "../../../storage/in-steps.ts";
import { sweepApps } from "./oauth2-apps.ts";
import { sweepCodes } from "./oauth2-codes.ts";
import { sweepBearers } from "./oauth2-tokens.ts";
import { sweepNonces } from "./oauth-nonces.ts";

/** For so long the application is told that a token has expired; later it is as if there had never been one. */
const keptAfterwards = 3600;

/** Removes tokens, codes and nonces whose time is over, and applications that nobody uses. */
export async function sweepOauth(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptAfterwards * 1000);
  const old = hub.db.selectFrom("oauth_token").select("id").where("expires", "<", oldest);
  await removeInSteps((most) => hub.db.deleteFrom("oauth_token").where("id", "in", old.limit(most)).executeTakeFirst());
  await sweepNonces(hub);
  await sweepCodes(hub);
  await sweepBearers(hub);
  await sweepApps(hub);
}
