import {
  calendarSecret,
  channelOfCalendar,
  endCalendarAddress,
  renewCalendarAddress,
  wholeCalendar,
} from "../../../../domain/events/events.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { calendarFile } from "../../parts/events/calendar-file.ts";
import { token } from "../../parts/forms.ts";

/** The calendar of a channel for other programs, by an address that nobody else knows. */
export const subscribePages: Page[] = [
  { path: "/events/subscribe", access: "member", get: page, post: change },
  { path: "/events/of/:nick/:secret", access: "anybody", get: calendar },
];

async function page(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const secret = await calendarSecret(hub, member.channel);
  const address = `${hub.config.baseUrl}/events/of/${member.channel.channel_address}/${secret ?? ""}`;
  const main = html`<p class="crumbs"><a href="/events">${say("events.calendar")}</a></p>
    <section class="card form-page">
      <h1>${say("events.subscribe")}</h1>
      <p>${say("events.subscribe-lead")}</p>
      ${secret === undefined ? "" : known(context, address)}
      <form method="post">
        ${token(context)}
        <p class="submit">
          <button class="button ${secret === undefined ? "primary" : ""}" name="do" value="renew">
            ${say(secret === undefined ? "events.make-address" : "events.renew-address")}
          </button>
          ${secret === undefined ? "" : html`<button class="button danger" name="do" value="end">${say("events.end-address")}</button>`}
        </p>
      </form>
    </section>`;
  return show(context, { title: say("events.subscribe"), main });
}

function known({ say }: PageContext, address: string): Html {
  return html`<div class="field">
      <label for="f-address">${say("events.address")}</label>
      <input id="f-address" type="text" readonly value="${address}" aria-describedby="h-address" />
      <p class="hint" id="h-address">${say("events.address-hint")}</p>
    </div>
    <p><a href="${address.replace(/^https?:/, "webcal:")}">${say("events.open-in-program")}</a></p>`;
}

async function change(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  if (typed.text("do") === "end") await endCalendarAddress(hub, member.channel);
  else await renewCalendarAddress(hub, member.channel);
  return redirect(context, "/events/subscribe", "saved");
}

async function calendar(context: PageContext): Promise<Response> {
  const { hub, params } = context;
  const channel = await channelOfCalendar(hub, params["nick"] ?? "", params["secret"] ?? "");
  return calendarFile(context, "calendar.ics", await wholeCalendar(hub, channel));
}
