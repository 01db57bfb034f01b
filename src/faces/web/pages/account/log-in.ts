import { html } from "hono/html";
import { logIn } from "../../../../domain/identity/accounts/log-in.ts";
import { HubError } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { leaveAsGuest } from "../../guest.ts";
import { localPath } from "../../local-path.ts";
import type { Html, Member, Page, PageContext } from "../../page.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { endSession, startSession } from "../../session.ts";

/** Logging in and out. */
export const logInPages: Page[] = [
  { path: "/login", access: "anybody", whileMoved: true, get: (context) => form(context), post: take },
  { path: "/logout", access: "anybody", whileMoved: true, get: (context) => redirect(context, "/"), post: leave },
];

async function take(context: PageContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      await enter(context, typed);
      return redirect(context, localPath(typed.text("next"), "/network"));
    },
    (fault) => form(context, typed, fault),
  );
}

/** Logs the browser in with what was typed. Throws a fault in words. */
export async function enter(context: PageContext, typed: Fields): Promise<Member> {
  const { hub, address, device } = context;
  const credentials = { login: typed.text("login"), password: typed.text("password"), address, device };
  return startSession(context, await logIn(hub, credentials).catch(inWords(context)));
}

/** Name and password. */
export function credentialFields(typed: Fields, fault?: Fault): Html {
  return html`${textField({ label: "E-mail or nick", name: "login", value: typed.text("login"), required: true, autocomplete: "username", autofocus: true, fault })}
  ${textField({ label: "Password", name: "password", type: "password", required: true, autocomplete: "current-password", fault })}`;
}

/** The same words for every reason: which part was wrong is nobody's business. */
function inWords({ site }: PageContext): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HubError) || error.kind !== "unauthenticated") throw error;
    const waiting = site.registration === "approval" ? " A new account works once it is approved." : "";
    throw fault("", `These do not belong together: check name and password.${waiting}`);
  };
}

async function leave(context: PageContext): Promise<Response> {
  if (context.guest) leaveAsGuest(context);
  else await endSession(context);
  return redirect(context, "/", "out");
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const next = localPath(typed.text("next") || context.query.text("next"), "/network");
  if (context.member && !fault) return redirect(context, next);
  const main = html`<section class="card form-page">
    <h1>Log in</h1>
    ${context.query.has("next") ? html`<p class="lead">You will then be taken to the page that you asked for.</p>` : ""}
    <form method="post" action="/login">
      ${token(context)} ${alert(fault)}
      <input type="hidden" name="next" value="${next}" />
      ${credentialFields(typed, fault)}
      <p class="submit">
        <button class="button primary">Log in</button>
        ${context.site.registration === "closed" ? "" : html`<a href="/register">I am new here</a>`}
      </p>
      <p><a href="/login/forgotten">Forgotten your password?</a></p>
    </form>
  </section>`;
  return show(context, { title: "Log in", main, status: fault?.status ?? 200 });
}
