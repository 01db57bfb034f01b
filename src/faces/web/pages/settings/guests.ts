import {
  changeGuest,
  createGuest,
  deleteGuest,
  findGuest,
  listGuests,
} from "../../../../domain/connections/connections.ts";
import type { ChannelGuest } from "../../../../domain/connections/connections.ts";
import { permissionLimitsOf } from "../../../../domain/identity/channels/permission-limits.ts";
import { readDate, storedDate, storedMoment, unsetDate } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { tokenParameter } from "../../guest.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { grantBoxes, grantsIn } from "../../parts/connections/grants.ts";
import { icon } from "../../parts/icons.ts";
import { dayIn, time } from "../../parts/times.ts";

/** Guests: people without an account who see with a link what is meant for them. */
export const settingsGuestsPages: Page[] = [
  { path: "/settings/guests", access: "member", get: (context) => list(context), post: create },
  { path: "/settings/guests/:id", access: "member", onlyForm: true, get: (context) => page(context), post: save },
  { path: "/settings/guests/:id/renew", access: "member", post: renew },
  { path: "/settings/guests/:id/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

async function list(context: MemberContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const guests = await listGuests(context.hub, context.member.channel);
  const main = html`<p class="crumbs"><a href="/settings">${say("settings.title")}</a></p>
    <h1>${say("settings.guests")}</h1>
    <p class="lead">${say("settings.guests-lead")}</p>
    ${
      guests.length > 0
        ? html`<ul class="card plain-list">
            ${guests.map((guest) => guestRow(context, guest))}
          </ul>`
        : html`<p class="empty">${say("settings.guests-none")}</p>`
    }
    <form class="card form-page" method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("settings.new-guest"), name: "name", value: typed.text("name"), required: true, hint: say("settings.new-guest-hint"), fault })}
      ${expiryField(context, typed.text("expires"), fault)}
      <p class="submit"><button class="button primary">${say("settings.make-the-link")}</button></p>
    </form>`;
  return show(context, { title: say("settings.guests"), main, status: fault?.status ?? 200 });
}

function guestRow(context: MemberContext, guest: ChannelGuest): Html {
  return html`<li>
    <a href="/settings/guests/${guest.atoken_id}">${icon("person")} <span>${guest.atoken_name}</span></a
    ><span class="hint">${expiryWords(context, guest)}</span>
  </li>`;
}

function expiryWords(context: MemberContext, { atoken_expires: expires }: ChannelGuest): Html | string {
  const { say } = context;
  if (expires === unsetDate) return "";
  const over = storedMoment(expires) <= context.hub.clock();
  return say.html(over ? "settings.ended" : "settings.until", { when: time(context, expires) });
}

function expiryField(context: MemberContext, value: string, fault?: Fault): Html {
  const { say } = context;
  return textField(context, {
    label: say("settings.last-day"),
    name: "expires",
    type: "date",
    value,
    hint: say("settings.last-day-hint"),
    fault,
  });
}

/** The end of the day that was typed, in the channel's zone. */
function expiryIn({ hub, member, say }: MemberContext, typed: Fields): string {
  const text = typed.word("expires");
  if (text === "") return unsetDate;
  const read = /^\d{4}-\d\d-\d\d$/.test(text) ? readDate(`${text} 23:59:59`) : undefined;
  if (!read) throw fault("expires", say("settings.choose-day"));
  return storedDate(read, member.channel.channel_timezone, hub.clock()) ?? unsetDate;
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const guest = await createGuest(context.hub, context.member.channel, {
        name: typed.text("name"),
        expires: expiryIn(context, typed),
      });
      return redirect(context, `/settings/guests/${guest.atoken_id}`, "made");
    },
    (fault) => list(context, typed, fault),
  );
}

function load({ hub, member, params }: MemberContext): Promise<ChannelGuest> {
  return findGuest(hub, member.channel, idOf(params["id"]));
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const guest = await load(context);
  const { hub, member, say } = context;
  const { channel } = member;
  const limits = await permissionLimitsOf(hub, channel.channel_id);
  const link = `${hub.config.baseUrl}/channel/${channel.channel_address}?${tokenParameter}=${encodeURIComponent(guest.atoken_token)}`;
  const day = guest.atoken_expires === unsetDate ? "" : dayIn(context, guest.atoken_expires);
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/guests">${say("settings.guests")}</a>
    </p>
    <h1>${guest.atoken_name}</h1>
    <section class="card form-page" aria-label="${say("settings.link")}">
      <div class="field">
        <label for="f-link">${say("settings.link-to-hand-out")}</label>
        <input id="f-link" readonly value="${link}" />
        <p class="hint">
          ${say.html("settings.guest-link-hint", { parameter: tokenParameter, token: guest.atoken_token })}
        </p>
      </div>
      ${buttonForm(context, `/settings/guests/${guest.atoken_id}/renew`, say("settings.renew-link"), { kind: "quiet" })}
    </section>
    <form class="card form-page" method="post" action="/settings/guests/${guest.atoken_id}">
      ${token(context)} ${alert(fault)} ${expiryField(context, typed?.text("expires") ?? day, fault)}
      ${grantBoxes(say, { legend: say("settings.guest-may"), granted: new Set(typed ? typed.all("grant") : guest.granted), limits, forGuest: true })}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a class="danger-link" href="/settings/guests/${guest.atoken_id}/delete">${say("settings.remove-guest")}</a>
      </p>
    </form>`;
  return show(context, { title: guest.atoken_name, main, status: fault?.status ?? 200 });
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const guest = await load(context);
  return tryForm(
    context,
    async () => {
      await changeGuest(context.hub, context.member.channel, guest.atoken_id, {
        expires: expiryIn(context, typed),
        granted: grantsIn(typed),
      });
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, typed, fault),
  );
}

async function renew(context: MemberContext): Promise<Response> {
  const guest = await load(context);
  await changeGuest(context.hub, context.member.channel, guest.atoken_id, { renewToken: true });
  return redirect(context, `/settings/guests/${guest.atoken_id}`, "saved");
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const guest = await load(context);
  return deleteQuestion(context, {
    question: say("settings.remove-guest-question", { name: guest.atoken_name }),
    consequence: say("settings.remove-guest-means"),
    wayBack: `/settings/guests/${guest.atoken_id}`,
    button: say("settings.remove"),
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const guest = await load(context);
  await deleteGuest(context.hub, context.member.channel, guest.atoken_id);
  return redirect(context, "/settings/guests", "removed");
}
