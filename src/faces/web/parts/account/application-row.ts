import { html } from "hono/html";
import type { GrantedAccess } from "../../../../domain/identity/applications/granted-access.ts";
import { storedMoment } from "../../../../http/dates.ts";
import type { Html, MemberContext } from "../../page.ts";
import { appIcon } from "./app-icon.ts";
import { buttonForm } from "../forms.ts";
import { time } from "../times.ts";
import { rightsOf } from "./rights.ts";

/** An application that acts as a channel of the account, with the button that ends this; the page at `home` takes it. */
export function applicationRow(context: MemberContext, home: string, one: GrantedAccess): Html {
  return html`<li class="person">
    ${appIcon(context, one.icon)}
    <div class="person-words">
      <span class="name">${one.name}</span>
      <span class="address">
        as ${one.channel}, allowed ${time(context, one.created)}, ${usedWords(context, one.used)}
      </span>
      ${one.scopes ? html`<span class="address">may ${listOf(rightsOf(one.scopes))}</span>` : ""}
    </div>
    <div class="person-actions">
      ${buttonForm(context, home, html`Remove authorization<span class="unseen"> of ${one.name}</span>`, { fields: { remove: one.id } })}
    </div>
  </li>`;
}

/** Use is written down once a day, so that nothing more exact can be said. */
function usedWords(context: MemberContext, used: string): Html | string {
  const day = 24 * 3600 * 1000;
  const lately = context.hub.clock().getTime() - storedMoment(used).getTime() < day;
  return lately ? "used lately" : html`last used ${time(context, used)}`;
}

function listOf(parts: readonly string[]): string {
  return parts.join("; ");
}
