import { findConnectionTo } from "../../../../domain/connections/connections.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import type { Observer } from "../../../../domain/identity/channels/observer.ts";
import { findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import type { Profile } from "../../../../domain/identity/channels/profiles.ts";
import { partsShown, seldomParts } from "../../../../domain/pages/parts-shown.ts";
import { profileFor } from "../../../../domain/people/visible-profile.ts";
import { scales } from "../../../../domain/photos/scales.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import { coverOf } from "../../../../domain/photos/use.ts";
import { permissionsAmong } from "../../../../domain/permissions/may.ts";
import { missing } from "../../../../errors.ts";
import type { Hub } from "../../../../hub.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { connectButton, connectionMenu, onPage } from "../connections/connection-actions.ts";
import { icon } from "../icons.ts";
import { avatar } from "./person.ts";
import { movedNotice } from "./moved-notice.ts";

const asked = [
  "view_stream",
  "view_profile",
  "view_contacts",
  "view_storage",
  "view_pages",
  "view_wiki",
  "chat",
  "post_wall",
  "post_mail",
] as const;

/** The parts of a channel that a visitor may find, each by the permission that it needs. */
const tabs = [
  { tab: "posts", path: "channel", needs: "view_stream" },
  { tab: "profile", path: "profile", needs: "view_profile" },
  { tab: "connections", path: "viewconnections", needs: "view_contacts" },
  { tab: "photos", path: "photos", needs: "view_storage" },
  { tab: "files", path: "cloud", needs: "view_storage" },
  { tab: "pages", path: "webpages", needs: "view_pages" },
  { tab: "wikis", path: "wiki", needs: "view_wiki" },
  { tab: "articles", path: "articles", needs: "view_pages" },
  { tab: "cards", path: "cards", needs: "view_pages" },
  { tab: "chat", path: "chat", needs: "chat" },
] as const;

export type Tab = (typeof tabs)[number]["tab"];

/** A channel as one visitor may see it. */
export type ChannelView = {
  channel: Channel;
  permissions: Record<(typeof asked)[number], boolean>;
  /** The one that is meant for the visitor; undefined when it may not see any. */
  profile: Profile | undefined;
  /** May the visitor see whom the channel is connected with? */
  showsConnections: boolean;
  /** The tabs that are there for the visitor because something is behind them. */
  filled: ReadonlySet<Tab>;
};

const seldom: ReadonlySet<Tab> = new Set(seldomParts);

/** What most channels have nothing of is shown where there is something, and to the channel itself, which makes it there. */
async function filledTabs(hub: Hub, observer: Observer, channel: Channel): Promise<ReadonlySet<Tab>> {
  const shown = await partsShown(hub, observer, channel);
  const own = observer.channelId === channel.channel_id;
  return own ? shown.union(new Set(["pages", "wikis", "articles", "chat"] as const)) : shown;
}

/** The channel with this nick. Throws missing when the visitor may see no part of it. */
export async function loadChannel({ hub, observer }: PageContext, nick: string): Promise<ChannelView> {
  const channel = await findChannelByNick(hub, nick);
  if (!channel) throw missing("Channel");
  const permissions = await permissionsAmong(hub, observer, channel.channel_id, asked);
  const own = observer.channelId === channel.channel_id;
  const filled = await filledTabs(hub, observer, channel);
  const shown = tabs.filter(({ tab, needs }) => permissions[needs] && (!seldom.has(tab) || filled.has(tab)));
  if (!own && shown.length === 0) throw missing("Channel");
  const profile = await profileFor(hub, observer, channel.channel_id);
  return {
    channel,
    permissions,
    filled,
    profile: permissions.view_profile ? profile : undefined,
    showsConnections: own || (permissions.view_contacts && profile.hide_friends === 0),
  };
}

/** Who it is, and what connects the visitor with them. */
export async function channelHeader(context: PageContext, view: ChannelView, tab: Tab): Promise<Html> {
  const { say } = context;
  const { channel, profile, permissions } = view;
  const { host, baseUrl } = context.hub.config;
  const nick = channel.channel_address;
  const own = context.member?.channel.channel_id === channel.channel_id;
  // Of the own one every page says it.
  const moved = own ? "" : await movedNotice(context, channel);
  const cover = await coverOf(context.hub, context.observer, channel);
  return html`<header class="card channel-head">
    ${cover ? html`<img class="cover" src="${renditionPath(cover.resource_id, "coverLarge")}" width="${scales.coverLarge.width}" height="${scales.coverLarge.height}" alt="" />` : ""}
    ${avatar(context, `${baseUrl}/photo/profile/l/${channel.channel_id}`, "large")}
    <div class="channel-words">
      <h1>${channel.channel_name}</h1>
      <p class="address">${nick}@${host}</p>
      ${moved} ${profile?.pdesc ? html`<p class="lead">${profile.pdesc}</p>` : ""}
      ${view.showsConnections ? html`<p class="counts">${say.html("channels.counts", { readers: channel.followers_count, read: channel.friends_count })}</p>` : ""}
    </div>
    <div class="channel-actions" id="channel-actions">
      ${context.member && !own && permissions.post_mail ? html`<a class="button" href="/mail/new?to=${channel.channel_hash}">${icon("letter")} ${say("channels.message")}</a>` : ""}
      ${own ? html`<a class="button" href="/settings/profile">${icon("pencil")} ${say("channels.edit-profile")}</a>` : await connection(context, channel)}
    </div>
    <nav class="tabs" aria-label="${say("channels.channel")}">
      ${tabs
        .filter(({ tab, needs }) => permissions[needs] && hasPart(view, tab))
        .map(
          (one) =>
            html`<a href="/${one.path}/${nick}" ${one.tab === tab ? html`aria-current="page"` : ""}
              >${say(`channels.tab-${one.tab}`)}</a
            >`,
        )}
    </nav>
  </header>`;
}

function hasPart(view: ChannelView, tab: Tab): boolean {
  return tab === "connections" ? view.showsConnections : !seldom.has(tab) || view.filled.has(tab);
}

async function connection(context: PageContext, channel: Channel): Promise<Html> {
  const { say } = context;
  if (!context.member)
    return html`<a class="button primary" href="/login?next=${encodeURIComponent(context.path)}"
      >${say("channels.connect")}</a
    >`;
  const known = await findConnectionTo(context.hub, context.member.channel.channel_id, channel.channel_hash);
  const place = onPage(context, "#channel-actions");
  return html`${connectButton(context, channel.channel_hash, known, place)}
  ${connectionMenu(context, channel.channel_hash, known, { place })}`;
}
