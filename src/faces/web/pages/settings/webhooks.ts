import { queueTest } from "../../../../domain/webhooks/queue-webhooks.ts";
import { listWebhookDeliveries, sendAgain } from "../../../../domain/webhooks/webhook-deliveries.ts";
import type { WebhookDelivery } from "../../../../domain/webhooks/webhook-deliveries.ts";
import { isWebhookEvent } from "../../../../domain/webhooks/webhook-events.ts";
import type { WebhookEvent } from "../../../../domain/webhooks/webhook-events.ts";
import {
  addWebhook,
  changeWebhook,
  endFormerSecret,
  eventsFor,
  findWebhook,
  isPaused,
  listWebhooks,
  removeWebhook,
  renewWebhookSecret,
} from "../../../../domain/webhooks/webhooks.ts";
import type { Webhook } from "../../../../domain/webhooks/webhooks.ts";
import { missing } from "../../../../errors.ts";
import { now } from "../../../../hub.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, box, buttonForm, textField, token } from "../../parts/forms.ts";
import { exactTime, time } from "../../parts/times.ts";

const path = "/settings/webhooks";

/** Addresses to which the member has events told; for administrators those of the site as well (docs/webhooks.md). */
export const settingsWebhooksPages: Page[] = [
  { path, access: "member", get: (context) => page(context), post: add },
  { path: `${path}/:id`, access: "member", get: (context) => one(context), post: change },
  { path: `${path}/:id/do`, access: "member", post: act },
];

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const webhooks = await listWebhooks(hub, member.channel.channel_id);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("webhooks.title")}</h1>
    <p class="lead">${say("webhooks.lead", { name: member.channel.channel_name })}</p>
    ${
      webhooks.length > 0
        ? html`<ul class="card people" aria-label="${say("webhooks.title")}">
            ${webhooks.map((webhook) => row(say, webhook))}
          </ul>`
        : html`<p class="empty">${say("webhooks.none")}</p>`
    }
    <form class="card form-page" method="post" action="${path}">
      ${token(context)} ${alert(wrong)}
      <h2>${say("webhooks.add")}</h2>
      ${fields(context, { url: typed?.text("url") ?? "", events: typed?.all("events") ?? [] }, wrong)}
      <p class="submit"><button class="button primary">${say("webhooks.add")}</button></p>
    </form>`;
  return show(context, { title: say("webhooks.title"), main, status: wrong?.status ?? 200 });
}

function row(say: Say, webhook: Webhook): Html {
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="${path}/${webhook.id}">${webhook.url}</a>
      <p class="about">${stateOf(say, webhook)} · ${say("webhooks.its-events", { count: webhook.events.length })}</p>
    </div>
  </li>`;
}

function stateOf(say: Say, webhook: Webhook): string {
  const { is_on, failures } = webhook;
  if (is_on === 0) return say(isPaused(webhook) ? "webhooks.is-paused" : "webhooks.is-off");
  return failures > 0 ? say("webhooks.is-failing", { count: failures }) : say("webhooks.is-on");
}

function fields(context: MemberContext, order: { url: string; events: readonly string[] }, wrong?: Fault): Html {
  const { member, say } = context;
  return html`${textField(context, { label: say("webhooks.url"), name: "url", type: "url", value: order.url, required: true, hint: say("webhooks.url-hint"), fault: wrong })}
    <fieldset class="radios">
      <legend>${say("webhooks.events")}</legend>
      ${eventsFor(member).map((event) => box({ label: eventWords(say, event), name: "events", value: event, checked: order.events.includes(event) }))}
    </fieldset>`;
}

type Dashed<Name extends string> = Name extends `${infer Thing}.${infer Deed}` ? `${Thing}-${Deed}` : Name;

function eventWords(say: Say, event: WebhookEvent | "test"): string {
  return say(`webhooks.event-${event.replace(".", "-") as Dashed<typeof event>}`);
}

async function one(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, say } = context;
  const webhook = await named(context);
  const deliveries = await listWebhookDeliveries(hub, webhook);
  const order = typed ? { url: typed.text("url"), events: typed.all("events") } : webhook;
  const button = (deed: string, label: string, kind = ""): Html =>
    buttonForm(context, `${path}/${webhook.id}/do`, label, { kind, fields: { deed } });
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="${path}">${say("webhooks.title")}</a>
    </p>
    <h1>${new URL(webhook.url).host}</h1>
    <p class="lead">${stateOf(say, webhook)}</p>
    ${
      isPaused(webhook)
        ? html`<div class="alert several">
            <p>${say.html("webhooks.paused", { time: exactTime(context, webhook.paused) })}</p>
            ${button("resume", say("webhooks.resume"))}
          </div>`
        : ""
    }
    <form class="card form-page" method="post" action="${path}/${webhook.id}">
      ${token(context)} ${alert(wrong)} ${fields(context, order, wrong)}
      ${box({ label: say("webhooks.on"), name: "on", checked: typed ? typed.has("on") : webhook.is_on === 1 })}
      <p class="submit"><button class="button primary">${say("webhooks.change")}</button></p>
    </form>
    <div class="submit">
      ${button("test", say("webhooks.test"))} ${button("secret", say("webhooks.new-secret"))}
      ${button("remove", say("webhooks.remove"), "danger")}
    </div>
    ${
      webhook.former_until > now(hub)
        ? html`<section class="card">
            <p>${say.html("webhooks.former-until", { time: exactTime(context, webhook.former_until) })}</p>
            ${button("end-former", say("webhooks.end-former"))}
          </section>`
        : ""
    }
    <h2>${say("webhooks.deliveries")}</h2>
    ${
      deliveries.length > 0
        ? html`<ul class="card people" aria-label="${say("webhooks.deliveries")}">
            ${deliveries.map((delivery) => deliveryRow(context, webhook, delivery))}
          </ul>`
        : html`<p class="empty">${say("webhooks.deliveries-none")}</p>`
    }`;
  return show(context, { title: say("webhooks.title"), main, status: wrong?.status ?? 200 });
}

function deliveryRow(context: MemberContext, webhook: Webhook, delivery: WebhookDelivery): Html {
  const { say } = context;
  const { id, event, state, status, error, created } = delivery;
  const what = eventWords(say, isWebhookEvent(event) ? event : "test");
  const again = html`${say("webhooks.again")}<span class="unseen">: ${what} ${id}</span>`;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${say.html(`webhooks.told-${state}`, { event: what, time: time(context, created) })}</span>
      ${status > 0 ? html`<p class="about">${say("webhooks.answered", { status })}</p>` : ""}
      ${error === "" ? "" : html`<p class="about" lang="en">${error}</p>`}
    </div>
    ${
      webhook.is_on === 1 || event === "test"
        ? html`<div class="person-actions">
            ${buttonForm(context, `${path}/${webhook.id}/do`, again, { fields: { deed: "again", delivery: id } })}
          </div>`
        : ""
    }
  </li>`;
}

function named({ hub, member, params }: MemberContext): Promise<Webhook> {
  return findWebhook(hub, member.channel.channel_id, idOf(params["id"]));
}

function add(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const order = { url: typed.word("url"), events: typed.all("events") };
      const { webhook, secret } = await addWebhook(context.hub, context.member, order);
      return showSecret(context, webhook.id, secret);
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** Shown once: the hub tells nobody again. */
function showSecret(context: MemberContext, id: number, secret: string, isAnother = false): Promise<Response> {
  const { say } = context;
  const title = say("webhooks.secret-title");
  const main = html`<p class="crumbs"><a href="${path}">${say("webhooks.title")}</a></p>
    <section class="card form-page">
      <h1>${title}</h1>
      <p>${say("webhooks.secret-once")}</p>
      <p><code>${secret}</code></p>
      ${isAnother ? html`<p>${say("webhooks.secret-another")}</p>` : ""}
      <p class="submit"><a class="button primary" href="${path}/${id}">${say("webhooks.secret-kept")}</a></p>
    </section>`;
  return show(context, { title, main });
}

async function change(context: MemberContext, typed: Fields): Promise<Response> {
  const { id } = await named(context);
  return tryForm(
    context,
    async () => {
      const changes = { url: typed.word("url"), events: typed.all("events"), on: typed.has("on") };
      await changeWebhook(context.hub, context.member, id, changes);
      return redirect(context, `${path}/${id}`, "saved");
    },
    (wrong) => one(context, typed, wrong),
  );
}

async function act(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const webhook = await named(context);
  const uid = member.channel.channel_id;
  switch (form.word("deed")) {
    case "test":
      await queueTest(hub, webhook);
      return redirect(context, `${path}/${webhook.id}`, "webhooksent");
    case "again":
      await sendAgain(hub, uid, webhook.id, idOf(form.word("delivery")));
      return redirect(context, `${path}/${webhook.id}`, "webhooksent");
    case "resume":
      await changeWebhook(hub, member, webhook.id, { on: true });
      return redirect(context, `${path}/${webhook.id}`, "saved");
    case "secret":
      return showSecret(context, webhook.id, await renewWebhookSecret(hub, uid, webhook.id), true);
    case "end-former":
      await endFormerSecret(hub, uid, webhook.id);
      return redirect(context, `${path}/${webhook.id}`, "saved");
    case "remove":
      await removeWebhook(hub, uid, webhook.id);
      return redirect(context, path, "webhookremoved");
    default:
      throw missing("Webhook");
  }
}
