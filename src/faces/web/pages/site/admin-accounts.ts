import { html } from "hono/html";
import { accountFlags, isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import type { Account } from "../../../../domain/identity/accounts/accounts.ts";
import {
  accountFilters,
  accountOrders,
  countAccounts,
  findAccountRecord,
  pageOfAccounts,
} from "../../../../domain/moderation/accounts.ts";
import type {
  AccountChannel,
  AccountFilter,
  AccountOrder,
  AccountRecord,
  ListedAccount,
} from "../../../../domain/moderation/accounts.ts";
import { actOnAccount, measuresFor } from "../../../../domain/moderation/act.ts";
import { accountMeasures, listMeasures } from "../../../../domain/moderation/log.ts";
import type { AccountMeasure } from "../../../../domain/moderation/log.ts";
import { unsetDate } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { measureMail } from "../../mails/measures.ts";
import { newPasswordPath } from "../../mails/new-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { notice } from "../../parts/account/consent.ts";
import { size } from "../../parts/files/sizes.ts";
import { alert, box, buttonForm, choice, textField, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { adminHead } from "../../parts/site/admin-head.ts";
import { emailsOf, measureLabels, measureRows } from "../../parts/site/measure-labels.ts";
import { time } from "../../parts/times.ts";

const perPage = 50;
const path = "/admin/accounts";

/** The accounts of the hub, and what those who run it do about them; for everybody else these pages do not exist. */
export const adminAccountsPages: Page[] = [
  { path, access: "administrator", get: list },
  { path: `${path}/:id`, access: "administrator", get: (context) => page(context), post: act },
];

const filterLabels: Readonly<Record<AccountFilter, string>> = {
  all: "All",
  waiting: "Waiting",
  limited: "Limited",
  suspended: "Suspended",
  administrators: "Administrators",
  unconfirmed: "Unconfirmed",
};

const orderLabels: Readonly<Record<AccountOrder, string>> = {
  newest: "The newest first",
  active: "Who was here last first",
  address: "By e-mail address",
};

async function list(context: MemberContext): Promise<Response> {
  const { hub, query } = context;
  const filter = accountFilters.find((name) => name === query.word("show")) ?? "all";
  const order = accountOrders.find((name) => name === query.word("order")) ?? "newest";
  const [search, invitedBy] = [query.word("q"), query.number("invited_by")];
  const [{ accounts, next }, counts] = await Promise.all([
    pageOfAccounts(hub, { filter, order, search, invitedBy, before: query.number("before"), count: perPage }),
    countAccounts(hub),
  ]);
  const main = html`${adminHead("Accounts")}
    <nav class="tabs" aria-label="Which accounts">
      ${accountFilters.map(
        (name) =>
          html`<a href="${path}?show=${name}" ${name === filter ? html`aria-current="page"` : ""}
            >${filterLabels[name]} <span class="count">${counts[name]}</span></a
          >`,
      )}
    </nav>
    <form class="card" method="get" action="${path}" role="search">
      <input type="hidden" name="show" value="${filter}" />
      ${textField(context, { label: "Name, nick or e-mail address", name: "q", value: search, optional: false })}
      ${choice(context, { label: "In which order?", name: "order", value: order, choices: accountOrders.map((name) => [name, orderLabels[name]] as const) })}
      <p class="submit"><button class="button">Find</button></p>
    </form>
    ${
      accounts.length > 0
        ? html`<ul class="card people">
            ${accounts.map((account) => row(context, account))}
          </ul>`
        : html`<p class="empty">There are none.</p>`
    }
    ${pager(context, next, "More")}`;
  return show(context, { title: "Accounts", main });
}

function row(context: MemberContext, account: ListedAccount): Html {
  const { account_id: id, account_email: email, account_reason: reason, account_created, account_lastlog } = account;
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
        ${account.channels.map(({ channel_address }) => `@${channel_address}`).join(", ")}${stateOf(account).map((word) => html` <span class="badge calm">${word}</span>`)}
      </p>
      <p class="about">
        since
        ${time(context, account_created)}${account_lastlog === unsetDate ? "" : html`; last here ${time(context, account_lastlog)}`}
      </p>
      ${waits && reason !== "" ? html`<blockquote>${reason}</blockquote>` : ""}
    </div>
    ${waits ? html`<div class="person-actions">${answer("approve", "Let in", "primary")} ${answer("refuse", "Refuse")}</div>` : ""}
  </li>`;
}

/** What is not usual about the account. */
function stateOf(account: Account): string[] {
  const { account_flags: flags, account_limited: limited } = account;
  return [
    (flags & accountFlags.pending) !== 0 && "waits",
    (flags & accountFlags.unverified) !== 0 && "address not confirmed",
    limited === 1 && "limited",
    (flags & accountFlags.blocked) !== 0 && "suspended",
    (flags & accountFlags.expired) !== 0 && "expired",
    isAdministrator(account) && "administrator",
  ].filter((word) => word !== false);
}

async function page(context: MemberContext, typed = new Fields(), wrong?: Fault): Promise<Response> {
  const { hub, params, query } = context;
  const account = await findAccountRecord(hub, idOf(params["id"]));
  const { measures, next } = await listMeasures(hub, {
    account: account.account_id,
    before: query.number("before"),
    count: perPage,
  });
  const emails = await emailsOf(context, measures);
  const main = html`${adminHead(account.account_email)} ${facts(context, account)}
    ${
      account.account_reason === ""
        ? ""
        : html`<section class="card">
            <h2>Why they wanted to join</h2>
            <p class="prose">${account.account_reason}</p>
          </section>`
    }
    ${actForm(context, account, typed, wrong)}
    <section class="card">
      <h2>What was done</h2>
      ${measures.length > 0 ? measureRows(context, measures, emails) : html`<p class="hint">Nothing yet.</p>`}
    </section>
    ${pager(context, next)}`;
  return show(context, { title: account.account_email, main, status: wrong?.status ?? 200 });
}

function facts(context: MemberContext, account: AccountRecord): Html {
  const { account_lastlog: last, inviter, reports } = account;
  const states = stateOf(account);
  return html`<dl class="card facts">
    ${fact("State", states.length > 0 ? states.join(", ") : "in order")}
    ${fact("Channels", account.channels.length > 0 ? listOf(account.channels.map(channelLink)) : "none")}
    ${fact("Since", time(context, account.account_created))}
    ${fact("Last log-in", last === unsetDate ? "never" : time(context, last))}
    ${fact("Second factor", account.account_second_factor === 1 ? "on" : "off")}
    ${fact("Stores", size(account.storage))} ${inviter ? fact("Invited by", channelLink(inviter)) : ""}
    ${account.invited > 0 ? fact("Has invited", listOf(account.channels.map(({ channel_id, channel_address }) => html`<a href="${path}?invited_by=${channel_id}">${account.channels.length > 1 ? `as ${channel_address}` : account.invited}</a>`))) : ""}
    ${fact("Reports about them", html`<a href="/admin/reports?account=${account.account_id}">${reports.open} open, ${reports.closed} closed</a>`)}
  </dl>`;
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
  const choices = measuresFor(account).map((one) => [one, measureLabels[one]] as const);
  return html`<form class="card form-page" method="post" action="${path}/${account.account_id}">
    <h2>Do something about it</h2>
    ${token(context)} ${alert(wrong)}
    ${choice(context, { label: "What to do", name: "measure", value: typed.text("measure"), choices, fault: wrong })}
    ${textField(context, { label: "Words", name: "note", value: typed.text("note"), hint: "Why. Notes stay with those who run the hub.", fault: wrong })}
    ${box({ label: "Tell them, in these words", name: "tells", checked: wrong ? typed.has("tells") : true })}
    <p class="submit"><button class="button">Do it</button></p>
  </form>`;
}

/** What cannot be undone is asked about first. */
const asks: readonly AccountMeasure[] = ["remove"];

async function act(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const id = idOf(params["id"]);
  return tryForm(
    async () => {
      const measure = accountMeasures.find((one) => one === typed.text("measure"));
      if (!measure) throw fault("measure", "Choose what to do.");
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
  const account = await findAccountRecord(context.hub, idOf(context.params["id"]));
  const fields = { measure: "remove", note: typed.text("note"), tells: typed.text("tells"), sure: 1 };
  return notice(
    context,
    `Delete the account of ${account.account_email}?`,
    html`<p>
        It goes with all of its channels, and with what they wrote and stored. This cannot be undone. To keep them out
        for a while, suspend the account.
      </p>
      <p class="row">
        ${buttonForm(context, `${path}/${account.account_id}`, "Delete", { kind: "danger", fields })}
        <a href="${path}/${account.account_id}">Keep it</a>
      </p>`,
  );
}

/** The hub sends no mail, so whoever asked for the link brings it to them. */
async function handOver(context: MemberContext, link: string): Promise<Response> {
  return notice(
    context,
    "A way to a new password",
    html`<p>The hub sends no mail. Give this link to the owner of the account; it works once, within an hour.</p>
      <p><code>${context.hub.config.baseUrl}${newPasswordPath}/${link}</code></p>
      <p><a href="${path}/${idOf(context.params["id"])}">Back to the account</a></p>`,
  );
}
