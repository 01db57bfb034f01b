import { findEvent, ical, importCalendar, wholeCalendar } from "../../../../domain/events/events.ts";
import { readBlob } from "../../../../domain/files/blobs.ts";
import { findChannelById } from "../../../../domain/identity/channels/channels.ts";
import { HubError } from "../../../../errors.ts";
import { show } from "../../answers.ts";

import { fault as faultIn, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page, PageContext } from "../../page.ts";
import { calendarFile } from "../../parts/events/calendar-file.ts";
import { alert, fileField, token } from "../../parts/forms.ts";

/** Calendars as files: read in, saved, and one event for whoever may see it. */
export const calendarFilePages: Page[] = [
  {
    path: "/events/import",
    access: "member",
    onlyForm: true,
    get: (context) => importForm(context),
    post: takeFile,
    files: ["file"],
  },
  { path: "/events/ical", access: "member", get: whole },
  { path: "/events/ical/:hash", access: "anybody", mayBeStale: true, get: one },
];

/** How many bytes of a calendar file are read. */
const mostBytes = 2 * 1024 * 1024;

async function importForm(context: MemberContext, fault?: Fault): Promise<Response> {
  const { say } = context;
  const main = html`<p class="crumbs"><a href="/events">${say("events.calendar")}</a></p>
    <section class="card form-page">
      <h1>${say("events.read-file")}</h1>
      <p>${say("events.file-lead")}</p>
      <form method="post" enctype="multipart/form-data">
        ${token(context)} ${alert(fault)}
        ${fileField(context, { label: say("events.file"), name: "file", accept: ".ics,text/calendar", required: true, fault })}
        <p class="submit">
          <button class="button primary">${say("events.read-it")}</button>
          <a href="/events">${say("forms.leave-it")}</a>
        </p>
      </form>
    </section>`;
  return show(context, { title: say("events.read-file"), main, status: fault?.status ?? 200 });
}

async function takeFile(context: MemberContext, form: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const counts = await importCalendar(context.hub, context.member.channel, await textOf(context, form));
      return report(context, counts);
    },
    (fault) => importForm(context, fault),
  );
}

async function textOf({ hub, say }: MemberContext, form: Fields): Promise<string> {
  const file = form.file("file");
  if (!file) throw faultIn("file", say("events.choose-file"));
  if (file.staged.size > mostBytes) throw new HubError("too-large", say("events.file-too-large"), { field: "file" });
  const bytes = await readBlob(hub, file.staged);
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

async function report(
  context: MemberContext,
  { added, changed, unreadable }: Awaited<ReturnType<typeof importCalendar>>,
): Promise<Response> {
  const { say } = context;
  const main = html`<section class="card form-page">
    <h1>${say("events.file-read")}</h1>
    <dl class="figures">
      <div>
        <dt>${say("events.added")}</dt>
        <dd>${added}</dd>
      </div>
      <div>
        <dt>${say("events.changed")}</dt>
        <dd>${changed}</dd>
      </div>
      <div>
        <dt>${say("events.unreadable")}</dt>
        <dd>${unreadable}</dd>
      </div>
    </dl>
    <p class="submit"><a class="button primary" href="/events">${say("events.to-calendar")}</a></p>
  </section>`;
  return show(context, { title: say("events.file-read"), main });
}

async function whole(context: MemberContext): Promise<Response> {
  return calendarFile(context, "calendar.ics", await wholeCalendar(context.hub, context.member.channel));
}

/** One event as a file, for whoever may see it. Throws missing. */
async function one(context: PageContext): Promise<Response> {
  const { event } = await findEvent(context.hub, context.observer, context.params["hash"] ?? "");
  const keeper = await findChannelById(context.hub, event.uid);
  return calendarFile(context, "event.ics", await ical(context.hub, keeper ?? { channel_timezone: "UTC" }, [event]));
}
