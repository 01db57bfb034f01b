import type { Announcement } from "../../../../domain/announcements/announcements.ts";
import {
  endAnnouncement,
  findAnnouncement,
  listAnnouncements,
  publishAnnouncement,
  removeAnnouncement,
  writeAnnouncement,
} from "../../../../domain/announcements/write.ts";
import { unsetDate } from "../../../../http/dates.ts";
import { now } from "../../../../hub.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html, raw } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, buttonForm, textArea, token } from "../../parts/forms.ts";
import { momentField, momentText, readMoment } from "../../parts/moment-field.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { time } from "../../parts/times.ts";

const path = "/admin/announcements";

/** What those who run the hub say to all members: written, published at once or at a time, ended, removed. */
export const adminAnnouncementsPages: Page[] = [
  { path, access: "administrator", get: (context) => list(context), post: (context, typed) => save(context, typed) },
  {
    path: `${path}/:id`,
    access: "administrator",
    get: (context) => edit(context),
    post: (context, typed) => save(context, typed, idOf(context.params["id"])),
  },
  { path: `${path}/:id/publish`, access: "administrator", post: (context) => act(context, publishAnnouncement) },
  { path: `${path}/:id/end`, access: "administrator", post: (context) => act(context, endAnnouncement) },
  { path: `${path}/:id/remove`, access: "administrator", post: (context) => act(context, removeAnnouncement) },
];

async function list(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { say } = context;
  const all = await listAnnouncements(context.hub);
  const title = say("announcements.title");
  const main = html`${adminHead(context, title)}
    <p class="lead">${say("announcements.lead")}</p>
    ${form(context, path, typed ?? new Fields(), wrong)}
    ${
      all.length > 0
        ? html`<h2>${say("announcements.all")}</h2>
            <ul class="card entries">
              ${all.map((one) => row(context, one))}
            </ul>`
        : ""
    }`;
  return show(context, { title, main, status: wrong?.status ?? 200 });
}

type State = "draft" | "scheduled" | "shown" | "ended";

function stateOf({ hub }: MemberContext, { published, ends }: Announcement): State {
  const moment = now(hub);
  if (ends !== unsetDate && ends <= moment) return "ended";
  if (published === unsetDate) return "draft";
  return published > moment ? "scheduled" : "shown";
}

function row(context: MemberContext, one: Announcement): Html {
  const { say } = context;
  const state = stateOf(context, one);
  const isShown = state === "shown";
  return html`<li class="announcement">
    <div class="prose">${raw(one.html)}</div>
    <p class="meta">
      ${say(`announcements.is-${state}`)} ${one.published === unsetDate ? "" : time(context, one.published)}
    </p>
    <div class="actions">
      <a class="button" href="${path}/${one.id}">${say("forms.edit")}</a>
      ${
        isShown
          ? buttonForm(context, `${path}/${one.id}/end`, say("announcements.end"))
          : buttonForm(context, `${path}/${one.id}/publish`, say("announcements.publish-now"))
      }
      ${buttonForm(context, `${path}/${one.id}/remove`, say("announcements.remove"), { kind: "quiet" })}
    </div>
  </li>`;
}

async function edit(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { say } = context;
  const one = await findAnnouncement(context.hub, idOf(context.params["id"]));
  const moment = (stored: string): string => (stored === unsetDate ? "" : momentText(context, stored));
  const known = new Fields([
    ["body", one.body],
    ["published", moment(one.published)],
    ["ends", moment(one.ends)],
  ]);
  const title = say("announcements.edit-title");
  const main = html`${adminHead(context, title)} ${form(context, `${path}/${one.id}`, typed ?? known, wrong)}`;
  return show(context, { title, main, status: wrong?.status ?? 200 });
}

function form(context: MemberContext, action: string, typed: Fields, wrong?: Fault): Html {
  const { say } = context;
  return html`<form class="card form-page" method="post" action="${action}">
    ${token(context)} ${alert(wrong)}
    ${textArea(context, { label: say("announcements.body"), name: "body", value: typed.text("body"), hint: say("announcements.body-hint"), rows: 5, required: true, fault: wrong })}
    ${momentField(context, { label: say("announcements.published"), name: "published", value: typed.text("published"), hint: say("announcements.published-hint"), fault: wrong })}
    ${momentField(context, { label: say("announcements.ends"), name: "ends", value: typed.text("ends"), hint: say("announcements.ends-hint"), fault: wrong })}
    <p class="submit">
      <button class="button primary">${say("forms.save")}</button>
      <button class="button" name="now" value="1">${say("announcements.publish-now")}</button>
    </p>
  </form>`;
}

async function save(context: MemberContext, typed: Fields, id?: number): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const published = typed.has("now") ? now(context.hub) : readMoment(context, typed, "published");
      const ends = readMoment(context, typed, "ends");
      await writeAnnouncement(context.hub, { body: typed.text("body"), published, ends }, id);
      return redirect(context, path, "saved");
    },
    (wrong) => (id === undefined ? list(context, typed, wrong) : edit(context, typed, wrong)),
  );
}

async function act(
  context: MemberContext,
  deed: (hub: MemberContext["hub"], id: number) => Promise<void>,
): Promise<Response> {
  await deed(context.hub, idOf(context.params["id"]));
  return redirect(context, path, "made");
}
