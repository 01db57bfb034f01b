import {
  countResting,
  dropJob,
  findUnknown,
  pageOfFailedJobs,
  retryJobs,
} from "../../../../domain/upkeep/failed-jobs.ts";
import type { JobSummary } from "../../../../domain/upkeep/failed-jobs.ts";
import { longStepsUnderWay } from "../../../../domain/upkeep/long-steps.ts";
import type { Progress } from "../../../../domain/upkeep/long-steps.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { buttonForm } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { time } from "../../parts/times.ts";

const perPage = 50;
const path = "/admin/jobs";

/** What the hub was to do later and has given up; for administrators. */
export const adminJobsPages: Page[] = [
  { path, access: "administrator", get: page },
  { path: `${path}/retry`, access: "administrator", post: retry },
  { path: `${path}/drop`, access: "administrator", post: drop },
];

async function page(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { jobs, next } = await pageOfFailedJobs(context.hub, {
    before: context.query.number("before"),
    count: perPage,
  });
  const { hub } = context;
  const [resting, unknown, steps] = [await countResting(hub), await findUnknown(hub), await longStepsUnderWay(hub)];
  const undone = [
    ...resting.map(({ name, count }) => html`<p>${say("admin.jobs-rest", { name, count })}</p>`),
    ...unknown.map(
      ({ name, count, since }) =>
        html`<p>${say.html("admin.jobs-unknown", { name, count, since: time(context, since) })}</p>`,
    ),
  ];
  const main = html`${adminHead(context, say("admin.jobs"))}
    <p class="lead">${say("admin.what-takes-longer-is-done-later")}</p>
    ${
      steps.length === 0
        ? ""
        : html`<section class="card">
            <h2>${say("admin.long-steps")}</h2>
            ${steps.map((step) => progress(context, step))}
          </section>`
    }
    ${undone.length === 0 ? "" : html`<section class="card">${undone}</section>`}
    ${
      jobs.length > 0
        ? html`<div class="submit">${buttonForm(context, `${path}/retry`, say("admin.try-all-again"))}</div>
            <ul class="card people" aria-label="${say("admin.jobs-that-were-given-up")}">
              ${jobs.map((job) => row(context, job))}
            </ul>`
        : html`<p class="empty">${say("admin.nothing-was-given-up")}</p>`
    }
    ${pager(context, next)}`;
  return show(context, { title: say("admin.jobs"), main });
}

function progress(context: MemberContext, { name, share, begun }: Progress): Html {
  const [percent, since] = [Math.floor(share * 100), time(context, begun)];
  return html`<p>${context.say.html("admin.long-step", { name, percent, since })}</p>
    <progress class="upload-progress" max="100" value="${percent}" aria-hidden="true"></progress>`;
}

function row(context: MemberContext, { id, name, payload, created, attempts, last_error }: JobSummary): Html {
  const { say } = context;
  const named = (label: string) => html`${label}<span class="unseen"> ${name} ${id}</span>`;
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${name}</span>
      <p class="about">
        ${say.html("admin.job-about", { time: time(context, created), tries: attempts, payload: JSON.stringify(payload).slice(0, 200) })}
      </p>
      <p class="about">${last_error}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, `${path}/retry`, named(say("admin.try-again")), { fields: { id } })}
      ${buttonForm(context, `${path}/drop`, named(say("admin.drop")), { fields: { id } })}
    </div>
  </li>`;
}

async function retry(context: MemberContext, form: Fields): Promise<Response> {
  const id = form.number("id");
  await retryJobs(context.hub, id === undefined ? undefined : [id]);
  return redirect(context, path, "tried");
}

async function drop(context: MemberContext, form: Fields): Promise<Response> {
  await dropJob(context.hub, idOf(form.word("id")));
  return redirect(context, path, "dropped");
}
