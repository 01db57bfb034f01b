import { isSetupToken, setUp } from "../../../../domain/identity/accounts/setup.ts";
import { changeSite } from "../../../../domain/identity/site/site-settings.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Page, PageContext } from "../../page.ts";
import { alert, radios, textField, token } from "../../parts/forms.ts";
import { withOtherFaults } from "../../parts/account/newcomer.ts";
import { readSiteName, registrationChoices, registrationOf } from "../../parts/account/registration.ts";
import { startSession } from "../../session.ts";

/** First-run set-up: one time, by the link that the hub prints while it has no account. */
export const setupPages: Page[] = [
  { path: "/setup/:token", access: "anybody", get: (context) => form(context), post: take },
];

async function take(context: PageContext, typed: Fields): Promise<Response> {
  await checkLink(context);
  return tryForm(
    context,
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
    // Nobody asks why they come: in that they are like those who are invited.
    async (fault) => form(context, typed, await withOtherFaults(context, typed, fault, { invited: true })),
  );
}

async function checkLink({ hub, params }: PageContext): Promise<void> {
  if (!(await isSetupToken(hub, params["token"] ?? ""))) throw missing("Page");
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  await checkLink(context);
  const main = html`<section class="card form-page">
    <h1>${say("site.set-up")}</h1>
    <p class="lead">${say("site.set-up-lead")}</p>
    <form method="post">
      ${token(context)} ${alert(fault)}
      <h2>${say("site.your-account")}</h2>
      ${textField(context, { label: say("account.email"), name: "email", type: "email", value: typed.text("email"), required: true, autocomplete: "email", fault })}
      ${textField(context, { label: say("account.password"), name: "password", type: "password", required: true, autocomplete: "new-password", hint: context.say("account.password-hint"), fault })}
      <h2>${say("site.your-channel")}</h2>
      ${textField(context, { label: say("account.name"), name: "name", value: typed.text("name"), required: true, autocomplete: "name", hint: say("site.as-others-see"), fault })}
      ${textField(context, { label: say("account.nick"), name: "nick", value: typed.text("nick"), required: true, hint: say.html("site.your-address", { host: context.hub.config.host }), fault })}
      <h2>${say("site.the-hub")}</h2>
      ${textField(context, { label: say("site.hub-name"), name: "site_name", value: typed.text("site_name") || "Hubbub", required: true, fault })}
      ${radios({ legend: say("site.who-may-sign-up"), name: "registration", value: typed.text("registration") || "approval", choices: registrationChoices(context.say) })}
      <p class="submit"><button class="button primary">${say("site.open-hub")}</button></p>
    </form>
  </section>`;
  return show(context, { title: say("site.set-up"), main, status: fault?.status ?? 200 });
}
