import { findConnectionTo } from "../../domain/connections/list.ts";
import type { Caller } from "../../domain/identity/accounts/caller.ts";
import { isAdministrator } from "../../domain/identity/accounts/accounts.ts";
import { findXchans } from "../../domain/identity/xchans/xchans.ts";
import { assemblePage } from "../../domain/items/assemble.ts";
import { findVisibleItem } from "../../domain/items/find.ts";
import { ownMessage, peopleOf } from "../../domain/messages/list.ts";
import { connectionRecord } from "../../domain/portable/connection.ts";
import { itemRecord } from "../../domain/portable/item-record.ts";
import { portableMail } from "../../domain/portable/mail.ts";
import { portableXchan } from "../../domain/portable/xchan.ts";
import { findReports } from "../../domain/reports/list.ts";
import type { ComposeEvent } from "../../domain/webhooks/send-webhook.ts";
import type { WebhookEvent } from "../../domain/webhooks/webhook-events.ts";
import { isWebhookEvent } from "../../domain/webhooks/webhook-events.ts";
import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";

/** What webhooks say of events (docs/webhooks.md): the records of this API, by the verbs that show them to the owner. */
export const composeEvent: ComposeEvent = async (hub, owner, event, subject) =>
  isWebhookEvent(event) ? composers[event](hub, owner, subject) : undefined;

type Compose = (hub: Hub, owner: Caller, subject: number) => Promise<object | undefined>;

const item: Compose = async (hub, { observer, channel }, id) => {
  const found = await unlessMissing(findVisibleItem(hub, observer, { id }));
  if (!found) return undefined;
  return { item: itemRecord(found, await assemblePage(hub, [found], channel.channel_id), hub.config.baseUrl) };
};

const mail: Compose = async (hub, { channel }, id) => {
  const found = await ownMessage(hub, channel, id);
  return found && { mail: portableMail(found, await peopleOf(hub, [found])) };
};

const connection: Compose = async (hub, { channel }, person) => {
  const [xchan] = await findXchans(hub, [person]);
  const found = xchan && (await findConnectionTo(hub, channel.channel_id, xchan.xchan_hash));
  return found && { connection: connectionRecord(found) };
};

const report: Compose = async (hub, { account }, id) => {
  const made = isAdministrator(account) ? (await findReports(hub, [id])).get(id) : undefined;
  if (!made) return undefined;
  const [person] = await findXchans(hub, [made.person_id]);
  const { category, comment, created, host } = made;
  return {
    report: { id: String(made.id), category, comment, created, host },
    ...(person && { person: portableXchan(person) }),
  };
};

const newcomer: Compose = async (hub, { account }, person) => {
  const [xchan] = isAdministrator(account) ? await findXchans(hub, [person]) : [];
  return xchan && { person: portableXchan(xchan) };
};

const composers: Readonly<Record<WebhookEvent, Compose>> = {
  "post.published": item,
  "post.received": item,
  "comment.published": item,
  "comment.received": item,
  "mention.received": item,
  "reaction.received": item,
  "share.received": item,
  "message.received": mail,
  "connection.requested": connection,
  "connection.made": connection,
  "report.filed": report,
  "account.requested": newcomer,
};
