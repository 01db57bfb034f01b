import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Page, PageContext } from "../../page.ts";
import { meaning } from "../../parts/meaning.ts";
import { helpPicture } from "../../parts/site/help-picture.ts";

/** How programs of other makers are set up for this hub; the long version is docs/clients.md. */
export const helpProgramPages: Page[] = [{ path: "/help/programs", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  const { say } = context;
  const { baseUrl, host } = context.hub.config;
  const nick = context.member?.channel.channel_address ?? say("help.programs-your-nick");
  const main = html`<p class="crumbs"><a href="/help">${say("help.what-things-mean")}</a></p>
    <h1>${say("help.programs-programs")}</h1>
    <p class="lead">${say("help.programs-lead")}</p>
    <section class="card" id="mastodon">
      <h2>${say("help.programs-for-mastodon")}</h2>
      <p>${say("help.programs-for-mastodon-lead")}</p>
      <dl class="meanings">
        ${meaning(say("help.programs-log-in"), say("help.programs-log-in-means", { host }))}
        <div>
          <dt>${say("help.programs-consent")}</dt>
          <dd>
            <p>${say("help.programs-consent-means")}</p>
            ${helpPicture(context, "consent")}
          </dd>
        </div>
        <div>
          <dt>${say("help.programs-to-a-group")}</dt>
          <dd>
            <p>${say("help.programs-to-a-group-line")}</p>
            <pre>${say("help.programs-to-a-group-example")}</pre>
            <p>${say.html("help.programs-to-a-group-means", { channel: linkTo("/settings/channel") })}</p>
          </dd>
        </div>
        ${meaning(say("help.programs-mastodon-audience"), say("help.programs-mastodon-audience-means"))}
        ${meaning(say("help.programs-mastodon-lists"), say("help.programs-mastodon-lists-means"))}
        <div>
          <dt>${say("help.programs-end")}</dt>
          <dd>${say.html("help.programs-end-means", { applications: linkTo("/settings/oauth/") })}</dd>
        </div>
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.programs-others")}</h2>
      <p>${say("help.programs-others-lead")}</p>
      <h3>${say("help.programs-what-to-enter")}</h3>
      <dl class="meanings">
        ${meaning(say("help.programs-server"), host)} ${meaning(say("help.programs-api-address"), `${baseUrl}/api`)}
        ${meaning(say("help.programs-kind-of-server"), say("help.programs-kind-of-server-means"))}
        ${meaning(say("help.programs-user"), say("help.programs-user-is", { nick, host }))}
        ${meaning(say("help.programs-password"), say("help.programs-password-means"))}
        <div>
          <dt>${say("help.programs-key-and-secret")}</dt>
          <dd>
            ${say.html("help.programs-key-is", { add: linkTo("/settings/oauth/add"), yours: linkTo("/settings/oauth/") })}
          </dd>
        </div>
        ${meaning(say("help.programs-oauth-addresses"), say("help.programs-oauth-is", { baseUrl }))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.programs-some-programs")}</h2>
      <dl class="meanings">
        ${meaning("AndStatus", say("help.programs-andstatus-means"))}
        ${meaning("Twidere", say("help.programs-twidere-is", { baseUrl }))}
        ${meaning("Choqok", say("help.programs-choqok-means"))}
        ${meaning(say("help.programs-friendica-apps"), say("help.programs-friendica-apps-means"))}
        ${meaning("bti", say("help.programs-bti-is", { baseUrl }))}
        ${meaning(say("help.programs-own-scripts"), say("help.programs-scripts-is", { baseUrl }))}
      </dl>
      <p>${say.html("help.programs-api", { docs: linkTo("/api/docs") })}</p>
    </section>
    <section class="card">
      <h2>${say("help.programs-what-may-surprise-you")}</h2>
      <dl class="meanings">
        ${meaning(say("help.programs-the-heart"), say("help.programs-the-heart-means"))}
        ${meaning(say("help.programs-retweet"), say("help.programs-retweet-means"))}
        ${meaning(say("help.programs-lists"), say("help.programs-lists-means"))}
        ${meaning(say("help.programs-audience"), say("help.programs-audience-means"))}
        ${meaning(say("help.programs-seen"), say("help.programs-seen-means"))}
        ${meaning(say("help.programs-gaps-for-pictures"), say("help.programs-gaps-for-pictures-means"))}
      </dl>
    </section>
    <section class="card">
      <h2>${say("help.programs-feed-readers")}</h2>
      <p>${say.html("help.programs-feeds", { feed: `${baseUrl}/feed/${nick}` })}</p>
    </section>`;
  const preview = () => ({ kind: "website", description: say("help.preview") }) as const;
  return show(context, { title: say("help.programs-programs"), main, preview });
}
