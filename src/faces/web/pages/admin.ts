import { html } from "hono/html";
import { accountFlags, listAccounts, setAccountFlag } from "../../../domain/identity/accounts.ts";
import type { Account } from "../../../domain/identity/accounts.ts";
import { siteFigures } from "../../../domain/identity/site-figures.ts";
import { changeSite } from "../../../domain/identity/site-settings.ts";
import { missing } from "../../../errors.ts";
import { redirect, show } from "../answers.ts";
import { tryForm } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import type { Html, MemberVisit, Page } from "../page.ts";
import { alert, box, buttonForm, radios, textField, token } from "../parts/forms.ts";
import { readSiteName, registrationChoices, registrationOf } from "../parts/registration.ts";
import { time } from "../parts/times.ts";

/** For administrators; for everybody else these pages do not exist. */
export const adminPages: Page[] = [
  { path: "/admin", access: "administrator", get: (visit) => page(visit), post: save },
  { path: "/admin/accounts", access: "administrator", post: answer },
];

async function save(visit: MemberVisit, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const name = readSiteName(typed.word("site_name"));
      const registration = registrationOf(typed.text("registration"));
      await changeSite(visit.hub, { name, registration, blockPublic: typed.has("block_public") });
      return redirect(visit, "/admin", "saved");
    },
    (fault) => page(visit, typed, fault),
  );
}

async function page(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, site } = visit;
  const [figures, waiting] = await Promise.all([siteFigures(hub), listWaiting(visit)]);
  const main = html`<h1>Administration</h1>
    <dl class="card figures">
      ${figure("Accounts", figures.accounts)} ${figure("Channels", figures.channels)}
      ${figure("Jobs waiting", figures.waitingJobs)} ${figure("Jobs given up", figures.deadJobs)}
    </dl>
    ${
      waiting.length > 0
        ? html`<section class="card">
            <h2>Waiting for approval</h2>
            <ul class="people">
              ${waiting.map((account) => waitingRow(visit, account))}
            </ul>
          </section>`
        : ""
    }
    <form class="card form-page" method="post" action="/admin">
      <h2>The hub</h2>
      ${token(visit)} ${alert(fault)}
      ${textField({ label: "Name of the hub", name: "site_name", value: typed?.text("site_name") ?? site.name, required: true, fault })}
      ${radios({ legend: "Who may sign up?", name: "registration", value: typed?.text("registration") ?? site.registration, choices: registrationChoices })}
      ${box({ label: "Members only", name: "block_public", checked: typed ? typed.has("block_public") : site.blockPublic, hint: "Visitors who are not logged in see no posts, profiles or directory." })}
      <p class="submit"><button class="button primary">Save</button></p>
    </form>`;
  return show(visit, { title: "Administration", main, status: fault?.status ?? 200 });
}

function figure(name: string, value: number): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

async function listWaiting({ hub }: MemberVisit): Promise<Account[]> {
  const accounts = await listAccounts(hub);
  return accounts.filter(({ account_flags: flags }) => flags & accountFlags.pending && !(flags & accountFlags.removed));
}

function waitingRow(visit: MemberVisit, account: Account): Html {
  const fields = { account: account.account_id };
  return html`<li class="person">
    <div class="person-words">
      <span class="name">${account.account_email}</span>
      <p class="about">asked ${time(visit, account.account_created)}</p>
    </div>
    <div class="person-actions">
      ${buttonForm(visit, "/admin/accounts", "Approve", { kind: "primary", fields: { ...fields, answer: "approve" } })}
      ${buttonForm(visit, "/admin/accounts", "Refuse", { fields: { ...fields, answer: "refuse" } })}
    </div>
  </li>`;
}

/** Only accounts that wait can be answered: this is no way to touch others. */
async function answer(visit: MemberVisit, form: Fields): Promise<Response> {
  const id = form.number("account");
  const account = (await listWaiting(visit)).find((one) => one.account_id === id);
  if (!account) throw missing("Account");
  if (form.text("answer") === "approve") {
    await setAccountFlag(visit.hub, account.account_id, "pending", false);
    return redirect(visit, "/admin", "approved");
  }
  await setAccountFlag(visit.hub, account.account_id, "removed", true);
  return redirect(visit, "/admin", "refused");
}
