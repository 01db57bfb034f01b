import { backupState } from "../../../../domain/backups/state.ts";
import type { BackupState } from "../../../../domain/backups/state.ts";
import { siteFigures } from "../../../../domain/identity/site/site-figures.ts";
import { countAccounts } from "../../../../domain/moderation/accounts.ts";
import { countOpenReports } from "../../../../domain/reports/list.ts";
import { longStepsUnderWay } from "../../../../domain/upkeep/long-steps.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { figure } from "../../parts/site/admin-head.ts";
import { time } from "../../parts/times.ts";
import { tile, tiles } from "../../parts/tile.ts";

/** The way to everything that administrators do; for everybody else these pages do not exist. */
export const adminPages: Page[] = [{ path: "/admin", access: "administrator", get: overview }];

async function overview(context: MemberContext): Promise<Response> {
  const { hub, say } = context;
  const [figures, accounts, reports, backups, steps] = await Promise.all([
    siteFigures(hub),
    countAccounts(hub),
    countOpenReports(hub),
    backupState(hub),
    longStepsUnderWay(hub),
  ]);
  const main = html`<h1>${say("admin.administration")}</h1>
    <dl class="card figures">
      ${figure(say("admin.accounts"), figures.accounts)}
      ${figure(say("admin.waiting"), html`<a href="/admin/accounts?show=waiting">${accounts.waiting}</a>`)}
      ${figure(say("admin.channels"), figures.channels)} ${figure(say("admin.jobs-waiting"), figures.waitingJobs)}
      ${figure(say("admin.jobs-given-up"), figures.deadJobs)}
      ${figure(say("admin.open-reports"), html`<a href="/admin/reports">${reports}</a>`)}
      ${figure(say("admin.last-backup"), lastBackup(context, backups))}
      ${steps.length === 0 ? "" : figure(say("admin.long-steps"), html`<a href="/admin/jobs">${steps.length}</a>`)}
    </dl>
    ${tiles(say("admin.group-people"), [
      tile("/admin/accounts", "people", say("admin.accounts"), say("admin.who-waits-to-be-let-in-tile")),
      tile("/admin/invitations", "letter", say("admin.invitations"), say("admin.who-invites-people-and-how-many-tile")),
      tile("/admin/reports", "shield", say("admin.reports"), say("admin.what-members-and-other-servers-complain-tile")),
      tile("/admin/moderation", "page", say("admin.what-was-done"), say("admin.who-did-what-about-whom-and-tile")),
    ])}
    ${tiles(say("admin.group-this-hub"), [
      tile("/admin/site", "sliders", say("admin.the-hub"), say("admin.name-who-may-sign-up-who-tile")),
      tile("/admin/texts", "pencil", say("admin.texts"), say("admin.what-the-hub-says-of-itself-tile")),
      tile("/admin/announcements", "bell", say("announcements.title"), say("announcements.tile")),
      tile("/admin/look", "picture", say("admin.look"), say("admin.name-colours-logo-the-words-of-tile")),
    ])}
    ${tiles(say("admin.group-elsewhere"), [
      tile(
        "/admin/queues",
        "swap",
        say("admin.from-and-to-other-servers"),
        say("admin.what-waits-and-what-could-not-tile"),
      ),
      tile("/admin/hosts", "compass", say("admin.other-servers"), say("admin.how-it-goes-with-each-of-tile")),
      tile("/admin/blocks", "lock", say("admin.blocked-servers"), say("admin.whom-the-hub-has-less-or-tile")),
      tile(
        "/admin/probe",
        "lens",
        say("admin.reach-somebody-elsewhere"),
        say("admin.why-somebody-cannot-be-found-step-tile"),
      ),
    ])}
    ${tiles(say("admin.group-operation"), [
      tile("/admin/figures", "stream", say("admin.figures"), say("admin.people-posts-storage-requests-the-last-tile")),
      tile("/admin/jobs", "check", say("admin.jobs"), say("admin.what-the-hub-does-later-and-tile")),
      tile("/admin/media", "download", say("admin.copies-from-elsewhere"), say("admin.how-much-room-they-take-tile")),
    ])}`;
  return show(context, { title: say("admin.administration"), main });
}

function lastBackup(context: MemberContext, { last, isLate }: BackupState): Html {
  const { say } = context;
  const when = last === undefined ? html`${say("admin.no-backup")}` : time(context, last);
  return html`${when}${isLate ? html` <strong>${say("admin.backup-late")}</strong>` : ""}`;
}
