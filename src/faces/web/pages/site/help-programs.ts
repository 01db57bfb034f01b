import { html } from "hono/html";
import { show } from "../../answers.ts";
import type { Page, PageContext } from "../../page.ts";
import { meaning } from "../../parts/meaning.ts";

/** How programs of other makers are set up for this hub; the long version is docs/clients.md. */
export const helpProgramPages: Page[] = [{ path: "/help/programs", access: "anybody", get: page }];

async function page(context: PageContext): Promise<Response> {
  const { baseUrl, host } = context.hub.config;
  const nick = context.member?.channel.channel_address ?? "your-nick";
  const main = html`<p class="crumbs"><a href="/help">What things mean</a></p>
    <h1>Programs</h1>
    <p class="lead">
      Apps and programs that were made for GNU social, StatusNet, Friendica or Twitter can read and write here, if they
      let you enter a server.
    </p>
    <section class="card">
      <h2>What to enter</h2>
      <dl class="meanings">
        ${meaning("Server", host)} ${meaning("API address", `${baseUrl}/api`)}
        ${meaning("Kind of server", "GNU social or StatusNet if it is on the list, else Friendica, else Twitter.")}
        ${meaning("User", `${nick}, or ${nick}@${host}, or the e-mail address of your account.`)}
        ${meaning("Password", "That of your account. Give it only to programs that you trust with everything.")}
        <div>
          <dt>Key and secret</dt>
          <dd>
            If the program asks for them instead of a password, <a href="/settings/oauth/add">make a pair for it</a>. It
            then sends you here to agree, and shows up among <a href="/settings/oauth/">your applications</a>, where you
            can stop it at any time.
          </dd>
        </div>
        ${meaning("OAuth addresses", `${baseUrl}/oauth/request_token, ${baseUrl}/oauth/authorize and ${baseUrl}/oauth/access_token`)}
      </dl>
    </section>
    <section class="card">
      <h2>Some programs</h2>
      <dl class="meanings">
        ${meaning("AndStatus", "Add a social network of the kind GNU social with the address of this hub.")}
        ${meaning("Twidere", `Account type StatusNet, authentication Basic, no version suffix, API address ${baseUrl}/api.`)}
        ${meaning("Choqok", "Account of the kind GNU social, API path api. It cannot enter nicks with - or _, and shows 20 friends at most.")}
        ${meaning("Friendica apps", "The server, your nick and the password.")}
        ${meaning("bti", `host=${baseUrl}/api/statuses, with key, secret and token.`)}
        ${meaning("Own scripts", `The libraries tweepy, python-twitter, Net::Twitter and Ruby's twitter work with ${baseUrl}/api/1.1.`)}
      </dl>
      <p>What own programs can ask, with examples: <a href="/api/docs">the programming interfaces</a>.</p>
    </section>
    <section class="card">
      <h2>What may surprise you</h2>
      <dl class="meanings">
        ${meaning("The heart", "It is a private star: a bookmark that nobody else sees. A like that others see is made with the Like button here.")}
        ${meaning("Retweet", "Makes a post of yours that shows the other one. Only public posts can be shared.")}
        ${meaning("Lists", "They are your groups.")}
        ${meaning("Audience", "A program that does not ask posts to the usual audience of your channel.")}
        ${meaning("Seen", "What a program has loaded into its home timeline counts as seen here too.")}
        ${meaning("Gaps for pictures", "Pictures of private posts are shown only in a browser that is logged in.")}
      </dl>
    </section>
    <section class="card">
      <h2>Feed readers</h2>
      <p>
        The public posts of a channel are a feed, at <code>${baseUrl}/feed/${nick}</code> (Atom) and
        <code>${baseUrl}/feed/${nick}.rss</code>. Most readers find it when you give them the address of the channel.
      </p>
    </section>`;
  return show(context, { title: "Programs", main });
}
