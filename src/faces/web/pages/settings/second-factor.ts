import { html } from "hono/html";
import { needsSecondFactor } from "../../../../domain/identity/accounts/log-in.ts";
import { offeredCodeApp } from "../../../../domain/identity/factors/code-app.ts";
import { factorsOf } from "../../../../domain/identity/factors/factors.ts";
import { totpAddress } from "../../../../domain/identity/factors/totp.ts";
import {
  beginCodeApp,
  endSecondFactor,
  finishCodeApp,
  renewRecoveryCodes,
} from "../../../../domain/recovery/second-factor.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { codeAppAdded, recoveryCodesRenewed, secondFactorEnded } from "../../mails/second-factor.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { qrCode } from "../../parts/account/qr-code.ts";
import { alert, textField, token } from "../../parts/forms.ts";

const home = "/settings/account/second-factor";

/** What logging in takes beside the password. */
export const settingsSecondFactorPages: Page[] = [
  { path: home, access: "member", whileMoved: true, get: (context) => page(context) },
  { path: `${home}/begin`, access: "member", whileMoved: true, post: begin },
  { path: `${home}/app`, access: "member", whileMoved: true, post: finish },
  { path: `${home}/codes`, access: "member", whileMoved: true, post: renew },
  { path: `${home}/off`, access: "member", whileMoved: true, post: end },
];

function begin(context: MemberContext, typed: Fields): Promise<Response> {
  return checked(context, "begin", typed, async ({ hub, member }) => {
    await beginCodeApp(hub, member.account);
    return redirect(context, home);
  });
}

function finish(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  return tryForm(
    context,
    async () => {
      const codes = await finishCodeApp(hub, member.account, typed.word("code"), codeAppAdded(context.say));
      return codesPage(context, "Your account has a second factor now", codes);
    },
    (fault) => page(context, "app", fault),
  );
}

function renew(context: MemberContext, typed: Fields): Promise<Response> {
  return checked(context, "codes", typed, async ({ hub, member, say }) => {
    const codes = await renewRecoveryCodes(hub, member.account, recoveryCodesRenewed(say));
    return codesPage(context, "Your new recovery codes", codes);
  });
}

function end(context: MemberContext, typed: Fields): Promise<Response> {
  return checked(context, "off", typed, async ({ hub, member }) => {
    await endSecondFactor(hub, member.account, secondFactorEnded(context.say));
    return redirect(context, home, "saved");
  });
}

/** The forms of this page that ask for the password. */
type Form = "begin" | "app" | "codes" | "off";

function checked(
  context: MemberContext,
  form: Form,
  typed: Fields,
  work: (context: MemberContext) => Promise<Response>,
): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await checkPassword(context, typed);
      return work(context);
    },
    (fault) => page(context, form, fault),
  );
}

async function page(context: MemberContext, form?: Form, fault?: Fault): Promise<Response> {
  const { hub, member } = context;
  const faultIn = (name: Form): Fault | undefined => (name === form ? fault : undefined);
  const offered = await offeredCodeApp(hub, member.account.account_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a> <a href="/settings/account">Account</a></p>
    <h1>Second factor</h1>
    ${
      needsSecondFactor(member.account)
        ? await whatIsOn(context, faultIn)
        : offered === undefined
          ? beginForm(context, faultIn("begin"))
          : await appForm(context, offered, faultIn("app"))
    }`;
  return show(context, { title: "Second factor", main, status: fault?.status ?? 200 });
}

function beginForm(context: MemberContext, fault: Fault | undefined): Html {
  return html`<form class="card form-page" method="post" action="${home}/begin">
    <p class="lead">
      With a second factor nobody gets in who knows your password alone: logging in also takes a code that an app on
      your phone shows, another one every half minute. Any app for such codes (TOTP) will do.
    </p>
    <p>
      Programs that log in with the password alone get in no more; those that you allow under
      <a href="/settings/oauth/">Applications</a> go on working.
    </p>
    ${token(context)} ${alert(fault)} ${passwordFields(context, { fault })}
    <p class="submit"><button class="button primary">Add an app for codes</button></p>
  </form>`;
}

async function appForm(context: MemberContext, secret: string, fault: Fault | undefined): Promise<Html> {
  const address = totpAddress(secret, context.site.name, context.member.account.account_email);
  return html`<form class="card form-page" method="post" action="${home}/app">
    <h2>Add an app for codes</h2>
    <p>Let the app read this picture, or type the letters below it.</p>
    ${await qrCode(address, "What the app reads: the same as the letters below")}
    <p class="security-code"><code>${secret.replaceAll(/(?<=^(?:.{4})+)(?!$)/g, " ")}</code></p>
    ${token(context)} ${alert(fault)}
    ${textField(context, { label: "The code that the app shows", name: "code", required: true, autocomplete: "one-time-code", fault })}
    <p class="submit"><button class="button primary">Turn it on</button></p>
  </form>`;
}

async function whatIsOn(context: MemberContext, faultIn: (form: Form) => Fault | undefined): Promise<Html> {
  const { recoveryCodes } = await factorsOf(context.hub, context.member.account.account_id);
  return html`<section class="card">
      <p>Logging in takes your password and a code of your app.</p>
    </section>
    <form class="card form-page" method="post" action="${home}/codes">
      <h2>Recovery codes</h2>
      <p>
        If you lose your app, a recovery code lets you in. ${recoveryCodes === 1 ? "One is" : `${recoveryCodes} are`}
        left. New ones take the place of all that you have.
      </p>
      ${token(context)} ${alert(faultIn("codes"))} ${passwordFields(context, { id: "codes", fault: faultIn("codes") })}
      <p class="submit"><button class="button">Make new ones</button></p>
    </form>
    <form class="card form-page" method="post" action="${home}/off">
      <h2>Turn it off</h2>
      <p>Your password alone lets in then. To use another app, turn the second factor off and on again.</p>
      ${token(context)} ${alert(faultIn("off"))} ${passwordFields(context, { id: "off", fault: faultIn("off") })}
      <p class="submit"><button class="button danger">Turn it off</button></p>
    </form>`;
}

/** Shown once: the hub keeps nothing that they could be read from. */
function codesPage(context: MemberContext, title: string, codes: readonly string[]): Promise<Response> {
  const main = html`<section class="card form-page">
    <h1>${title}</h1>
    <p class="lead">
      Keep these recovery codes where you find them without your phone: on paper, or in a safe for passwords.
    </p>
    <p>Each lets you in once, in the place of a code of the app. They are shown now and never again.</p>
    <ul class="recovery-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p class="submit"><a class="button primary" href="${home}">I have kept them</a></p>
  </section>`;
  return show(context, { title, main });
}
