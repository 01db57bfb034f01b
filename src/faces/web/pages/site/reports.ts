import { html } from "hono/html";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { listMeasures, measuresOf } from "../../../../domain/moderation/log.ts";
import type { Moderation } from "../../../../domain/moderation/log.ts";
import { accountsBehind, measuresOffered, moderate, reportMeasures } from "../../../../domain/reports/moderate.ts";
import type { AccountState } from "../../../../domain/reports/moderate.ts";
import { closeReport, listReports } from "../../../../domain/reports/list.ts";
import type { Report, ReportedPost } from "../../../../domain/reports/list.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import { measureMail } from "../../mails/measures.ts";
import { notice } from "../../parts/account/consent.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { personUrl } from "../../parts/channels/person.ts";
import { box, choice, textField, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { emailsOf, measureLabels, measureRows } from "../../parts/site/measure-labels.ts";
import { time } from "../../parts/times.ts";

const perPage = 30;

/** What administrators are told of people; for everybody else these pages do not exist. */
export const reportsPages: Page[] = [
  { path: "/admin/reports", access: "administrator", get: list },
  { path: "/admin/reports/:id", access: "administrator", post: close },
  { path: "/admin/reports/:id/measures", access: "administrator", post: act },
  { path: "/admin/moderation", access: "administrator", get: log },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, query } = context;
  const state = query.text("show") === "closed" ? "closed" : "open";
  const { reports, next } = await listReports(hub, state, {
    account: query.number("account"),
    from: query.number("before"),
    count: perPage,
  });
  const ids = new Set(reports.flatMap(({ reporter_id, person_id }) => [reporter_id, person_id]));
  const people = new Map((await findXchans(hub, [...ids])).map((person) => [person.xchan_id, person]));
  const done = await measuresOf(
    hub,
    reports.map(({ id }) => id),
  );
  const accounts = await accountsBehind(
    hub,
    reports.map(({ person_id }) => person_id),
  );
  const around = { people, accounts, done, emails: await emailsOf(context, done) };
  const main = html`${adminHead("Reports")}
    <nav class="tabs" aria-label="Reports">
      ${tab("/admin/reports", "Open", state === "open")}
      ${tab("/admin/reports?show=closed", "Closed", state === "closed")}
    </nav>
    ${reports.length > 0 ? reports.map((report) => card(context, report, around)) : html`<p class="empty">${empty[state]}</p>`}
    ${pager(context, next, state === "open" ? "Newer" : "Older")}
    <p><a href="/admin/moderation">All that was done</a></p>`;
  return show(context, { title: "Reports", main });
}

const empty = {
  open: "Nothing waits for you. “Report” is in the menu on every post.",
  closed: "Reports that were closed stay here for 180 days.",
};

function tab(href: string, label: string, current: boolean): Html {
  return html`<a href="${href}" ${current ? html`aria-current="page"` : ""}>${label}</a>`;
}

/** What is shown beside the reports of a page. */
type Around = {
  people: Map<number, Xchan>;
  accounts: Map<number, AccountState>;
  done: readonly Moderation[];
  emails: Map<number, string>;
};

function card(context: MemberContext, report: Report, { people, accounts, done, emails }: Around): Html {
  const own = done.filter(({ report_id }) => report_id === report.id);
  const person = people.get(report.person_id);
  return html`<article class="card" aria-label="Report ${report.id}">
    <p>
      <strong>${person ? nameOf(context, person) : "Somebody who is gone"}</strong>, reported by
      ${reporterOf(context, report, people)}
      ${time(context, report.created)}${report.forwarded ? ", also told elsewhere" : ""}
    </p>
    ${report.comment === "" ? html`<p class="hint">Without words.</p>` : html`<p class="prose">${report.comment}</p>`}
    ${report.posts.map(postOf)} ${measureRows(context, own, emails)}
    ${report.closed_by > 0 ? outcome(context, report) : html`${measureForm(context, report, accounts.get(report.person_id))} ${closing(context, report)}`}
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

/** People of elsewhere have no account here: only what they wrote is within reach. */
function measureForm(context: MemberContext, { id, posts }: Report, account: AccountState | undefined): Html {
  const choices = measuresOffered(posts.length, account).map((one) => [one, measureLabels[one]] as const);
  return html`<form method="post" action="/admin/reports/${id}/measures">
    ${token(context)} ${choice(context, { label: "What to do", name: "measure", value: "", choices, id: String(id) })}
    ${textField(context, { label: "Words", name: "note", hint: "Why. Notes stay with those who run the hub.", id: String(id) })}
    ${account ? box({ label: "Tell them, in these words", name: "tells", checked: true }) : ""}
    <button class="button">Do it</button>
  </form>`;
}

function act(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  return tryForm(
    async () => {
      const measure = reportMeasures.find((one) => one === typed.text("measure"));
      if (!measure) throw fault("measure", "Choose what to do.");
      const done = { measure, note: typed.text("note"), tells: typed.has("tells") };
      await moderate(hub, idOf(params["id"]), member.account.account_id, done, measureMail(hub));
      return redirect(context, "/admin/reports", "measured");
    },
    ({ sentence, status }) =>
      notice(
        context,
        "Nothing was done",
        html`<p>${sentence}</p>
          <p><a href="/admin/reports">Reports</a></p>`,
        status,
      ),
  );
}

/** Who did what about whom, and why. */
async function log(context: MemberContext): Promise<Response> {
  const { hub, query } = context;
  const { measures: done, next } = await listMeasures(hub, { before: query.number("before"), count: perPage });
  const emails = await emailsOf(context, done);
  const ids = [...new Set(done.map(({ person_id }) => person_id))];
  const people = new Map((await findXchans(hub, ids)).map((person) => [person.xchan_id, person]));
  const main = html`${adminHead("What was done")}
  ${
    done.length === 0
      ? html`<p class="empty">Nothing was done about anybody yet. Reports are where that begins.</p>`
      : done.map((one) => {
          const person = people.get(one.person_id);
          return html`<article class="card" aria-label="Measure ${one.id}">
            <p>
              ${person ? nameOf(context, person) : one.account_id > 0 ? `Account ${one.account_id}` : "Somebody who is gone"}
              ${one.account_id > 0 ? html`<a class="quiet-link" href="/admin/accounts/${one.account_id}">The account</a>` : ""}
            </p>
            ${measureRows(context, [one], emails)}
          </article>`;
        })
  }
  ${pager(context, next)}`;
  return show(context, { title: "What was done", main });
}
