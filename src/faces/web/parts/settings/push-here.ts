import { digestOf } from "../../../../domain/identity/secrets.ts";
import { findSubscription } from "../../../../domain/push/subscriptions.ts";
import { vapidKeys } from "../../../../domain/push/vapid.ts";
import type { Fault } from "../../faults.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { alert, buttonForm, token } from "../forms.ts";

/** Where a browser says that it wants to be told, and that it does not any more. */
export const pushHerePath = "/settings/notices/browser";

/** Whether the browser that asks is told of notices, and the button that changes that; only scripts can ask a browser for it. */
export async function pushHere(context: MemberContext, wrong?: Fault): Promise<Html> {
  const { hub, member, say } = context;
  const known = await findSubscription(hub, { session: digestOf(member.token) });
  const { publicKey } = await vapidKeys(hub);
  return html`<section class="card form-page" id="browser">
    <h2>${say("notices.push-here")}</h2>
    ${alert(wrong)}
    <p>${say(known ? "notices.push-on" : "notices.push-off")}</p>
    ${known ? buttonForm(context, `${pushHerePath}/end`, say("notices.push-stop")) : ""}
    <hub-push
      data-vapid="${publicKey}"
      data-endpoint="${known?.endpoint ?? ""}"
      data-denied="${say("notices.push-denied")}"
      data-failed="${say("notices.push-failed")}"
      ${known ? "hidden" : ""}
    >
      <form method="post" action="${pushHerePath}">
        ${token(context)}
        <input type="hidden" name="endpoint" />
        <input type="hidden" name="p256dh" />
        <input type="hidden" name="auth" />
        <button class="button" disabled>${say("notices.push-start")}</button>
      </form>
    </hub-push>
    <p class="hint">${say("notices.push-needs")}</p>
  </section>`;
}
