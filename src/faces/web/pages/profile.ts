import { html } from "hono/html";
import type { Profile } from "../../../domain/identity/profiles.ts";
import { missing } from "../../../errors.ts";
import { show } from "../answers.ts";
import type { Html, Page, Visit } from "../page.ts";
import { channelHeader, loadChannel } from "../parts/channel-header.ts";
import { time } from "../parts/times.ts";

/** What a channel says about itself, to those who may read it. */
export const profilePages: Page[] = [{ path: "/profile/:nick", access: "anybody", get: page }];

async function page(visit: Visit): Promise<Response> {
  const view = await loadChannel(visit, visit.params["nick"] ?? "");
  if (!view.profile) throw missing("Profile");
  const { profile, channel } = view;
  const main = html`${await channelHeader(visit, view, "profile")}
    <section class="card">
      <dl class="facts">
        ${fact("About", profile.about && html`<div class="prose">${profile.about}</div>`)}
        ${fact("Lives in", placeOf(profile))} ${fact("Web site", homepage(profile.homepage))}
        ${fact("Interests", profile.keywords)} ${fact("Here since", time(visit, channel.channel_created))}
      </dl>
    </section>`;
  return show(visit, { title: channel.channel_name, main });
}

/** The place in one line. */
export function placeOf(profile: Pick<Profile, "locality" | "region" | "country_name">): string {
  return [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", ");
}

function homepage(url: string): Html | string {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="nofollow noopener">${url.replace(/^https?:\/\//i, "")}</a>`
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
