import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { pageOfGroups } from "../../../../domain/items/timelines/notice-groups.ts";
import { findRequest, listRequests } from "../../../../domain/items/timelines/notice-requests.ts";
import type { NoticeRequest } from "../../../../domain/items/timelines/notice-requests.ts";
import { acceptRequests, dismissRequests } from "../../../../domain/notifications/filtered.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { personRow } from "../../parts/channels/person.ts";
import { buttonForm, token } from "../../parts/forms.ts";
import { noticeRows } from "../../parts/items/notice-row.ts";
import { pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";

const path = "/notifications/filtered";

/** The notices that the member's policy keeps apart, by the people who did it: all of them, and those of one person. */
export const filteredNoticesPages: Page[] = [
  { path, access: "member", get: list, post: decide },
  { path: `${path}/:id`, access: "member", get: one },
];

const perPage = 40;
/** So many rows of one person are shown. */
const mostRows = 50;

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, query, say } = context;
  const window = { count: perPage, maxId: query.number("before") };
  const requests = await listRequests(hub, member.channel.channel_id, window);
  const people = await peopleOf(context, requests);
  const main = html`<p class="crumbs"><a href="/notifications">${say("notices.crumb")}</a></p>
    <h1>${say("notices.title")}</h1>
    <p class="lead">${say.html("notices.lead", { chosen: linkTo("/settings/notices#strangers") })}</p>
    ${
      requests.length > 0
        ? html`<ul class="card people" aria-label="${say("notices.people")}">
              ${requests.map((request) => requestRow(context, request, people.get(request.actor)))}
            </ul>
            ${query.has("before") ? "" : allForm(context, requests)}`
        : html`<p class="empty">${say("notices.none")}</p>`
    }
    ${pager(context, requests.length === perPage ? requests.at(-1)!.id : undefined)}`;
  return show(context, { title: say("notices.title"), main });
}

function requestRow(context: MemberContext, request: NoticeRequest, person: Xchan | undefined): Html {
  if (!person) return html``;
  const { count, id } = request;
  const label = context.say("notices.from", { count, name: person.xchan_name });
  return personRow(context, person, {
    about: html`<a href="${path}/${id}" aria-label="${label}">${context.say("notices.count", { count })}</a>,
      ${time(context, request.updated)}`,
    actions: deeds(context, request, person),
  });
}

function deeds(context: MemberContext, { id }: NoticeRequest, { xchan_name: name }: Xchan): Html {
  const whose = html`<span class="unseen">: ${name}</span>`;
  return html`${buttonForm(context, path, html`${context.say("notices.let-through")}${whose}`, { fields: { id, deed: "accept" } })}
  ${buttonForm(context, path, html`${context.say("notices.remove")}${whose}`, { kind: "quiet", fields: { id, deed: "dismiss" } })}`;
}

/** Decides about all who are shown, and nobody who has come since. */
function allForm(context: MemberContext, requests: readonly NoticeRequest[]): Html {
  if (requests.length < 2) return html``;
  return html`<form method="post" action="${path}" class="actions">
    ${token(context)}${requests.map(({ id }) => html`<input type="hidden" name="id" value="${id}" />`)}
    <button class="button" name="deed" value="accept">${context.say("notices.all-through")}</button>
    <button class="button quiet" name="deed" value="dismiss">${context.say("notices.remove-all")}</button>
  </form>`;
}

async function one(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const request = await findRequest(hub, member.channel.channel_id, idOf(context.params["id"]));
  const person = (await peopleOf(context, [request])).get(request.actor);
  if (!person) throw missing("Notice");
  const { groups } = await pageOfGroups(hub, member.channel, { filteredBy: request.actor }, { count: mostRows });
  const title = say("notices.of-person", { name: person.xchan_name });
  const rows = await noticeRows(context, groups);
  const main = html`<p class="crumbs">
      <a href="/notifications">${say("notices.crumb")}</a> <a href="${path}">${say("notices.title")}</a>
    </p>
    <h1>${title}</h1>
    <ul class="people" aria-label="${say("notices.who")}">
      ${personRow(context, person, { actions: deeds(context, request, person) })}
    </ul>
    <ol class="card notices">
      ${rows.map(({ link }) => html`<li>${link}</li>`)}
    </ol>`;
  return show(context, { title, main });
}

async function peopleOf({ hub }: MemberContext, requests: readonly NoticeRequest[]): Promise<Map<number, Xchan>> {
  const people = await findXchans(
    hub,
    requests.map(({ actor }) => actor),
  );
  return new Map(people.map((person) => [person.xchan_id, person]));
}

async function decide(context: MemberContext, form: Fields): Promise<Response> {
  const uid = context.member.channel.channel_id;
  const ids = form.all("id").map(idOf);
  const isAccepted = form.text("deed") === "accept";
  const count = await (isAccepted ? acceptRequests : dismissRequests)(context.hub, uid, ids);
  if (count === 0) throw missing("Notice");
  return redirect(context, path, isAccepted ? "letthrough" : "removed");
}
