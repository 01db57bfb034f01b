import { html } from "hono/html";
import { isSetupToken, setUp } from "../../../../domain/identity/accounts/setup.ts";
import { changeSite } from "../../../../domain/identity/site/site-settings.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Page, PageContext } from "../../page.ts";
import { alert, radios, textField, token } from "../../parts/forms.ts";
import { readSiteName, registrationChoices, registrationOf } from "../../parts/account/registration.ts";
import { startSession } from "../../session.ts";

/** First-run set-up: one time, by the link that the hub prints while it has no account. */
export const setupPages: Page[] = [
  { path: "/setup/:token", access: "anybody", get: (context) => form(context), post: take },
];

async function take(context: PageContext, typed: Fields): Promise<Response> {
  await checkLink(context);
  return tryForm(
    async () => {
      const { hub } = context;
      const name = readSiteName(context.say, typed.word("site_name"));
      const registration = registrationOf(context.say, typed.text("registration"));
      const caller = await setUp(hub, context.params["token"] ?? "", {
        email: typed.text("email"),
        password: typed.text("password"),
        nick: typed.text("nick"),
        name: typed.text("name"),
      });
      await changeSite(hub, { name, registration });
      await startSession(context, caller);
      return redirect(context, "/welcome");
    },
    (fault) => form(context, typed, fault),
  );
}

async function checkLink({ hub, params }: PageContext): Promise<void> {
  if (!(await isSetupToken(hub, params["token"] ?? ""))) throw missing("Page");
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  await checkLink(context);
  const main = html`<section class="card form-page">
    <h1>Set up your hub</h1>
    <p class="lead">This page works once. The account that you make here administers the hub.</p>
    <form method="post">
      ${token(context)} ${alert(fault)}
      <h2>Your account</h2>
      ${textField(context, { label: "E-mail", name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", fault })}
      ${textField(context, { label: "Password", name: "password", type: "password", required: true, autocomplete: "new-password", hint: context.say("account.password-hint"), fault })}
      <h2>Your channel</h2>
      ${textField(context, { label: "Name", name: "name", value: typed.text("name"), required: true, autocomplete: "name", hint: "As others see it.", fault })}
      ${textField(context, { label: "Nick", name: "nick", value: typed.text("nick"), required: true, hint: html`Your address will be <code>nick@${context.hub.config.host}</code>.`, fault })}
      <h2>The hub</h2>
      ${textField(context, { label: "Name of the hub", name: "site_name", value: typed.text("site_name") || "Hubbub", required: true, fault })}
      ${radios({ legend: "Who may sign up?", name: "registration", value: typed.text("registration") || "approval", choices: registrationChoices(context.say) })}
      <p class="submit"><button class="button primary">Open the hub</button></p>
    </form>
  </section>`;
  return show(context, { title: "Set up your hub", main, status: fault?.status ?? 200 });
}
