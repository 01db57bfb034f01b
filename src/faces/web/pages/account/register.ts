import { html } from "hono/html";
import { hasAccounts } from "../../../../domain/identity/accounts/setup.ts";
import { confirmAddress, isConfirmation, signUpByMail } from "../../../../domain/recovery/addresses.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { confirmation, confirmationPath } from "../../mails/addresses.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { notice, useless } from "../../parts/account/consent.ts";
import { enterNew, newcomerFields, newcomerIn } from "../../parts/account/newcomer.ts";
import { alert, token } from "../../parts/forms.ts";

/** Signing up, by the rule of the site. */
export const registerPages: Page[] = [
  { path: "/register", access: "anybody", get: (context) => form(context), post: take },
  {
    path: `${confirmationPath}/:token`,
    access: "anybody",
    whileMoved: true,
    get: (context) => askToConfirm(context),
    post: takeConfirmation,
  },
];

async function take(context: PageContext, typed: Fields): Promise<Response> {
  if (!(await hasAccounts(context.hub))) return form(context, typed);
  return tryForm(
    async () => {
      const words = confirmation(context.hub);
      return enterNew(context, await signUpByMail(context.hub, newcomerIn(context, typed), words));
    },
    (fault) => form(context, typed, fault),
  );
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  if (context.member) return redirect(context, "/new_channel");
  // The first account is the administrator's: it comes from the set-up link alone.
  if (!(await hasAccounts(context.hub)))
    return closed(
      context,
      html`<p>This hub is not set up yet. Its operator finds the set-up link in the terminal.</p>`,
    );
  if (context.site.registration === "closed")
    return closed(context, html`<p>This hub does not take new accounts at the moment.</p>`);
  const main = html`<section class="card form-page">
    <h1>Join ${context.site.name}</h1>
    <p class="lead">
      One account, as many channels as you like.
      ${context.site.registration === "approval" ? "The administrator looks at each request first." : ""}
    </p>
    <form method="post">
      ${token(context)} ${alert(fault)} ${newcomerFields(context, typed, fault)}
      <p class="submit"><button class="button primary">Join</button> <a href="/login">I have an account</a></p>
    </form>
  </section>`;
  return show(context, { title: "Join", main, status: fault?.status ?? 200 });
}

async function askToConfirm(context: PageContext, wrong?: Fault): Promise<Response> {
  if (!wrong && !(await isConfirmation(context.hub, context.params["token"] ?? ""))) return useless(context);
  const words = html`<form method="post">
    ${token(context)} ${alert(wrong)}
    <p class="submit"><button class="button primary">This address is mine</button></p>
  </form>`;
  return notice(context, "Confirm your address", words, wrong?.status ?? 200);
}

function takeConfirmation(context: PageContext): Promise<Response> {
  return tryForm(
    async () => {
      await confirmAddress(context.hub, context.params["token"] ?? "");
      return redirect(context, "/login", "confirmed");
    },
    (fault) => askToConfirm(context, fault),
  );
}

async function closed(context: PageContext, words: Html): Promise<Response> {
  return show(context, {
    title: "Join",
    status: 403,
    main: html`<section class="card notice-page">
      <h1>Not now</h1>
      ${words}
    </section>`,
  });
}
