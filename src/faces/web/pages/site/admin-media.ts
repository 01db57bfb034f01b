import { html } from "hono/html";
import { emptyMediaSoon } from "../../../../domain/proxy/trim.ts";
import { mediaUsage } from "../../../../domain/proxy/usage.ts";
import { redirect, show } from "../../answers.ts";
import type { MemberContext, Page } from "../../page.ts";
import { size } from "../../parts/files/sizes.ts";
import { buttonForm } from "../../parts/forms.ts";
import { adminHead, figure } from "../../parts/site/admin-head.ts";

const path = "/admin/media";

/** What copies of other sites take here, by what they are of; for administrators. */
export const adminMediaPages: Page[] = [{ path, access: "administrator", get: page, post: empty }];

async function page(context: MemberContext): Promise<Response> {
  const { copies, emoji, people } = await mediaUsage(context.hub);
  const main = html`${adminHead("Copies from elsewhere")}
    <section class="card">
      <dl class="figures">
        ${figure("Media in posts", size(copies))} ${figure("Emoji", size(emoji))}
        ${figure("Pictures of people", size(people))}
      </dl>
      <p class="hint">
        Media that are removed here are fetched again when somebody looks at them.
        <a href="/admin/site">How much room they may take</a> is set for the hub.
      </p>
      ${copies > 0 ? buttonForm(context, path, "Remove the copies of media") : ""}
    </section>`;
  return show(context, { title: "Copies from elsewhere", main });
}

async function empty(context: MemberContext): Promise<Response> {
  await emptyMediaSoon(context.hub);
  return redirect(context, path, "emptying");
}
