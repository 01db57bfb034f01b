import { html } from "hono/html";
import type { Measure } from "../../../../domain/moderation/log.ts";
import { listTold } from "../../../../domain/moderation/log.ts";
import { show } from "../../answers.ts";
import type { MemberContext, Page } from "../../page.ts";
import { time } from "../../parts/times.ts";

/** What those who run the hub have told the member about the account. */
export const settingsWarningsPages: Page[] = [{ path: "/settings/warnings", access: "member", get: page }];

const sentences: Partial<Record<Measure, string>> = {
  approve: "Your account was approved.",
  warn: "You were warned.",
  limit:
    "Your account is limited: it is not shown in the directory, in suggestions and in public lists, and whom you want to connect with is asked first.",
  unlimit: "Your account is shown like all others again.",
  block: "Your account was suspended.",
  unblock: "The suspension of your account has ended.",
  password: "You were sent a way to a new password.",
  "log-out": "You were logged out everywhere.",
  promote: "You may administer the hub.",
  demote: "You no longer administer the hub.",
};

async function page(context: MemberContext): Promise<Response> {
  const told = await listTold(context.hub, context.member.account.account_id);
  const main = html`<p class="crumbs"><a href="/settings">Settings</a></p>
    <h1>From those who run the hub</h1>
    ${
      told.length > 0
        ? told.map(
            ({ id, measure, note, created }) =>
              html`<article class="card" aria-label="Word ${id}">
                <p>${sentences[measure]} <span class="meta">${time(context, created)}</span></p>
                ${note === "" ? "" : html`<blockquote>${note}</blockquote>`}
              </article>`,
          )
        : html`<p class="empty">
            They have not written to you. What they do about your account stands here, with their words.
          </p>`
    }`;
  return show(context, { title: "From those who run the hub", main });
}
