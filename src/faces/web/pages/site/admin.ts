import { html } from "hono/html";
import { setStorageQuota, storageQuota } from "../../../../domain/files/quota.ts";
import { accountFlags, listAccounts, setAccountFlag } from "../../../../domain/identity/accounts/accounts.ts";
import type { Account } from "../../../../domain/identity/accounts/accounts.ts";
import { siteFigures } from "../../../../domain/identity/site/site-figures.ts";
import { changeSite, getSetting, getSettings, invitings } from "../../../../domain/identity/site/site-settings.ts";
import { postingLimits, postingSpans, setPostingLimits } from "../../../../domain/items/posting-limits.ts";
import type { PostingLimits } from "../../../../domain/items/posting-limits.ts";
import { emptyMediaSoon } from "../../../../domain/proxy/trim.ts";
import { mediaRules, mediaUsage, setMediaRules } from "../../../../domain/proxy/usage.ts";
import type { MediaRules, MediaUsage } from "../../../../domain/proxy/usage.ts";
import { setOnlySignedReads } from "../../../../domain/peers/signed-reads.ts";
import { countOpenReports } from "../../../../domain/reports/list.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, buttonForm, radios, textField, token } from "../../parts/forms.ts";
import {
  invitingChoices,
  readSiteName,
  registrationChoices,
  registrationOf,
} from "../../parts/account/registration.ts";
import { size } from "../../parts/files/sizes.ts";
import { time } from "../../parts/times.ts";

const megabyte = 2 ** 20;
const most = 2 ** 30;

/** For administrators; for everybody else these pages do not exist. */
export const adminPages: Page[] = [
  { path: "/admin", access: "administrator", get: (context) => page(context), post: save },
  { path: "/admin/accounts", access: "administrator", post: answer },
  { path: "/admin/media", access: "administrator", post: emptyCopies },
];

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const name = readSiteName(context.say, typed.word("site_name"));
      const registration = registrationOf(context.say, typed.text("registration"));
      const who = invitings.find((one) => one === typed.text("invitations"));
      const quota = bytesOf(typed, "storage_quota");
      const limits = readPostingLimits(typed);
      const media = readMediaRules(typed);
      await changeSite(context.hub, {
        name,
        registration,
        blockPublic: typed.has("block_public"),
        hidesFigures: typed.has("hide_figures"),
        ...(who && { invitations: who }),
        invitedWait: typed.has("invited_wait"),
      });
      if (quota !== undefined) await setStorageQuota(context.hub, quota);
      await setPostingLimits(context.hub, limits);
      await setMediaRules(context.hub, media);
      await setOnlySignedReads(context.hub, typed.has("only_signed_reads"));
      return redirect(context, "/admin", "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** The bytes that were typed as megabytes; undefined when the form has no such field. */
function bytesOf(typed: Fields, name: string): number | undefined {
  if (typed.word(name) === "") return undefined;
  const megabytes = typed.number(name);
  if (megabytes === undefined || megabytes > most) throw fault(name, "This is not a number of megabytes.");
  return megabytes * megabyte;
}

const copyChoices: readonly (readonly [MediaRules["mediaCopies"], string, string])[] = [
  ["connections", "Of this hub's people and their connections", "When somebody looks at one of their posts."],
  ["everybody", "Of everybody", "Pages are faster, and it takes more room."],
  ["nobody", "Never", "Pictures are fetched whenever a member looks; visitors see none of them."],
];

/** What the form has fields for. */
function readMediaRules(typed: Fields): Partial<MediaRules> {
  const copies = copyChoices.find(([word]) => word === typed.text("media_copies"))?.[0];
  const all = bytesOf(typed, "media_budget");
  const host = bytesOf(typed, "media_host_budget");
  return {
    ...(copies && { mediaCopies: copies }),
    ...(all !== undefined && { mediaBudget: all }),
    ...(host !== undefined && { mediaHostBudget: host }),
  };
}

/** The limits that the form has fields for. */
function readPostingLimits(typed: Fields): Partial<PostingLimits> {
  const limits: Partial<PostingLimits> = {};
  for (const span of postingSpans) {
    const name = `posts_per_${span}`;
    if (typed.word(name) === "") continue;
    const most = typed.number(name);
    if (most === undefined) throw fault(name, "This is not a number of posts.");
    limits[span] = most;
  }
  return limits;
}

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, site } = context;
  const [figures, reports, hidesFigures, inviting, signedReads, waiting, quota, limits, media, usage] =
    await Promise.all([
      siteFigures(hub),
      countOpenReports(hub),
      getSetting(hub, "hidesFigures"),
      getSettings(hub, ["invitations", "invitedWait"]),
      getSetting(hub, "onlySignedReads"),
      listWaiting(context),
      storageQuota(hub),
      postingLimits(hub),
      mediaRules(hub),
      mediaUsage(hub),
    ]);
  const main = html`<h1>Administration</h1>
    <p>
      <a href="/admin/hosts">Other servers</a> · <a href="/admin/blocks">Blocked servers</a> ·
      <a href="/admin/queues">From and to other servers</a> · <a href="/admin/probe">Reach somebody elsewhere</a> ·
      <a href="/admin/texts">What the hub says of itself</a>
    </p>
    <dl class="card figures">
      ${figure("Accounts", figures.accounts)} ${figure("Channels", figures.channels)}
      ${figure("Jobs waiting", figures.waitingJobs)} ${figure("Jobs given up", figures.deadJobs)}
      ${figure("Open reports", html`<a href="/admin/reports">${reports}</a>`)}
    </dl>
    ${copiesSection(context, usage)}
    ${
      waiting.length > 0
        ? html`<section class="card">
            <h2>Waiting for approval</h2>
            <ul class="people">
              ${waiting.map((account) => waitingRow(context, account))}
            </ul>
          </section>`
        : ""
    }
    <form class="card form-page" method="post" action="/admin">
      <h2>The hub</h2>
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: "Name of the hub", name: "site_name", value: typed?.text("site_name") ?? site.name, required: true, fault: wrong })}
      ${radios({ legend: "Who may sign up?", name: "registration", value: typed?.text("registration") ?? site.registration, choices: registrationChoices(context.say) })}
      ${radios({ legend: "Who may invite people?", name: "invitations", value: typed?.text("invitations") ?? inviting.invitations, choices: invitingChoices(context.say) })}
      ${box({ label: "Invited people wait for approval, too", name: "invited_wait", checked: typed ? typed.has("invited_wait") : inviting.invitedWait, hint: "Otherwise their accounts work at once, whoever else may sign up." })}
      ${box({ label: "Members only", name: "block_public", checked: typed ? typed.has("block_public") : site.blockPublic, hint: "Visitors who are not logged in see no posts, profiles or directory." })}
      ${box({ label: "Keep figures to ourselves", name: "hide_figures", checked: typed ? typed.has("hide_figures") : hidesFigures, hint: "Other servers and statistics do not learn how many people and posts there are." })}
      ${box({ label: "Other servers must sign what they read", name: "only_signed_reads", checked: typed ? typed.has("only_signed_reads") : signedReads, hint: "Blocked servers cannot read posts without saying who they are; servers that do not sign their requests read nothing. Pages in browsers stay as they are." })}
      ${textField(context, { label: "Storage for each account, in megabytes", name: "storage_quota", type: "number", min: 0, value: typed?.text("storage_quota") ?? String(Math.ceil(quota / megabyte)), hint: "For files and photos, including old versions. 0 means no limit.", fault: wrong })}
      <fieldset>
        <legend>How many posts may a channel start? (0 means no limit)</legend>
        ${postingSpans.map((span) => textField(context, { label: `In a ${span}`, name: `posts_per_${span}`, type: "number", min: 0, value: typed?.text(`posts_per_${span}`) ?? String(limits[span]), fault: wrong }))}
      </fieldset>
      ${radios({ legend: "When are pictures of other sites copied?", name: "media_copies", value: typed?.text("media_copies") ?? media.mediaCopies, choices: copyChoices })}
      ${megabytesField(context, "Room for these copies, in megabytes", "media_budget", media.mediaBudget, typed, wrong)}
      ${megabytesField(context, "Room for copies from one server, in megabytes", "media_host_budget", media.mediaHostBudget, typed, wrong)}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(context, { title: "Administration", main, status: wrong?.status ?? 200 });
}

/** What copies of other sites take here, by what they are of. */
function copiesSection(context: MemberContext, { copies, emoji, people }: MediaUsage): Html {
  return html`<section class="card">
    <h2>Copies from elsewhere</h2>
    <dl class="figures">
      ${figure("Media in posts", size(copies))} ${figure("Emoji", size(emoji))}
      ${figure("Pictures of people", size(people))}
    </dl>
    <p class="hint">
      Media that are removed here are fetched again when somebody looks at them. How much room they may take is set
      below.
    </p>
    ${copies > 0 ? buttonForm(context, "/admin/media", "Remove the copies of media") : ""}
  </section>`;
}

async function emptyCopies(context: MemberContext): Promise<Response> {
  await emptyMediaSoon(context.hub);
  return redirect(context, "/admin", "emptying");
}

function megabytesField(
  context: MemberContext,
  label: string,
  name: string,
  bytes: number,
  typed?: Fields,
  wrong?: Fault,
): Html {
  const value = typed?.text(name) ?? String(Math.ceil(bytes / megabyte));
  return textField(context, { label, name, type: "number", min: 0, value, fault: wrong });
}

function figure(name: string, value: Html | number | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

async function listWaiting({ hub }: MemberContext): Promise<Account[]> {
  const accounts = await listAccounts(hub);
  return accounts.filter(({ account_flags: flags }) => flags & accountFlags.pending && !(flags & accountFlags.removed));
}

function waitingRow(context: MemberContext, account: Account): Html {
  const fields = { account: account.account_id };
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${account.account_email}</span>
      <p class="about">asked ${time(context, account.account_created)}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(context, "/admin/accounts", "Approve", { kind: "primary", fields: { ...fields, answer: "approve" } })}
      ${buttonForm(context, "/admin/accounts", "Refuse", { fields: { ...fields, answer: "refuse" } })}
    </div>
  </li>`;
}

/** Only accounts that wait can be answered: this is no way to touch others. */
async function answer(context: MemberContext, form: Fields): Promise<Response> {
  const id = form.number("account");
  const account = (await listWaiting(context)).find((one) => one.account_id === id);
  if (!account) throw missing("Account");
  if (form.text("answer") === "approve") {
    await setAccountFlag(context.hub, account.account_id, "pending", false);
    return redirect(context, "/admin", "approved");
  }
  await setAccountFlag(context.hub, account.account_id, "removed", true);
  return redirect(context, "/admin", "refused");
}
