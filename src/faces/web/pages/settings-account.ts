import { html } from "hono/html";
import { setPassword } from "../../../domain/identity/accounts.ts";
import { redirect, show } from "../answers.ts";
import { tryForm } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import { checkPassword } from "../own-password.ts";
import type { MemberVisit, Page } from "../page.ts";
import { alert, textField, token } from "../parts/forms.ts";
import { startSession } from "../session.ts";

/** The account behind the channels. */
export const settingsAccountPages: Page[] = [
  { path: "/settings/account", access: "member", get: (visit) => page(visit), post: save },
];

/** Whoever finds an open browser must not be able to keep the account: the old password is asked for, and throttled. */
async function save(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { hub, member } = visit;
  return tryForm(
    async () => {
      await checkPassword(visit, typed, "old_password");
      await setPassword(hub, member.account.account_id, typed.text("password"));
      await startSession(visit, member);
      return redirect(visit, visit.path, "password");
    },
    (fault) => page(visit, fault),
  );
}

async function page(visit: MemberVisit, fault?: Fault): Promise<Response> {
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>Account</h1>
    <section class="card">
      <dl class="facts">
        <div>
          <dt>E-mail</dt>
          <dd>${visit.member.account.account_email}</dd>
        </div>
      </dl>
    </section>
    <form class="card form-page" method="post">
      <h2>Change the password</h2>
      ${token(visit)} ${alert(fault)}
      <input
        type="text"
        name="username"
        value="${visit.member.account.account_email}"
        autocomplete="username"
        readonly
        hidden
      />
      ${textField({ label: "Password as it is now", name: "old_password", type: "password", required: true, autocomplete: "current-password", fault })}
      ${textField({ label: "New password", name: "password", type: "password", required: true, autocomplete: "new-password", hint: "Every other browser is logged out.", fault })}
      <p class="submit"><button class="button primary">Change it</button></p>
    </form>`;
  return show(visit, { title: "Account", main, status: fault?.status ?? 200 });
}
