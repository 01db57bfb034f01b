import type { GrantedAccess } from "../../../../domain/identity/applications/granted-access.ts";
import { storedMoment } from "../../../../http/dates.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { appIcon } from "./app-icon.ts";
import { buttonForm } from "../forms.ts";
import { time } from "../times.ts";
import { rightsOf } from "./rights.ts";

/** An application that acts as a channel of the account, with the button that ends this; the page at `home` takes it. */
export function applicationRow(context: MemberContext, home: string, one: GrantedAccess): Html {
  const { say } = context;
  return html`<li class="person">
    ${appIcon(context, one.icon)}
    <div class="person-words">
      <span class="name">${one.name}</span>
      <span class="address"> ${useOf(context, one)} </span>
      ${one.scopes ? html`<span class="address">${say("account.app-may", { rights: rightsOf(say, one.scopes).join("; ") })}</span>` : ""}
    </div>
    <div class="person-actions">
      ${buttonForm(context, home, html`${say("account.remove-app")}<span class="unseen"> ${say("account.remove-app-of", { app: one.name })}</span>`, { fields: { remove: one.id } })}
    </div>
  </li>`;
}

/** Use is written down once a day, so that nothing more exact can be said. */
function useOf(context: MemberContext, { channel, created, used }: GrantedAccess): Html {
  const { say } = context;
  const day = 24 * 3600 * 1000;
  const when = time(context, created);
  const lately = context.hub.clock().getTime() - storedMoment(used).getTime() < day;
  return lately
    ? say.html("account.app-as", { channel, when })
    : say.html("account.app-as-used", { channel, when, used: time(context, used) });
}
