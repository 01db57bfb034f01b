import { html } from "hono/html";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { closeReport, listReports } from "../../../../domain/reports/list.ts";
import type { Report, ReportedPost } from "../../../../domain/reports/list.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { personUrl } from "../../parts/channels/person.ts";
import { token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";

const perPage = 30;

/** What administrators are told of people; for everybody else these pages do not exist. */
export const reportsPages: Page[] = [
  { path: "/admin/reports", access: "administrator", get: list },
  { path: "/admin/reports/:id", access: "administrator", post: close },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, query } = context;
  const state = query.text("show") === "closed" ? "closed" : "open";
  const { reports, next } = await listReports(hub, state, { from: query.number("before"), count: perPage });
  const ids = new Set(reports.flatMap(({ reporter_id, person_id }) => [reporter_id, person_id]));
  const people = new Map((await findXchans(hub, [...ids])).map((person) => [person.xchan_id, person]));
  const main = html`<h1>Reports</h1>
    <nav class="tabs" aria-label="Reports">
      ${tab("/admin/reports", "Open", state === "open")}
      ${tab("/admin/reports?show=closed", "Closed", state === "closed")}
    </nav>
    ${reports.length > 0 ? reports.map((report) => card(context, report, people)) : html`<p class="empty">${empty[state]}</p>`}
    ${pager(context, next, state === "open" ? "Newer" : "Older")}`;
  return show(context, { title: "Reports", main });
}

const empty = {
  open: "Nothing waits for you. “Report” is in the menu on every post.",
  closed: "Reports that were closed stay here for 180 days.",
};

function tab(href: string, label: string, current: boolean): Html {
  return html`<a href="${href}" ${current ? html`aria-current="page"` : ""}>${label}</a>`;
}

function card(context: MemberContext, report: Report, people: Map<number, Xchan>): Html {
  const person = people.get(report.person_id);
  return html`<article class="card" aria-label="Report ${report.id}">
    <p>
      <strong>${person ? nameOf(context, person) : "Somebody who is gone"}</strong>, reported by
      ${reporterOf(context, report, people)}
      ${time(context, report.created)}${report.forwarded ? ", also told elsewhere" : ""}
    </p>
    ${report.comment === "" ? html`<p class="hint">Without words.</p>` : html`<p class="prose">${report.comment}</p>`}
    ${report.posts.map(postOf)} ${report.closed_by > 0 ? outcome(context, report) : closing(context, report)}
  </article>`;
}

function nameOf(context: MemberContext, person: Xchan): Html {
  return html`<a href="${personUrl(context, person)}">${person.xchan_name}</a>
    <span class="address">${person.xchan_addr}</span>`;
}

function reporterOf(context: MemberContext, { host, reporter_id }: Report, people: Map<number, Xchan>): Html {
  const reporter = people.get(reporter_id);
  if (host !== "") return html`those who run ${host}`;
  return reporter ? nameOf(context, reporter) : html`somebody who is gone`;
}

function postOf({ uuid, words }: ReportedPost): Html {
  return html`<blockquote>${words} <a href="/item/${uuid}">The post</a></blockquote>`;
}

function outcome(context: MemberContext, { closed, note }: Report): Html {
  return html`<p class="hint">Closed ${time(context, closed)}${note === "" ? "." : `: ${note}`}</p>`;
}

function closing(context: MemberContext, { id }: Report): Html {
  return html`<form method="post" action="/admin/reports/${id}" class="row">
    ${token(context)}
    <label class="field"
      ><span class="unseen">Note on report ${id}</span><input name="note" placeholder="What was done"
    /></label>
    <button class="button">Close</button>
  </form>`;
}

async function close(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, params } = context;
  await closeReport(hub, idOf(params["id"]), member.account.account_id, form.text("note"));
  return redirect(context, "/admin/reports", "dealt");
}
