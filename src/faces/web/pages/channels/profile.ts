import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import type { Profile, ProfileHtml } from "../../../../domain/identity/channels/profiles.ts";
import { htmlOfProfile } from "../../../../domain/people/profile-texts.ts";
import { findVisibleProfile } from "../../../../domain/people/visible-profile.ts";
import { missing } from "../../../../errors.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { fieldLabel, personalFields } from "../../parts/channels/profile-labels.ts";
import { body } from "../../parts/items/body.ts";
import { time } from "../../parts/times.ts";

/** What a channel says about itself, to those who may read it. */
export const profilePages: Page[] = [
  { path: "/profile/:nick", access: "anybody", mayBeStale: true, get: (context) => page(context) },
  {
    path: "/profile/:nick/:guid",
    access: "anybody",
    mayBeStale: true,
    get: (context) => page(context, context.params["guid"]),
  },
];

async function page(context: PageContext, guid?: string): Promise<Response> {
  const view = await loadChannel(context, context.params["nick"] ?? "");
  const profile =
    guid === undefined ? view.profile : await findVisibleProfile(context.hub, context.observer, view.channel, guid);
  if (!profile) throw missing("Profile");
  const main = html`${await channelHeader(context, { ...view, profile }, "profile")}
    <section class="card">
      ${facts(context, view.channel, profile, await htmlOfProfile(context.hub, profile))}
    </section>`;
  return show(context, { title: view.channel.channel_name, main, ...(await channelLinks(context, view)) });
}

function facts(context: PageContext, channel: Channel, profile: Profile, texts: ProfileHtml): Html {
  const { say } = context;
  const laidOut: Partial<Record<string, string>> = texts;
  const text = (name: (typeof personalFields)[number]): Html | string =>
    laidOut[name] === undefined ? prose(profile[name]) : formatted(context, laidOut[name]);
  return html`<dl class="facts">
    ${fact(say("channels.fact-about"), formatted(context, texts.about))}
    ${fact(say("channels.fact-summary"), prose(profile.summary))}
    ${fact(say("channels.fact-channel"), prose(profile.chandesc))} ${fact(say("channels.fact-lives"), placeOf(profile))}
    ${fact(say("channels.fact-address"), profile.address)} ${fact(say("channels.fact-hometown"), profile.hometown)}
    ${fact(say("channels.fact-born"), birthday(context, profile.dob))}
    ${fact(say("channels.fact-site"), homepage(profile.homepage))}
    ${personalFields.map((name) => fact(fieldLabel(say, name), text(name)))}
    ${fact(say("channels.fact-since"), time(context, channel.channel_created))}
  </dl>`;
}

function prose(text: string): Html | string {
  return text && html`<div class="prose">${text}</div>`;
}

/** A text that was written in bbcode. */
function formatted(context: PageContext, rendered: string): Html | string {
  return rendered && html`<div class="body">${body(context, rendered)}</div>`;
}

/** The day in words; the year may be kept secret: 0000. */
function birthday({ language }: PageContext, dob: string): string {
  const [, year = "", month = "", date = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(dob) ?? [];
  const known = new Date(`2000-${month}-${date}T00:00:00Z`);
  if (Number.isNaN(known.getTime())) return dob.replace(/^0000-/, "").replace(/^00-00$/, "");
  const words = new Intl.DateTimeFormat(language.locale, { timeZone: "UTC", day: "numeric", month: "long" }).format(
    known,
  );
  return year === "0000" ? words : `${words} ${year}`;
}

/** The place in one line. */
function placeOf(profile: Pick<Profile, "locality" | "region" | "country_name">): string {
  return [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", ");
}

function homepage(url: string): Html | string {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="me nofollow noopener">${url.replace(/^https?:\/\//i, "")}</a>`
    : "";
}

function fact(name: string, value: Html | string): Html {
  return value
    ? html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`
    : html``;
}
