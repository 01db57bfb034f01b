import { accountFlags, isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import type { Account } from "../../../../domain/identity/accounts/accounts.ts";
import {
  accountFilters,
  accountOrders,
  countAccounts,
  findAccountRecord,
  pageOfAccounts,
} from "../../../../domain/moderation/accounts.ts";
import type { AccountChannel, AccountRecord, ListedAccount } from "../../../../domain/moderation/accounts.ts";
import { actOnAccount, measuresFor } from "../../../../domain/moderation/act.ts";
import { accountMeasures, listMeasures } from "../../../../domain/moderation/log.ts";
import type { AccountMeasure } from "../../../../domain/moderation/log.ts";
import { unsetDate } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { measureMail } from "../../mails/measures.ts";
import { newPasswordPath } from "../../mails/new-password.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { notice } from "../../parts/account/consent.ts";
import { size } from "../../parts/files/sizes.ts";
import { alert, box, buttonForm, choice, textField, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { emailsOf, measureChoices, measureRows } from "../../parts/site/measure-labels.ts";
import { time } from "../../parts/times.ts";

const perPage = 50;
const path = "/admin/accounts";

/** The accounts of the hub, and what those who run it do about them; for everybody else these pages do not exist. */
export const adminAccountsPages: Page[] = [
  { path, access: "administrator", get: list },
  { path: `${path}/:id`, access: "administrator", get: (context) => page(context), post: act },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, query, say } = context;
  const filter = accountFilters.find((name) => name === query.word("show")) ?? "all";
  const order = accountOrders.find((name) => name === query.word("order")) ?? "newest";
  const [search, invitedBy] = [query.word("q"), query.number("invited_by")];
  const [{ accounts, next }, counts] = await Promise.all([
    pageOfAccounts(hub, { filter, order, search, invitedBy, before: query.number("before"), count: perPage }),
    countAccounts(hub),
  ]);
  const main = html`${adminHead(context, say("admin.accounts"))}
    <nav class="tabs" aria-label="${say("admin.which-accounts")}">
      ${accountFilters.map(
        (name) =>
          html`<a href="${path}?show=${name}" ${name === filter ? html`aria-current="page"` : ""}
            >${say(`admin.filter-${name}`)} <span class="count">${counts[name]}</span></a
          >`,
      )}
    </nav>
    <form class="card" method="get" action="${path}" role="search">
      <input type="hidden" name="show" value="${filter}" />
      ${textField(context, { label: say("admin.name-nick-or-e-mail-address"), name: "q", value: search, optional: false })}
      ${choice(context, { label: say("admin.in-which-order"), name: "order", value: order, choices: accountOrders.map((name) => [name, say(`admin.order-${name}`)] as const) })}
      <p class="submit"><button class="button">${say("admin.find")}</button></p>
    </form>
    ${
      accounts.length > 0
        ? html`<ul class="card people">
            ${accounts.map((account) => row(context, account))}
          </ul>`
        : html`<p class="empty">${say("admin.there-are-none")}</p>`
    }
    ${pager(context, next, say("admin.more"))}`;
  return show(context, { title: say("admin.accounts"), main });
}

function row(context: MemberContext, account: ListedAccount): Html {
  const { say } = context;
  const { account_id: id, account_email: email, account_reason: reason, account_created, account_lastlog } = account;
  const since = time(context, account_created);
  const waits = (account.account_flags & accountFlags.pending) !== 0;
  const answer = (measure: AccountMeasure, label: string, kind = "") =>
    buttonForm(context, `${path}/${id}`, html`${label}<span class="unseen"> ${email}</span>`, {
      kind,
      fields: { measure, tells: 1 },
    });
  return html`<li class="person">
    <div class="person-words">
      <a class="name" href="${path}/${id}">${email}</a>
      <p class="about">
        ${account.channels.map(({ channel_address }) => `@${channel_address}`).join(", ")}${stateOf(say, account).map((word) => html` <span class="badge calm">${word}</span>`)}
      </p>
      <p class="about">
        ${account_lastlog === unsetDate ? say.html("admin.since-time", { time: since }) : say.html("admin.last-here", { since, last: time(context, account_lastlog) })}
      </p>
      ${waits && reason !== "" ? html`<blockquote>${reason}</blockquote>` : ""}
    </div>
    ${waits ? html`<div class="person-actions">${answer("approve", say("admin.let-in"), "primary")} ${answer("refuse", say("admin.refuse"))}</div>` : ""}
  </li>`;
}

/** What is not usual about the account. */
function stateOf(say: Say, account: Account): string[] {
  const { account_flags: flags, account_limited: limited } = account;
  return [
    (flags & accountFlags.pending) !== 0 && say("admin.state-waits"),
    (flags & accountFlags.unverified) !== 0 && say("admin.state-unconfirmed"),
    limited === 1 && say("admin.state-limited"),
    (flags & accountFlags.blocked) !== 0 && say("admin.state-suspended"),
    (flags & accountFlags.expired) !== 0 && say("admin.state-expired"),
    isAdministrator(account) && say("admin.state-administrator"),
  ].filter((word) => word !== false);
}

async function page(context: MemberContext, typed = new Fields(), wrong?: Fault): Promise<Response> {
  const { hub, params, query, say } = context;
  const account = await findAccountRecord(hub, idOf(params["id"]));
  const { measures, next } = await listMeasures(hub, {
    account: account.account_id,
    before: query.number("before"),
    count: perPage,
  });
  const emails = await emailsOf(context, measures);
  const main = html`${adminHead(context, account.account_email)} ${facts(context, account)}
    ${
      account.account_reason === ""
        ? ""
        : html`<section class="card">
            <h2>${say("admin.why-they-wanted-to-join")}</h2>
            <p class="prose">${account.account_reason}</p>
          </section>`
    }
    ${actForm(context, account, typed, wrong)}
    <section class="card">
      <h2>${say("admin.what-was-done")}</h2>
      ${measures.length > 0 ? measureRows(context, measures, emails) : html`<p class="hint">${say("admin.nothing-yet")}</p>`}
    </section>
    ${pager(context, next)}`;
  return show(context, { title: account.account_email, main, status: wrong?.status ?? 200 });
}

function facts(context: MemberContext, account: AccountRecord): Html {
  const { say } = context;
  const { account_lastlog: last, inviter, reports } = account;
  const states = stateOf(say, account);
  return html`<section class="card">
    <dl class="facts">
      ${fact(say("admin.state"), states.length > 0 ? states.join(", ") : say("admin.state-usual"))}
      ${fact(say("admin.channels"), account.channels.length > 0 ? listOf(account.channels.map(channelLink)) : say("admin.none"))}
      ${fact(say("admin.since"), time(context, account.account_created))}
      ${fact(say("admin.last-log-in"), last === unsetDate ? say("admin.never") : time(context, last))}
      ${fact(say("admin.second-factor"), account.account_second_factor === 1 ? say("admin.on") : say("admin.off"))}
      ${fact(say("admin.stores"), size(context, account.storage))}
      ${inviter ? fact(say("admin.invited-by"), channelLink(inviter)) : ""}
      ${account.invited > 0 ? fact(say("admin.has-invited"), listOf(account.channels.map(({ channel_id, channel_address }) => html`<a href="${path}?invited_by=${channel_id}">${account.channels.length > 1 ? say("admin.as-channel", { nick: channel_address }) : account.invited}</a>`))) : ""}
      ${fact(say("admin.reports-about-them"), html`<a href="/admin/reports?account=${account.account_id}">${say("admin.counts-of-reports", reports)}</a>`)}
    </dl>
  </section>`;
}

function fact(name: string, value: Html | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function listOf(parts: readonly Html[]): Html {
  return html`${parts.map((part, at) => html`${at > 0 ? ", " : ""}${part}`)}`;
}

function channelLink({ channel_name, channel_address }: AccountChannel): Html {
  return html`<a href="/channel/${channel_address}">${channel_name}</a>
    <span class="address">@${channel_address}</span>`;
}

function actForm(context: MemberContext, account: AccountRecord, typed: Fields, wrong?: Fault): Html {
  const { say } = context;
  const choices = measureChoices(context.say, measuresFor(account));
  return html`<form class="card form-page" method="post" action="${path}/${account.account_id}">
    <h2>${say("admin.do-something-about-it")}</h2>
    ${token(context)} ${alert(wrong)}
    ${choice(context, { label: say("admin.what-to-do"), name: "measure", value: typed.text("measure"), choices, fault: wrong })}
    ${textField(context, { label: say("admin.words"), name: "note", value: typed.text("note"), hint: say("admin.why-notes-stay-with-those-who-hint"), fault: wrong })}
    ${box({ label: say("admin.tell-them-in-these-words"), name: "tells", checked: wrong ? typed.has("tells") : true })}
    <p class="submit"><button class="button">${say("admin.do-it")}</button></p>
  </form>`;
}

/** What cannot be undone is asked about first. */
const asks: readonly AccountMeasure[] = ["remove"];

async function act(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const id = idOf(params["id"]);
  return tryForm(
    context,
    async () => {
      const measure = accountMeasures.find((one) => one === typed.text("measure"));
      if (!measure) throw fault("measure", context.say("admin.choose-what-to-do"));
      if (asks.includes(measure) && !typed.has("sure")) return ask(context, typed);
      const done = { measure, note: typed.text("note"), tells: typed.has("tells") };
      const { token: link } = await actOnAccount(
        hub,
        id,
        { moderator: member.account.account_id },
        done,
        measureMail(hub),
      );
      if (link !== undefined) return handOver(context, link);
      if (measure === "approve" || measure === "refuse")
        return redirect(context, `${path}?show=waiting`, measure === "approve" ? "approved" : "refused");
      return redirect(context, measure === "remove" ? path : `${path}/${id}`, "measured");
    },
    (wrong) => page(context, typed, wrong),
  );
}

async function ask(context: MemberContext, typed: Fields): Promise<Response> {
  const { say } = context;
  const account = await findAccountRecord(context.hub, idOf(context.params["id"]));
  const fields = { measure: "remove", note: typed.text("note"), tells: typed.text("tells"), sure: 1 };
  return notice(
    context,
    say("admin.delete-account", { email: account.account_email }),
    html`<p>${say("admin.delete-account-lead")}</p>
      <div class="row">
        ${buttonForm(context, `${path}/${account.account_id}`, say("forms.delete"), { kind: "danger", fields })}
        <a href="${path}/${account.account_id}">${say("admin.keep-it")}</a>
      </div>`,
  );
}

/** The hub sends no mail, so whoever asked for the link brings it to them. */
async function handOver(context: MemberContext, link: string): Promise<Response> {
  const { say } = context;
  return notice(
    context,
    say("admin.way-to-password"),
    html`<p>${say("admin.hand-over")}</p>
      <p><code>${context.hub.config.baseUrl}${newPasswordPath}/${link}</code></p>
      <p><a href="${path}/${idOf(context.params["id"])}">${say("admin.back-to-account")}</a></p>`,
  );
}
