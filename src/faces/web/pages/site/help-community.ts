import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Page, PageContext } from "../../page.ts";
import { meaning } from "../../parts/meaning.ts";

/** How a hub is run for others; the long version is docs/operating.md. */
export const helpCommunityPages: Page[] = [{ path: "/help/community", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  const { say } = context;
  const main = html`<p class="crumbs"><a href="/help">${say("help.what-things-mean")}</a></p>
    <h1>${say("help.community-running-a-hub")}</h1>
    <p class="lead">${say("help.community-lead")}</p>
    <section class="card">
      <h2>${say("help.community-letting-people-in")}</h2>
      <dl class="meanings">
        ${meaning(say("help.community-approval"), say("help.community-approval-means"))}
        ${meaning(say("help.community-confirmed"), say("help.community-confirmed-means"))}
        ${meaning(say("help.community-invitations"), say("help.community-invitations-means"))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.community-when-somebody-does-harm")}</h2>
      <dl class="meanings">
        ${meaning(say("help.community-report"), say("help.community-report-means"))}
        ${meaning(say("help.community-warn"), say("help.community-warn-means"))}
        ${meaning(say("help.community-limit"), say("help.community-limit-means"))}
        ${meaning(say("help.community-suspend"), say("help.community-suspend-means"))}
        ${meaning(say("help.community-delete"), say("help.community-delete-means"))}
        ${meaning(say("help.community-what-was-done"), say("help.community-what-was-done-means"))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.community-how-the-hub-looks-and-how-it-is")}</h2>
      <dl class="meanings">
        ${meaning(say("help.community-look"), say("help.community-look-means"))}
        ${meaning(say("help.community-texts"), say("help.community-texts-means"))}
        ${meaning(say("help.community-figures"), say("help.community-figures-means"))}
        ${meaning(say("help.community-jobs"), say("help.community-jobs-means"))}
      </dl>
    </section>`;
  const preview = () => ({ kind: "website", description: say("help.preview") }) as const;
  return show(context, { title: say("help.community-running-a-hub"), main, preview });
}
