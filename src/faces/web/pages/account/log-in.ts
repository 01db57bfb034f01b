import { logIn, needsSecondFactor } from "../../../../domain/identity/accounts/log-in.ts";
import {
  beginSecondStep,
  finishSecondStep,
  logInByPasskey,
  whoseSecondStep,
} from "../../../../domain/identity/factors/second-step.ts";
import { optionsToUse, takesPasskeys } from "../../../../domain/identity/factors/passkeys.ts";
import { sendsMail } from "../../../../domain/mail/queue-mail.ts";
import { HubError } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { leaveAsGuest } from "../../guest.ts";
import { html } from "../../html.ts";
import { localPath } from "../../local-path.ts";
import type { Html, Member, Page, PageContext } from "../../page.ts";
import { codeField } from "../../parts/account/code-field.ts";
import { ownPasskeyButton, passkeyButton } from "../../parts/account/passkey-button.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { proofIn } from "../../own-password.ts";
import { endSession, startSession } from "../../session.ts";

/** Logging in and out. */
export const logInPages: Page[] = [
  { path: "/login", access: "anybody", whileMoved: true, get: (context) => form(context), post: take },
  {
    path: "/logout",
    access: "anybody",
    whileMoved: true,
    asAnyChannel: true,
    get: (context) => redirect(context, "/"),
    post: leave,
  },
];

async function take(context: PageContext, typed: Fields): Promise<Response> {
  return enter(context, typed, {
    entered: () => redirect(context, localPath(typed.text("next"), "/network")),
    ask: (typed, fault) => form(context, typed, fault),
  });
}

type Steps = {
  /** What comes after the log-in. */
  entered: (member: Member) => Promise<Response> | Response;
  /** Shows the form (`credentialForm`) once more: with a fault, or for the code of a second factor. */
  ask: (typed: Fields, fault?: Fault) => Promise<Response>;
};

/** Logs the browser in with what was typed, in two steps where the account has a second factor. */
export async function enter(context: PageContext, typed: Fields, { entered, ask }: Steps): Promise<Response> {
  const { hub, address, device } = context;
  return tryForm(
    context,
    async () => {
      const typist = { address, device };
      if (typed.has(step)) {
        const caller = await finishSecondStep(hub, typed.text(step), proofIn(typed), typist);
        return entered(await startSession(context, caller));
      }
      if (typed.has("passkey"))
        return entered(await startSession(context, await logInByPasskey(hub, typed.text("passkey"), typist)));
      const credentials = { login: typed.text("login"), password: typed.text("password"), address, device };
      const caller = await logIn(hub, credentials).catch(inWords(context));
      if (!needsSecondFactor(caller.account)) return entered(await startSession(context, caller));
      return ask(new Fields([...typed.entries(), [step, await beginSecondStep(hub, caller)]]));
    },
    (fault) => ask(typed, fault),
  );
}

/** The field that carries the first half of a log-in. */
const step = "step";

/** What is typed to log in, and no part of a form that waits for it. */
export const credentialNames: readonly string[] = ["login", "password", step, "code", "passkey"];

/** Does this come from a form with `credentialForm`? */
export function hasCredentials(form: Fields): boolean {
  return form.has("password") || form.has(step) || form.has("passkey");
}

/** Name and password, or a passkey, with the button; after them, what the second factor takes. `more` stands beside the button. */
export async function credentialForm(
  context: PageContext,
  typed: Fields,
  fault?: Fault,
  more: Html | string = "",
): Promise<Html> {
  const { hub, say } = context;
  const submit = html`<p class="submit"><button class="button primary">${say("account.log-in")}</button> ${more}</p>`;
  if (typed.has(step) && fault?.field !== step) {
    const account = await whoseSecondStep(hub, typed.text(step));
    return html`<input type="hidden" name="${step}" value="${typed.text(step)}" />
      ${codeField(context, { autofocus: true, fault })} ${submit}
      ${account === undefined ? "" : await ownPasskeyButton(context, account)}`;
  }
  return html`${textField(context, { label: say("account.login"), name: "login", value: typed.text("login"), required: true, autocomplete: "username", autofocus: true, fault })}
  ${textField(context, { label: say("account.password"), name: "password", type: "password", required: true, autocomplete: "current-password", fault })}
  ${submit}
  ${takesPasskeys(hub) ? passkeyButton(context, say("account.log-in-by-passkey"), await optionsToUse(hub)) : ""}`;
}

/** The same words for every reason: which part was wrong is nobody's business. */
function inWords({ hub, site, say }: PageContext): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HubError) || error.kind !== "unauthenticated") throw error;
    const sentences = [
      say("account.wrong-login"),
      sendsMail(hub) ? say("account.wrong-unconfirmed") : "",
      site.registration === "approval" ? say("account.wrong-waiting") : "",
    ];
    throw fault("", sentences.filter((sentence) => sentence !== "").join(" "));
  };
}

async function leave(context: PageContext): Promise<Response> {
  if (context.guest) leaveAsGuest(context);
  else await endSession(context);
  return redirect(context, "/", "out");
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const next = localPath(typed.text("next") || context.query.text("next"), "/network");
  if (context.member && !fault) return redirect(context, next);
  const main = html`<section class="card form-page">
    <h1>${say("account.log-in")}</h1>
    ${context.query.has("next") ? html`<p class="lead">${say("account.then-onwards")}</p>` : ""}
    <form method="post" action="/login">
      ${token(context)} ${alert(fault)}
      <input type="hidden" name="next" value="${next}" />
      ${await credentialForm(context, typed, fault, context.site.registration === "closed" ? "" : html`<a href="/register">${say("account.i-am-new")}</a>`)}
      <p><a href="/login/forgotten">${say("account.forgotten")}</a></p>
    </form>
  </section>`;
  return show(context, { title: say("account.log-in"), main, status: fault?.status ?? 200 });
}
