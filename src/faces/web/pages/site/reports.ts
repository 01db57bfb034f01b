import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { listMeasures, measuresOf } from "../../../../domain/moderation/log.ts";
import type { Moderation } from "../../../../domain/moderation/log.ts";
import { accountsBehind, measuresOffered, moderate, reportMeasures } from "../../../../domain/reports/moderate.ts";
import type { AccountState } from "../../../../domain/reports/moderate.ts";
import { closeReport, listReports } from "../../../../domain/reports/list.ts";
import type { Report, ReportedPost } from "../../../../domain/reports/list.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultOf, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { html } from "../../html.ts";
import { measureMail } from "../../mails/measures.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { personUrl } from "../../parts/channels/person.ts";
import { alert, box, choice, textField, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { emailsOf, measureChoices, measureRows } from "../../parts/site/measure-labels.ts";
import { time } from "../../parts/times.ts";

const perPage = 30;

/** What administrators are told of people; for everybody else these pages do not exist. */
export const reportsPages: Page[] = [
  { path: "/admin/reports", access: "administrator", get: (context) => list(context) },
  { path: "/admin/reports/:id", access: "administrator", post: close },
  { path: "/admin/reports/:id/measures", access: "administrator", post: act },
  { path: "/admin/moderation", access: "administrator", get: log },
];

/** What was typed for a report, and why it was not done. */
type Refused = { id: number; typed: Fields; fault: Fault };

/** The reports; those of a form that was refused begin with its own. */
async function list(context: MemberContext, refused?: Refused): Promise<Response> {
  const { hub, query, say } = context;
  const state = query.text("show") === "closed" ? "closed" : "open";
  const { reports, next } = await listReports(hub, state, {
    account: query.number("account"),
    from: refused ? refused.id - 1 : query.number("before"),
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
  const around = { people, accounts, done, emails: await emailsOf(context, done), refused };
  const main = html`${adminHead(context, say("admin.reports"))}
    <nav class="tabs" aria-label="${say("admin.reports")}">
      ${tab("/admin/reports", say("admin.tab-open"), state === "open")}
      ${tab("/admin/reports?show=closed", say("admin.tab-closed"), state === "closed")}
    </nav>
    ${alert(refused?.fault)}
    ${reports.length > 0 ? reports.map((report) => card(context, report, around)) : html`<p class="empty">${say(`admin.empty-${state}`)}</p>`}
    ${pager(context, next, say(state === "open" ? "admin.newer" : "admin.older"))}
    <p><a href="/admin/moderation">${say("admin.all-done")}</a></p>`;
  return show(context, { title: say("admin.reports"), main, status: refused?.fault.status ?? 200 });
}

function tab(href: string, label: string, current: boolean): Html {
  return html`<a href="${href}" ${current ? html`aria-current="page"` : ""}>${label}</a>`;
}

/** What is shown beside the reports of a page. */
type Around = {
  people: Map<number, Xchan>;
  accounts: Map<number, AccountState>;
  done: readonly Moderation[];
  emails: Map<number, string>;
  refused: Refused | undefined;
};

function card(context: MemberContext, report: Report, around: Around): Html {
  const { say } = context;
  const { people, done, emails } = around;
  const own = done.filter(({ report_id }) => report_id === report.id);
  const person = people.get(report.person_id);
  return html`<article class="card" aria-label="${say("admin.report-number", { id: report.id })}">
    <p>
      ${say.html("admin.reported-by", { who: person ? nameOf(context, person) : say("admin.gone"), reporter: reporterOf(context, report, people), time: time(context, report.created), told: report.forwarded ? "yes" : "no" })}
    </p>
    ${report.comment === "" ? html`<p class="hint">${say("admin.without-words")}</p>` : html`<p class="prose">${report.comment}</p>`}
    ${report.posts.map((post) => postOf(context, post))} ${measureRows(context, own, emails)}
    ${report.closed_by > 0 ? outcome(context, report) : html`${measureForm(context, report, around)} ${closing(context, report)}`}
  </article>`;
}

function nameOf(context: MemberContext, person: Xchan): Html {
  return html`<a href="${personUrl(context, person)}">${person.xchan_name}</a>
    <span class="address">${person.xchan_addr}</span>`;
}

function reporterOf(context: MemberContext, { host, reporter_id }: Report, people: Map<number, Xchan>): Html {
  const { say } = context;
  const reporter = people.get(reporter_id);
  if (host !== "") return html`${say("admin.those-who-run", { host })}`;
  return reporter ? nameOf(context, reporter) : html`${say("admin.somebody-who-is-gone")}`;
}

function postOf({ say }: MemberContext, { uuid, words }: ReportedPost): Html {
  return html`<blockquote>${words} <a href="/item/${uuid}">${say("admin.the-post")}</a></blockquote>`;
}

function outcome(context: MemberContext, { closed, note }: Report): Html {
  const { say } = context;
  return html`<p class="hint">
    ${note === "" ? say.html("admin.closed-time", { time: time(context, closed) }) : say.html("admin.closed-note", { time: time(context, closed), note })}
  </p>`;
}

function closing(context: MemberContext, { id }: Report): Html {
  const { say } = context;
  return html`<form method="post" action="/admin/reports/${id}" class="row">
    ${token(context)}
    <label class="field"
      ><span class="unseen">${say("admin.note-on", { id })}</span
      ><input name="note" placeholder="${say("admin.what-was-done-example")}"
    /></label>
    <button class="button">${say("admin.close")}</button>
  </form>`;
}

async function close(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, params } = context;
  await closeReport(hub, idOf(params["id"]), member.account.account_id, form.text("note"));
  return redirect(context, "/admin/reports", "dealt");
}

/** People of elsewhere have no account here: only what they wrote is within reach. */
function measureForm(context: MemberContext, { id, person_id, posts }: Report, around: Around): Html {
  const { say } = context;
  const account = around.accounts.get(person_id);
  const choices = measureChoices(context.say, measuresOffered(posts.length, account));
  const { typed, fault } = around.refused?.id === id ? around.refused : {};
  return html`<form method="post" action="/admin/reports/${id}/measures">
    ${token(context)}
    ${choice(context, { label: say("admin.what-to-do"), name: "measure", value: typed?.text("measure") ?? "", choices, id: String(id), fault })}
    ${textField(context, { label: say("admin.words"), name: "note", value: typed?.text("note") ?? "", hint: say("admin.why-notes-stay-with-those-who-hint"), id: String(id), fault })}
    ${account ? box({ label: say("admin.tell-them-in-these-words"), name: "tells", checked: typed?.has("tells") ?? true }) : ""}
    <p class="submit"><button class="button">${say("admin.do-it")}</button></p>
  </form>`;
}

function act(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const id = idOf(params["id"]);
  return tryForm(
    context,
    async () => {
      const measure = reportMeasures.find((one) => one === typed.text("measure"));
      if (!measure) throw faultOf("measure", context.say("admin.choose-what-to-do"));
      const done = { measure, note: typed.text("note"), tells: typed.has("tells") };
      await moderate(hub, id, member.account.account_id, done, measureMail(hub));
      // Whoever works through many goes on where they were.
      return redirect(context, `/admin/reports?before=${id - 1}`, "measured");
    },
    (fault) => list(context, { id, typed, fault }),
  );
}

/** Who did what about whom, and why. */
async function log(context: MemberContext): Promise<Response> {
  const { hub, query, say } = context;
  const { measures: done, next } = await listMeasures(hub, { before: query.number("before"), count: perPage });
  const emails = await emailsOf(context, done);
  const ids = [...new Set(done.map(({ person_id }) => person_id))];
  const people = new Map((await findXchans(hub, ids)).map((person) => [person.xchan_id, person]));
  const main = html`${adminHead(context, say("admin.what-was-done"))}
  ${
    done.length === 0
      ? html`<p class="empty">${say("admin.nothing-was-done-about-anybody-yet")}</p>`
      : done.map((one) => {
          const person = people.get(one.person_id);
          return html`<article class="card" aria-label="${say("admin.measure-number", { id: one.id })}">
            <p>
              ${person ? nameOf(context, person) : one.account_id > 0 ? say("admin.account-number", { id: one.account_id }) : say("admin.gone")}
              ${one.account_id > 0 ? html`<a class="quiet-link" href="/admin/accounts/${one.account_id}">${say("admin.the-account")}</a>` : ""}
            </p>
            ${measureRows(context, [one], emails)}
          </article>`;
        })
  }
  ${pager(context, next)}`;
  return show(context, { title: say("admin.what-was-done"), main });
}
