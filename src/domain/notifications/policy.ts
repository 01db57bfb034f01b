import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { recordOf } from "../../record-of.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import { setConfigs } from "../identity/channels/channel-config.ts";
import { families } from "../identity/channels/channel-settings.ts";

/** Whose notices a channel wants, by what those people are to it. Kept among its settings, so it moves along. */

/** People as the policy tells them apart; somebody can be several of these. */
export const policyCases = [
  "not-following",
  "not-followers",
  "new-accounts",
  "private-mentions",
  "limited-accounts",
  "bots",
] as const;
export type PolicyCase = (typeof policyCases)[number];

/** Told, kept apart until the channel decides about the person, or not even stored. */
export const policyRules = ["accept", "filter", "drop"] as const;
export type PolicyRule = (typeof policyRules)[number];

export type NoticePolicy = Record<PolicyCase, PolicyRule>;

/** Everybody is heard until somebody says otherwise. */
export const usualPolicy: NoticePolicy = recordOf(policyCases, () => "accept" as const);

/** What a channel has chosen. */
export async function readPolicy(hub: Hub, uid: number): Promise<NoticePolicy> {
  return (await policiesOf(hub, [uid])).get(uid) ?? usualPolicy;
}

/** What channels have chosen, by their ids: those who hear everybody are not there. */
export async function policiesOf(hub: Hub, uids: readonly number[]): Promise<Map<number, NoticePolicy>> {
  const rows = await compiled(hub, "policies of notices", { uids }, (slots) =>
    hub.db
      .selectFrom("config")
      .select(["uid", "k", "v"])
      .where(isOneOf(hub.engine, sql.ref("uid"), slots.uids))
      .where("cat", "=", sql.lit(families.policy)),
  );
  const policies = new Map<number, NoticePolicy>();
  for (const [uid, chosen] of Map.groupBy(rows, (row) => row.uid)) {
    const rules = new Map(chosen.map(({ k, v }) => [k, policyRules.find((rule) => rule === v)]));
    const policy = recordOf(policyCases, (one) => rules.get(one) ?? "accept");
    if (policyCases.some((one) => policy[one] !== "accept")) policies.set(uid, policy);
  }
  return policies;
}

/** Changes what a channel has chosen; cases that are not named stay as they are. What has been stored stays where it is. */
export async function changePolicy(hub: Hub, uid: number, changes: Partial<NoticePolicy>): Promise<NoticePolicy> {
  if (Object.keys(changes).length > 0) await setConfigs(hub, uid, families.policy, changes);
  return readPolicy(hub, uid);
}
