import { emptyMediaSoon } from "../../../../domain/proxy/trim.ts";
import { mediaUsage } from "../../../../domain/proxy/usage.ts";
import { redirect, show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { MemberContext, Page } from "../../page.ts";
import { size } from "../../parts/files/sizes.ts";
import { buttonForm } from "../../parts/forms.ts";
import { adminHead, figure } from "../../parts/site/admin-head.ts";

const path = "/admin/media";

/** What copies of other sites take here, by what they are of; for administrators. */
export const adminMediaPages: Page[] = [{ path, access: "administrator", get: page, post: empty }];

async function page(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { copies, emoji, people } = await mediaUsage(context.hub);
  const main = html`${adminHead(context, say("admin.copies-from-elsewhere"))}
    <section class="card">
      <dl class="figures">
        ${figure(say("admin.media-in-posts"), size(context, copies))}
        ${figure(say("admin.emoji"), size(context, emoji))}
        ${figure(say("admin.pictures-of-people"), size(context, people))}
      </dl>
      <p class="hint">${say.html("admin.media-hint", { site: linkTo("/admin/site") })}</p>
      ${copies > 0 ? buttonForm(context, path, say("admin.remove-the-copies-of-media")) : ""}
    </section>`;
  return show(context, { title: say("admin.copies-from-elsewhere"), main });
}

async function empty(context: MemberContext): Promise<Response> {
  await emptyMediaSoon(context.hub);
  return redirect(context, path, "emptying");
}
