import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Page, PageContext } from "../../page.ts";
import { meaning } from "../../parts/meaning.ts";
import { helpPicture } from "../../parts/site/help-picture.ts";

/** What the words and buttons of these pages mean. */
export const helpPages: Page[] = [{ path: "/help", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  const { say } = context;
  const main = html`<h1>${say("help.what-things-mean")}</h1>
    <section class="card">
      <h2>${say("help.who-sees-what")}</h2>
      <dl class="meanings">
        ${meaning(say("help.public"), say("help.public-means"))}
        ${meaning(say("help.connections"), say("help.connections-means"))}
        ${meaning(say("help.groups-or-people"), say("help.groups-or-people-means"))}
        ${meaning(say("help.guest"), say("help.guest-means"))}
        ${meaning(say("help.profile"), say("help.profile-means"))}
        ${meaning(say("help.comments"), say("help.comments-means"))}
      </dl>
      ${helpPicture(context, "audience")}
    </section>
    <section class="card">
      <h2>${say("help.what-the-buttons-do")}</h2>
      <dl class="meanings">
        ${meaning(say("help.like-dislike"), say("help.like-dislike-means"))}
        ${meaning(say("help.star"), say("help.star-means"))} ${meaning(say("help.share"), say("help.share-means"))}
        ${meaning(say("help.quote"), say("help.quote-means"))} ${meaning(say("help.delete"), say("help.delete-means"))}
        ${meaning(say("help.keys"), say("help.keys-means"))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.accounts-and-channels")}</h2>
      <dl class="meanings">
        ${meaning(say("help.account"), say("help.account-means"))}
        ${meaning(say("help.channel"), say("help.channel-means"))}
        ${meaning(say("help.connection"), say("help.connection-means"))}
        ${meaning(say("help.permission-set"), say("help.permission-set-means"))}
        ${meaning(say("help.ignore-block"), say("help.ignore-block-means"))}
        ${meaning(say("help.archives"), say("help.archives-means"))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.pages-and-wikis")}</h2>
      <dl class="meanings">
        ${meaning(say("help.page"), say("help.page-means"))}
        ${meaning(say("help.block-menu"), say("help.block-menu-means"))}
        ${meaning(say("help.layout"), say("help.layout-means"))} ${meaning(say("help.wiki"), say("help.wiki-means"))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.writing")}</h2>
      <p>${say("help.writing-first")}</p>
      ${helpPicture(context, "first-post")}
      <p>${say.html("help.writing-ways")}</p>
    </section>
    <section class="card" id="elsewhere">
      <h2>${say("help.elsewhere")}</h2>
      <p>${say.html("help.elsewhere-find-you", { requests: linkTo("/connections/ifpending") })}</p>
      ${helpPicture(context, "address")}
      <p>${say.html("help.elsewhere-find-them", { connections: linkTo("/connections") })}</p>
    </section>
    <section class="card" id="moving">
      <h2>${say("help.moving-here")}</h2>
      <p>
        ${say.html("help.moving-here-means", { moving: linkTo("/settings/move"), lists: linkTo("/settings/import-lists") })}
      </p>
      ${helpPicture(context, "coming")}
    </section>
    <section class="card">
      <h2>${say("help.apps-and-feed-readers")}</h2>
      <p>${say.html("help.to-programs", { programs: linkTo("/help/programs") })}</p>
    </section>
    <section class="card">
      <h2>${say("help.those-who-run-the-hub")}</h2>
      <p>${say.html("help.to-community", { community: linkTo("/help/community") })}</p>
    </section>`;
  const preview = () => ({ kind: "website", description: say("help.preview") }) as const;
  return show(context, { title: say("help.what-things-mean"), main, preview });
}
