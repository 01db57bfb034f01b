import { isAdministrator } from "../../../domain/identity/accounts/accounts.ts";
import type { Guest } from "../../../domain/identity/channels/guests.ts";
import { html } from "../html.ts";
import type { Say } from "../languages/say.ts";
import type { Html, Member, PageContext } from "../page.ts";
import { chosenLook } from "../look/chosen-look.ts";
import { logoOf } from "../look/logo.ts";
import { menuOf } from "./extension-menu.ts";
import { cardsOfAnnouncements } from "./site/announcements.ts";
import { doneNote } from "./done.ts";
import { buttonForm } from "./forms.ts";
import { drawings, icon } from "./icons.ts";
import type { IconName } from "./icons.ts";
import type { News } from "./items/news.ts";
import { avatar } from "./channels/person.ts";
import { keySheet } from "./keys.ts";
import { previewTags } from "./preview.ts";
import type { Preview } from "./preview.ts";

type Entry = { href: string; label: string; icon: IconName; counts?: Count };
/** What is counted, and how much of it waits. */
type Count = readonly [what: Exclude<keyof News, "announcements">, count: number];

/**
 * What a page shows; `moved` says where the member's channel is that has moved away, `feed` is the path of the feed of it, `preview`
 * what others show of it.
 */
type Content = {
  news: News;
  moved: Html;
  title: string;
  main: Html | string;
  sheet: string | undefined;
  feed: string | undefined;
  preview: Preview | undefined;
};

/** What `hubbub.js` imports, so that browsers need not read it first to know. */
const modules = ["npm/htmx.js", "acting.js", "say.js", "elements.js", "forms.js", "menus.js"] as const;

/** Everything around the content of a page. */
export function layout(context: PageContext, { news, moved, title, main, sheet, feed, preview }: Content): Html {
  const { site, assets, member, language, say } = context;
  const chosen = chosenLook(context);
  return html`<!doctype html>
    <html lang="${language.tag}" dir="${language.direction}" ${chosen.attributes}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${title === site.name ? title : `${title} · ${site.name}`}</title>
        <link rel="stylesheet" href="${assets}/hubbub.css" />
        ${chosen.tags} ${sheet === undefined ? "" : html`<link rel="stylesheet" href="${assets}/${sheet}" />`}
        ${site.look?.sheet ? html`<link rel="stylesheet" href="/look/${site.look.sheet}/look.css" />` : ""}
        <link rel="icon" href="${logoOf(context)}" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="apple-touch-icon" href="${site.look?.logo ? logoOf(context) : `${assets}/icon-180.png`}" />
        ${feed === undefined ? "" : feedLinks(title, feed)} ${preview ? previewTags(context, title, preview) : ""}
        ${[...modules, ...(member ? ["elements/together.js"] : [])].map((name) => html`<link rel="modulepreload" href="${assets}/${name}" />`)}
        <script src="${assets}/hubbub.js" type="module"></script>
      </head>
      <body class="${member ? "member" : "visitor"}">
        ${drawings}
        <a class="skip" href="#main">${say("layout.skip")}</a>
        <div class="page">
          <header class="side">
            <a class="brand" href="${member ? "/network" : "/"}"
              ><img src="${logoOf(context)}" alt="" width="34" height="34" /><span>${site.name}</span></a
            >
            ${member ? memberNavigation(context, member, news) : visitorNavigation(context)}
          </header>
          <main id="main" tabindex="-1">
            ${moved} ${context.guest ? guestNote(context, context.guest) : ""}
            ${doneNote(say, context.query.text("done"))} ${cardsOfAnnouncements(context, news.announcements)} ${main}
          </main>
        </div>
        <footer class="foot">
          <p>
            <a href="/about">${say("layout.about")}</a> · <a href="/help">${say("layout.meanings")}</a> ·
            <a href="/directory">${say("layout.directory")}</a> · <a href="/api/docs">API</a> ·
            ${say("layout.runs-on")} · <a href="/source">${say("layout.source")}</a>
          </p>
        </footer>
        ${member ? html`<hub-live data-since="${context.now.getTime()}" hidden></hub-live> ${keySheet(say)}` : ""}
        <output id="said" data-away="${say("layout.away")}"></output>
      </body>
    </html>`;
}

/** Where feed readers look when they are given the address of the page. */
function feedLinks(title: string, feed: string): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}" />
    <link rel="alternate" type="application/rss+xml" title="${title} (RSS)" href="${feed}.rss" />`;
}

function memberNavigation(context: PageContext, member: Member, { notices, requests, messages }: News): Html {
  const { say } = context;
  const { channel, account } = member;
  const own = `/channel/${channel.channel_address}`;
  const first: Entry[] = [
    { href: "/network", label: say("layout.stream"), icon: "stream" },
    { href: "/notifications", label: say("layout.notices"), icon: "bell", counts: ["notices", notices] },
    { href: "/connections", label: say("layout.connections"), icon: "people", counts: ["requests", requests] },
    { href: own, label: say("layout.my-channel"), icon: "person" },
  ];
  const rest: Entry[] = [
    { href: "/mail", label: say("layout.messages"), icon: "letter", counts: ["messages", messages] },
    { href: "/search", label: say("layout.search"), icon: "lens" },
    { href: "/events", label: say("layout.calendar"), icon: "calendar" },
    { href: "/group", label: say("layout.groups"), icon: "circles" },
    { href: "/directory", label: say("layout.directory"), icon: "compass" },
    ...menuOf(context),
    { href: "/settings", label: say("layout.settings"), icon: "sliders" },
    ...(isAdministrator(account)
      ? [{ href: "/admin", label: say("layout.administration"), icon: "shield" } as const]
      : []),
    { href: "/help", label: say("layout.help"), icon: "help" },
  ];
  const more = html`<ul>
      ${rest.map((entry) => link(context, entry))}
    </ul>
    <div class="who">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/s/${channel.channel_id}`, "small")}
      <span><strong>${channel.channel_name}</strong><small>${channel.channel_address}</small></span>
    </div>
    <div class="who-actions">
      <a class="button quiet" href="/manage">${icon("swap")} ${say("layout.channels")}</a>
      ${buttonForm(context, "/logout", html`${icon("exit")} ${say("layout.log-out")}`, { kind: "quiet" })}
    </div>`;
  return html`<nav aria-label="${say("layout.main")}" class="navigation">
    <ul class="first">
      ${first.map((entry) => link(context, entry))}
    </ul>
    <div class="rest">${more}</div>
    <details class="more">
      <summary>${icon("menu")}<span>${say("layout.more")}</span>${badge(say, ["messages", messages])}</summary>
      <div class="sheet">${more}</div>
    </details>
  </nav>`;
}

/** Whoever uses a link for guests sees by whose grace, and can stop. */
function guestNote(context: PageContext, { name, host }: Guest): Html {
  return html`<div class="guest-note">
    <p>${context.say.html("layout.guest", { name, host })}</p>
    ${buttonForm(context, "/logout", context.say("layout.leave"), { kind: "quiet" })}
  </div>`;
}

function visitorNavigation(context: PageContext): Html {
  const { say } = context;
  const entries: Entry[] = [
    { href: "/", label: say("layout.home"), icon: "home" },
    { href: "/directory", label: say("layout.directory"), icon: "compass" },
    { href: "/search", label: say("layout.search"), icon: "lens" },
    ...menuOf(context),
    { href: "/help", label: say("layout.help"), icon: "help" },
    { href: "/login", label: say("layout.log-in"), icon: "person" },
  ];
  return html`<nav aria-label="${say("layout.main")}" class="navigation">
    <ul class="first">
      ${entries.map((entry) => link(context, entry))}
    </ul>
    ${context.site.registration === "closed" ? "" : html`<a class="button primary join" href="/register">${say("layout.join")}</a>`}
  </nav>`;
}

function link(context: PageContext, { href, label, icon: name, counts }: Entry): Html {
  const here = context.path === href || (href !== "/" && context.path.startsWith(`${href}/`));
  return html`<li>
    <a href="${href}" ${here ? html`aria-current="page"` : ""}>
      ${icon(name)}<span>${label}</span>
      ${counts ? badge(context.say, counts) : ""}
    </a>
  </li>`;
}

/** It is there also when nothing waits: more may come while the page is open. */
function badge(say: Say, [what, count]: Count): Html {
  return html`<span class="badge" data-count="${what}" ${count === 0 ? "hidden" : ""}
    >${count > 99 ? "99+" : count}<span class="unseen"> ${say("layout.new")}</span></span
  >`;
}
