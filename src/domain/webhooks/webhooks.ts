import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { RefusedAddress } from "../../fetch/fetch.ts";
import { reachOf } from "../../fetch/reach.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { storedJson } from "../../stored-json.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { WebhookTable } from "../../storage/tables/webhooks.ts";
import { isAdministrator } from "../identity/accounts/accounts.ts";
import type { Caller } from "../identity/accounts/caller.ts";
import { lock } from "../identity/site/locked.ts";
import { isOfItems, isOfSite, isWebhookEvent, webhookEvents } from "./webhook-events.ts";
import type { WebhookEvent } from "./webhook-events.ts";

/** Addresses to which a channel has events told (docs/webhooks.md). Nobody but their owner learns of them. */

/** So many may a channel have. */
const mostWebhooks = 10;

/** A webhook without what it is signed with. */
export type Webhook = Omit<Selectable<WebhookTable>, "events" | "secret" | "former_secret" | "of_items"> & {
  events: readonly WebhookEvent[];
};

export type WebhookOrder = { url: string; events: readonly string[] };

/** What the secret of a webhook is locked as. */
export const lockedAs = "secret of a webhook";

/** The webhooks of a channel, the oldest first. */
export async function listWebhooks(hub: Hub, uid: number): Promise<Webhook[]> {
  const rows = await hub.db.selectFrom("webhook").selectAll().where("uid", "=", uid).orderBy("id").execute();
  return rows.map(webhookOf);
}

/** One of them. Throws missing, alike for those of others and for those that never were. */
export async function findWebhook(hub: Hub, uid: number, id: number): Promise<Webhook> {
  const row = await hub.db
    .selectFrom("webhook")
    .selectAll()
    .where("id", "=", id)
    .where("uid", "=", uid)
    .executeTakeFirst();
  if (!row) throw missing("Webhook");
  return webhookOf(row);
}

/** Is it told nothing because the password was changed? */
export function isPaused({ paused }: Webhook): boolean {
  return paused !== zeroDate;
}

/** The events that this caller may choose. */
export function eventsFor({ account }: Pick<Caller, "account">): WebhookEvent[] {
  return webhookEvents.filter((event) => isAdministrator(account) || !isOfSite(event));
}

/** Adds a webhook, and answers it with its secret, which is told nobody again. */
export async function addWebhook(
  hub: Hub,
  caller: Caller,
  order: WebhookOrder,
): Promise<{ webhook: Webhook; secret: string }> {
  const [uid, secret] = [caller.channel.channel_id, newWebhookSecret()];
  const locked = await lock(hub, lockedAs, secret);
  const values = { ...readOrder(hub, caller, order), secret: locked, uid, is_on: 1, created: now(hub) };
  return inTransaction(hub, async (hub) => {
    if ((await listWebhooks(hub, uid)).length >= mostWebhooks) throw refusal("webhooks_full", { most: mostWebhooks });
    const row = await hub.db.insertInto("webhook").values(values).returningAll().executeTakeFirstOrThrow();
    return { webhook: webhookOf(row), secret };
  });
}

/** Changes where events go and which; switched on, it begins without failures. */
export async function changeWebhook(
  hub: Hub,
  caller: Caller,
  id: number,
  changes: Partial<WebhookOrder> & { on?: boolean | undefined },
): Promise<Webhook> {
  const known = await findWebhook(hub, caller.channel.channel_id, id);
  const order = { url: changes.url ?? known.url, events: changes.events ?? known.events };
  const isOn = changes.on ?? known.is_on === 1;
  const afresh = isOn && known.is_on === 0 && { failures: 0, resting_until: zeroDate, paused: zeroDate };
  const values = { ...readOrder(hub, caller, order), is_on: isOn ? 1 : 0, ...afresh };
  const row = await hub.db
    .updateTable("webhook")
    .set(values)
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw missing("Webhook");
  return webhookOf(row);
}

/** For so many milliseconds requests are signed with the old secret as well, so that receivers change over without losing any. */
const graceTime = 24 * 3600_000;

/** Gives it another secret and answers that. The one before stays good for a day; one before that ends now. */
export async function renewWebhookSecret(hub: Hub, uid: number, id: number): Promise<string> {
  const secret = newWebhookSecret();
  const locked = await lock(hub, lockedAs, secret);
  const known = await findWebhook(hub, uid, id);
  await hub.db
    .updateTable("webhook")
    .set((eb) => ({ secret: locked, former_secret: eb.ref("secret"), former_until: momentIn(hub, graceTime) }))
    .where("id", "=", known.id)
    .execute();
  return secret;
}

const noFormer = { former_secret: "", former_until: zeroDate };

/** Signs by the newest secret alone from now on. */
export async function endFormerSecret(hub: Hub, uid: number, id: number): Promise<Webhook> {
  const known = await findWebhook(hub, uid, id);
  await hub.db.updateTable("webhook").set(noFormer).where("id", "=", known.id).execute();
  return { ...known, former_until: zeroDate };
}

/** Forgets secrets whose time is over; a part of the regular job. */
export async function dropFormerSecrets(hub: Hub): Promise<void> {
  await hub.db
    .updateTable("webhook")
    .set(noFormer)
    .where("former_until", ">", zeroDate)
    .where("former_until", "<=", now(hub))
    .execute();
}

/** Removes it with all that is known of what it was told. */
export async function removeWebhook(hub: Hub, uid: number, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await findWebhook(hub, uid, id);
    await hub.db.deleteFrom("webhook_delivery").where("webhook_id", "=", known.id).execute();
    await hub.db.deleteFrom("webhook").where("id", "=", known.id).execute();
  });
}

function webhookOf(row: Selectable<WebhookTable>): Webhook {
  const { events, secret: _secret, former_secret: _former, of_items: _items, ...shown } = row;
  return { ...shown, events: storedJson<string[]>(events).filter(isWebhookEvent) };
}

function readOrder(hub: Hub, caller: Caller, { url, events }: WebhookOrder) {
  const allowed = eventsFor(caller);
  const chosen = allowed.filter((event) => events.includes(event));
  if (chosen.length === 0 || events.some((name) => !allowed.some((event) => event === name)))
    throw refusal("webhook_events_wrong");
  return {
    url: readUrl(hub, url),
    events: JSON.stringify(chosen),
    of_items: chosen.some((event) => isOfItems(event)) ? 1 : 0,
  };
}

const longestUrl = 2000;

/** Where requests may go at all is asked again when one goes out, for each address of the name. */
function readUrl({ config }: Hub, text: string): string {
  try {
    if (text.length <= longestUrl) return reachOf(config.allowPrivate).checkUrl(text.trim()).href;
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error;
  }
  throw refusal("webhook_url_wrong");
}

/** In the form of Standard Webhooks. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Forgets the webhooks of channels that are gone; a part of the regular job. */
export async function dropWebhooksOfNobody(hub: Hub): Promise<void> {
  await hub.db
    .deleteFrom("webhook")
    .where("uid", "not in", hub.db.selectFrom("channel").select("channel_id").where("channel_removed", "=", 0))
    .execute();
}
