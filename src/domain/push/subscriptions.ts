import { createECDH } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { refusal } from "../../errors.ts";
import { isPrivateHost } from "../../fetch/private-hosts.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { useChannel } from "../identity/accounts/sessions.ts";
import { digestOf } from "../identity/secrets.ts";
import { addJobs } from "../../jobs/queue.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { PushSubscriptionTable } from "../../storage/tables/push.ts";
import { storedJson } from "../../stored-json.ts";
import { lockToken } from "./sealed-token.ts";

/** Where devices are told of notices: one place for each token of an application, and for each log-in of a browser. */

/** Whose notices are told: everybody's, those of people whom the channel follows, of its followers, or nobody's. */
export const pushPolicies = ["all", "followed", "follower", "none"] as const;
export type PushPolicy = (typeof pushPolicies)[number];

/** Which kinds of notices are told, by the names that whoever subscribes has for them. */
export type Alerts = Readonly<Record<string, boolean>>;

export type Subscription = Omit<Selectable<PushSubscriptionTable>, "alerts" | "policy"> & {
  alerts: Alerts;
  policy: PushPolicy;
};

/** Whom a subscription belongs to, and ends with. */
export type Holder = { token: number } | { session: string };

export type NewSubscription = {
  endpoint: string;
  /** Base64, in either alphabet. */
  p256dh: string;
  auth: string;
  /** RFC 8291, or the draft before it. */
  standard: boolean;
  alerts: Alerts;
  policy: PushPolicy;
  /** Languages that a browser asks for. */
  language?: string;
};

const longestEndpoint = 2000;

/**
 * Subscribes a device, in the place of what its holder had before; `secret` is the token that the application shows. Throws invalid for an
 * address that is not public, and for keys that are none.
 */
export async function subscribe(
  hub: Hub,
  holder: Holder,
  uid: number,
  given: NewSubscription,
  secret = "",
): Promise<Subscription> {
  const values = {
    uid,
    token_id: "token" in holder ? holder.token : 0,
    session: "session" in holder ? holder.session : "",
    endpoint: readEndpoint(given.endpoint),
    p256dh: readPoint(given.p256dh),
    auth: readSecret(given.auth),
    standard: given.standard ? 1 : 0,
    alerts: JSON.stringify(given.alerts),
    policy: given.policy,
    language: given.language ?? "",
    secret: secret === "" ? "" : await lockToken(hub, secret),
    failures: 0,
    last_error: "",
    created: now(hub),
  };
  const row = await hub.db
    .insertInto("push_subscription")
    .values(values)
    .onConflict((conflict) =>
      "token" in holder
        ? conflict.column("token_id").where("token_id", ">", sql.lit(0)).doUpdateSet(values)
        : conflict.column("session").where("session", "<>", sql.lit("")).doUpdateSet(values),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return subscriptionOf(row);
}

/** What this holder has subscribed. */
export async function findSubscription(hub: Hub, holder: Holder): Promise<Subscription | undefined> {
  const row = await ofHolder(hub, holder).executeTakeFirst();
  return row && subscriptionOf(row);
}

/** A subscription by its id. */
export async function subscriptionById(hub: Hub, id: number): Promise<Subscription | undefined> {
  const row = await hub.db.selectFrom("push_subscription").selectAll().where("id", "=", id).executeTakeFirst();
  return row && subscriptionOf(row);
}

/** Changes what is told; undefined where nothing is subscribed. */
export async function changeAlerts(
  hub: Hub,
  holder: Holder,
  changes: { alerts?: Alerts | undefined; policy?: PushPolicy | undefined },
): Promise<Subscription | undefined> {
  const known = await findSubscription(hub, holder);
  if (!known) return undefined;
  const alerts = { ...known.alerts, ...changes.alerts };
  const policy = changes.policy ?? known.policy;
  await hub.db
    .updateTable("push_subscription")
    .set({ alerts: JSON.stringify(alerts), policy })
    .where("id", "=", known.id)
    .execute();
  return { ...known, alerts, policy };
}

/** Lets the browser with this token act as another channel of its account, and tells it of the notices of that one from now on. */
export async function actAs(hub: Hub, token: string, channelId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await useChannel(hub, token, channelId);
    await hub.db
      .updateTable("push_subscription")
      .set({ uid: channelId })
      .where("session", "=", digestOf(token))
      .where("session", "<>", sql.lit(""))
      .execute();
  });
}

/** Ends what this holder has subscribed, if anything. */
export async function unsubscribe(hub: Hub, holder: Holder): Promise<void> {
  const known = await findSubscription(hub, holder);
  if (known) await dropSubscription(hub, known.id);
}

export async function dropSubscription(hub: Hub, id: number): Promise<void> {
  await hub.db.deleteFrom("push_subscription").where("id", "=", id).execute();
}

/** Adds a job for each device of the channels that shall hear of these notices; part of the transaction that stores them. */
export async function queuePushes(hub: Hub, notices: readonly { id: number; uid: number }[]): Promise<void> {
  if (notices.length === 0) return;
  const uids = [...new Set(notices.map(({ uid }) => uid))];
  const devices = await compiled(hub, "subscriptions of channels", { uids }, (slots) =>
    hub.db
      .selectFrom("push_subscription")
      .select(["id", "uid"])
      .where(isOneOf(hub.engine, sql.ref("uid"), slots.uids)),
  );
  if (devices.length === 0) return;
  const wanted = notices.flatMap((notice) =>
    devices.filter(({ uid }) => uid === notice.uid).map(({ id }) => ({ subscription: id, notice: notice.id })),
  );
  await addJobs(hub, "push", wanted);
}

/** Removes what was subscribed with tokens and log-ins that have ended, and for channels that are gone. */
export async function trimSubscriptions(hub: Hub): Promise<void> {
  const over = hub.db
    .selectFrom("push_subscription as s")
    .select("s.id")
    .leftJoin("oauth2_token", "oauth2_token.id", "s.token_id")
    .leftJoin("session", "session.token_digest", "s.session")
    .leftJoin("channel", (join) => join.onRef("channel.channel_id", "=", "s.uid").on("channel_removed", "=", 0))
    .where((x) =>
      x.or([
        x("channel.channel_id", "is", null),
        x.and([x("oauth2_token.id", "is", null), x("session.token_digest", "is", null)]),
      ]),
    );
  await removeInSteps((most) =>
    hub.db.deleteFrom("push_subscription").where("id", "in", over.limit(most)).executeTakeFirst(),
  );
}

function ofHolder(hub: Hub, holder: Holder) {
  const all = hub.db.selectFrom("push_subscription").selectAll();
  return "token" in holder
    ? all.where("token_id", "=", holder.token).where("token_id", ">", sql.lit(0))
    : all.where("session", "=", holder.session).where("session", "<>", sql.lit(""));
}

function subscriptionOf(row: Selectable<PushSubscriptionTable>): Subscription {
  const policy = pushPolicies.find((one) => one === row.policy) ?? "none";
  return { ...row, policy, alerts: storedJson<Alerts>(row.alerts) };
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) && text.length <= longestEndpoint ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || isPrivateHost(url.hostname) || url.username !== "" || url.password !== "")
    throw refusal("push_endpoint_wrong");
  return url.href;
}

/** In the one form in which it is kept. */
function readPoint(text: string): string {
  const point = Buffer.from(text, "base64url");
  try {
    if (point.length !== 65 || point[0] !== 4) throw new Error("This is no point");
    const any = createECDH("prime256v1");
    any.generateKeys();
    any.computeSecret(point);
  } catch {
    throw refusal("push_keys_wrong");
  }
  return point.toString("base64url");
}

function readSecret(text: string): string {
  const secret = Buffer.from(text, "base64url");
  if (secret.length !== 16) throw refusal("push_keys_wrong");
  return secret.toString("base64url");
}
