import { hasAccounts } from "../../../../domain/identity/accounts/setup.ts";
import { frontWords } from "../../../../domain/identity/site/site-settings.ts";
import { publicThreads } from "../../../../domain/items/timelines/public-threads.ts";
import { redirect, show } from "../../answers.ts";
import { html, raw } from "../../html.ts";
import { logoOf } from "../../look/logo.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { loadThreads } from "../../parts/items/feed.ts";
import { beforeOf, threadList } from "../../parts/pager.ts";
import { threadCard } from "../../parts/items/status.ts";

const perPage = 20;

/** The front page: members go on to their stream, visitors see what this hub is and what is public here. */
export const frontPages: Page[] = [
  {
    path: "/",
    access: "anybody",
    mayBeStale: true,
    async get(context) {
      if (context.member) return redirect(context, "/network");
      const stream = context.site.blockPublic
        ? { items: [], next: undefined }
        : await publicThreads(context.hub, context.observer, { ...beforeOf(context), count: perPage });
      const { feed, comments } = await loadThreads(context, stream.items);
      const threads = stream.items.map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []));
      const main = html`${await welcome(context)}
        <section aria-labelledby="public-title">
          <h2 class="section-title" id="public-title">${context.say("site.public-here")}</h2>
          ${stream.items.length === 0 ? html`<p class="empty">${context.site.blockPublic ? context.say("site.members-only") : context.say("site.nothing-public")}</p>` : ""}
          ${threadList(context, threads, stream.next)}
        </section>`;
      return show(context, {
        title: context.site.name,
        main,
        preview: () => ({ kind: "website", description: context.say("site.front-preview") }),
      });
    },
  },
];

async function welcome(context: PageContext): Promise<Html> {
  const { site, hub, say } = context;
  const [started, { frontHtml }] = await Promise.all([hasAccounts(hub), frontWords(hub)]);
  return html`<section class="hero">
    <img src="${logoOf(context)}" alt="" width="92" height="92" />
    <div>
      <h1>${site.name}</h1>
      ${frontHtml === "" ? html`<p>${say("site.welcome")}</p>` : html`<div class="prose">${raw(frontHtml)}</div>`}
      ${
        started
          ? html`<p class="hero-actions">
              ${site.registration === "closed" ? "" : html`<a class="button primary" href="/register">${say("layout.join")}</a>`}
              <a class="button" href="/login">${say("layout.log-in")}</a>
            </p>`
          : html`<p class="alert">${say("site.not-set-up")}</p>`
      }
    </div>
  </section>`;
}
