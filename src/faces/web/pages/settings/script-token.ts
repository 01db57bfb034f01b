import { makeOwnApp } from "../../../../domain/identity/applications/own-apps.ts";
import { show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { rightsOf } from "../../parts/account/rights.ts";
import { alert, box, textField, token } from "../../parts/forms.ts";

const applications = "/settings/oauth/";
const offered = ["read", "write", "follow", "push"] as const;

/** A token of OAuth 2 for a script of one's own, without a browser in between (Mastodon contract 9.5). */
export const settingsScriptTokenPages: Page[] = [
  { path: "/settings/oauth/token", access: "member", onlyForm: true, get: (context) => form(context), post: make },
];

function form(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const title = say("settings.script-token");
  const ticked = typed?.all("scopes") ?? ["read"];
  const main = html`${crumbs(context)}
    <h1>${title}</h1>
    <p class="lead">${say("settings.script-token-lead")}</p>
    <form class="card form-page" method="post" action="/settings/oauth/token">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("settings.fullname"), name: "client_name", value: typed?.text("client_name") ?? "", required: true, hint: say("settings.application-name-hint"), fault })}
      <fieldset class="radios">
        <legend>${say("settings.script-token-rights")}</legend>
        ${offered.map((scope) => box({ label: rightsOf(say, [scope])[0]!, name: "scopes", value: scope, checked: ticked.includes(scope) }))}
      </fieldset>
      <p class="submit"><button class="button primary">${say("settings.script-token-make")}</button></p>
    </form>`;
  return show(context, { title, main, status: fault?.status ?? 200 });
}

function make(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  return tryForm(
    context,
    async () => {
      const scopes = typed.all("scopes").filter((scope) => offered.some((one) => one === scope));
      if (scopes.length === 0) throw fault("scopes", say("settings.script-token-rights-none"));
      const order = { name: typed.text("client_name"), scopes: scopes.join(" "), withToken: true } as const;
      return made(context, (await makeOwnApp(hub, member.channel.channel_id, order)).token);
    },
    (fault) => form(context, typed, fault),
  );
}

/** Shown once: the hub keeps nothing that it could be read from. */
function made(context: MemberContext, secret: string): Promise<Response> {
  const { hub, say } = context;
  const title = say("settings.script-token-made");
  const main = html`${crumbs(context)}
    <section class="card form-page">
      <h1>${title}</h1>
      <p>${say("settings.script-token-once")}</p>
      <p><code>${secret}</code></p>
      <p>${say("settings.script-token-use")}</p>
      <pre
        tabindex="0"
      ><code>curl -H "Authorization: Bearer ${secret}" ${hub.config.baseUrl}/api/v1/timelines/home</code></pre>
      <p class="submit"><a class="button primary" href="${applications}">${say("settings.script-token-kept")}</a></p>
    </section>`;
  return show(context, { title, main });
}

function crumbs({ say }: MemberContext): Html {
  return html`<p class="crumbs">
    <a href="/settings">${say("settings.title")}</a> <a href="${applications}">${say("settings.applications")}</a>
  </p>`;
}
