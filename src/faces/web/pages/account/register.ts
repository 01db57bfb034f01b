import { hasAccounts } from "../../../../domain/identity/accounts/setup.ts";
import { confirmAddress, isConfirmation, signUpByMail } from "../../../../domain/recovery/addresses.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { confirmationPath } from "../../mails/addresses.ts";
import type { Page, PageContext } from "../../page.ts";
import { notice, useless } from "../../parts/account/consent.ts";
import { enterNew, newcomerFields, newcomerIn, reasonField, withOtherFaults } from "../../parts/account/newcomer.ts";
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
  return tryForm(
    context,
    async () => enterNew(context, await signUpByMail(context.hub, newcomerIn(context, typed), context.language.tag)),
    async (fault) => form(context, typed, await withOtherFaults(context, typed, fault)),
  );
}

async function form(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  if (context.member) return redirect(context, "/new_channel");
  if (!(await hasAccounts(context.hub))) return closed(context, say("account.not-set-up"));
  if (context.site.registration === "closed") return closed(context, say("account.closed"));
  const main = html`<section class="card form-page">
    <h1>${say("account.join-site", { site: context.site.name })}</h1>
    <p class="lead">
      ${say("account.join-lead")} ${context.site.registration === "approval" ? say("account.join-approval") : ""}
    </p>
    <form method="post">
      ${token(context)} ${alert(fault)} ${newcomerFields(context, typed, fault)}
      ${context.site.registration === "approval" ? reasonField(context, typed, fault) : ""}
      <p class="submit">
        <button class="button primary">${say("account.join")}</button>
        <a href="/login">${say("account.have-account")}</a>
      </p>
    </form>
  </section>`;
  const preview = () => ({ kind: "website", description: say("site.front-preview") }) as const;
  return show(context, { title: say("account.join"), main, status: fault?.status ?? 200, preview });
}

async function askToConfirm(context: PageContext, wrong?: Fault): Promise<Response> {
  const { say } = context;
  if (!wrong && !(await isConfirmation(context.hub, context.params["token"] ?? ""))) return useless(context);
  const words = html`<form method="post">
    ${token(context)} ${alert(wrong)}
    <p class="submit"><button class="button primary">${say("account.address-is-mine")}</button></p>
  </form>`;
  return notice(context, say("account.confirm-address"), words, wrong?.status ?? 200);
}

function takeConfirmation(context: PageContext): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await confirmAddress(context.hub, context.params["token"] ?? "");
      return redirect(context, "/login", "confirmed");
    },
    (fault) => askToConfirm(context, fault),
  );
}

async function closed(context: PageContext, sentence: string): Promise<Response> {
  const { say } = context;
  return show(context, {
    title: say("account.join"),
    status: 403,
    main: html`<section class="card notice-page">
      <h1>${say("account.not-now")}</h1>
      <p>${sentence}</p>
    </section>`,
  });
}
