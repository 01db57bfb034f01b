import { listTold } from "../../../../domain/moderation/log.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { time } from "../../parts/times.ts";

/** What those who run the hub have told the member about the account. */
export const settingsWarningsPages: Page[] = [{ path: "/settings/warnings", access: "member", get: page }];

async function page(context: MemberContext): Promise<Response> {
  const { say } = context;
  const told = await listTold(context.hub, context.member.account.account_id);
  const main = html`<p class="crumbs"><a href="/settings">${say("layout.settings")}</a></p>
    <h1>${say("admin.told")}</h1>
    ${
      told.length > 0
        ? told.map(
            ({ id, measure, note, created }) =>
              html`<article class="card" aria-label="${say("admin.told-number", { id })}">
                <p>${say(`admin.told-${measure}`)} <span class="meta">${time(context, created)}</span></p>
                ${note === "" ? "" : html`<blockquote>${note}</blockquote>`}
              </article>`,
          )
        : html`<p class="empty">${say("admin.told-nothing")}</p>`
    }`;
  return show(context, { title: say("admin.told"), main });
}
