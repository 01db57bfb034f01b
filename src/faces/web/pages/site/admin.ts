import { html } from "hono/html";
import { siteFigures } from "../../../../domain/identity/site/site-figures.ts";
import { countAccounts } from "../../../../domain/moderation/accounts.ts";
import { countOpenReports } from "../../../../domain/reports/list.ts";
import { show } from "../../answers.ts";
import type { MemberContext, Page } from "../../page.ts";
import { figure } from "../../parts/site/admin-head.ts";
import { tile } from "../../parts/tile.ts";

/** The way to everything that administrators do; for everybody else these pages do not exist. */
export const adminPages: Page[] = [{ path: "/admin", access: "administrator", get: overview }];

async function overview(context: MemberContext): Promise<Response> {
  const { hub } = context;
  const [figures, accounts, reports] = await Promise.all([siteFigures(hub), countAccounts(hub), countOpenReports(hub)]);
  const main = html`<h1>Administration</h1>
    <dl class="card figures">
      ${figure("Accounts", figures.accounts)}
      ${figure("Waiting", html`<a href="/admin/accounts?show=waiting">${accounts.waiting}</a>`)}
      ${figure("Channels", figures.channels)} ${figure("Jobs waiting", figures.waitingJobs)}
      ${figure("Jobs given up", figures.deadJobs)}
      ${figure("Open reports", html`<a href="/admin/reports">${reports}</a>`)}
    </dl>
    <ul class="card tiles">
      ${tile("/admin/accounts", "people", "Accounts", "Who waits to be let in, and who is here")}
      ${tile("/admin/invitations", "letter", "Invitations", "Who invites people, and how many have come")}
      ${tile("/admin/reports", "shield", "Reports", "What members and other servers complain about")}
      ${tile("/admin/moderation", "note", "What was done", "Who did what about whom, and why")}
      ${tile("/admin/site", "sliders", "The hub", "Name, who may sign up, who sees what, limits")}
      ${tile("/admin/texts", "pencil", "Texts", "What the hub says of itself, and its rules")}
      ${tile("/admin/look", "picture", "Look", "Name, colours, logo, the words of the first page")}
      ${tile("/admin/media", "download", "Copies from elsewhere", "How much room they take")}
      ${tile("/admin/figures", "stream", "Figures", "People, posts, storage, requests: the last day and month")}
      ${tile("/admin/jobs", "check", "Jobs", "What the hub does later, and what of it failed")}
      ${tile("/admin/queues", "swap", "From and to other servers", "What waits, and what could not be processed")}
      ${tile("/admin/hosts", "compass", "Other servers", "How it goes with each of them")}
      ${tile("/admin/blocks", "lock", "Blocked servers", "Whom the hub has less or nothing to do with")}
      ${tile("/admin/probe", "lens", "Reach somebody elsewhere", "Why somebody cannot be found, step by step")}
    </ul>`;
  return show(context, { title: "Administration", main });
}
