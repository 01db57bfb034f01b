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
import { html } from "../../html.ts";
import { codeAppAdded, recoveryCodesRenewed, secondFactorEnded } from "../../mails/second-factor.ts";
import { checkPassword, passwordFields } from "../../own-password.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { qrCode } from "../../parts/account/qr-code.ts";
import { alert, textField, token } from "../../parts/forms.ts";
import { linkTo } from "../../languages/say.ts";

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
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      const codes = await finishCodeApp(hub, member.account, typed.word("code"), codeAppAdded(say));
      return codesPage(context, say("security.has-factor-now"), codes);
    },
    (fault) => page(context, "app", fault),
  );
}

function renew(context: MemberContext, typed: Fields): Promise<Response> {
  return checked(context, "codes", typed, async ({ hub, member, say }) => {
    const codes = await renewRecoveryCodes(hub, member.account, recoveryCodesRenewed(say));
    return codesPage(context, say("security.your-new-codes"), codes);
  });
}

function end(context: MemberContext, typed: Fields): Promise<Response> {
  return checked(context, "off", typed, async ({ hub, member, say }) => {
    await endSecondFactor(hub, member.account, secondFactorEnded(say));
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
  const { hub, member, say } = context;
  const faultIn = (name: Form): Fault | undefined => (name === form ? fault : undefined);
  const offered = await offeredCodeApp(hub, member.account.account_id);
  const main = html`<p class="crumbs">
      <a href="/settings">${say("settings.title")}</a> <a href="/settings/account">${say("settings.account")}</a>
    </p>
    <h1>${say("security.second-factor")}</h1>
    ${
      needsSecondFactor(member.account)
        ? await whatIsOn(context, faultIn)
        : offered === undefined
          ? beginForm(context, faultIn("begin"))
          : await appForm(context, offered, faultIn("app"))
    }`;
  return show(context, { title: say("security.second-factor"), main, status: fault?.status ?? 200 });
}

function beginForm(context: MemberContext, fault: Fault | undefined): Html {
  const { say } = context;
  return html`<form class="card form-page" method="post" action="${home}/begin">
    <p class="lead">${say("security.factor-lead")}</p>
    <p>${say.html("security.factor-programs", { applications: linkTo("/settings/oauth/") })}</p>
    ${token(context)} ${alert(fault)} ${passwordFields(context, { fault })}
    <p class="submit"><button class="button primary">${say("security.add-code-app")}</button></p>
  </form>`;
}

async function appForm(context: MemberContext, secret: string, fault: Fault | undefined): Promise<Html> {
  const { say } = context;
  const address = totpAddress(secret, context.site.name, context.member.account.account_email);
  return html`<form class="card form-page" method="post" action="${home}/app">
    <h2>${say("security.add-code-app")}</h2>
    <p>${say("security.code-app-lead")}</p>
    ${await qrCode(address, say("security.code-app-picture"))}
    <p class="security-code"><code>${secret.replaceAll(/(?<=^(?:.{4})+)(?!$)/g, " ")}</code></p>
    ${token(context)} ${alert(fault)}
    ${textField(context, { label: say("security.code-shown"), name: "code", required: true, autocomplete: "one-time-code", fault })}
    <p class="submit"><button class="button primary">${say("security.turn-on")}</button></p>
  </form>`;
}

async function whatIsOn(context: MemberContext, faultIn: (form: Form) => Fault | undefined): Promise<Html> {
  const { say } = context;
  const { recoveryCodes } = await factorsOf(context.hub, context.member.account.account_id);
  return html`<section class="card">
      <p>${say("security.factor-is-on")}</p>
    </section>
    <form class="card form-page" method="post" action="${home}/codes">
      <h2>${say("security.recovery-codes")}</h2>
      <p>${say("security.codes-left", { count: recoveryCodes })}</p>
      ${token(context)} ${alert(faultIn("codes"))} ${passwordFields(context, { id: "codes", fault: faultIn("codes") })}
      <p class="submit"><button class="button">${say("security.make-new-codes")}</button></p>
    </form>
    <form class="card form-page" method="post" action="${home}/off">
      <h2>${say("security.turn-off")}</h2>
      <p>${say("security.turn-off-means")}</p>
      ${token(context)} ${alert(faultIn("off"))} ${passwordFields(context, { id: "off", fault: faultIn("off") })}
      <p class="submit"><button class="button danger">${say("security.turn-off")}</button></p>
    </form>`;
}

/** Shown once: the hub keeps nothing that they could be read from. */
function codesPage(context: MemberContext, title: string, codes: readonly string[]): Promise<Response> {
  const { say } = context;
  const main = html`<section class="card form-page">
    <h1>${title}</h1>
    <p class="lead">${say("security.codes-lead")}</p>
    <p>${say("security.codes-once")}</p>
    <ul class="recovery-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p class="submit"><a class="button primary" href="${home}">${say("security.codes-kept")}</a></p>
  </section>`;
  return show(context, { title, main });
}
