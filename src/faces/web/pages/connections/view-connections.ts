import { findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import { countVisibleConnections, listVisibleConnections } from "../../../../domain/people/visible-connections.ts";
import type { VisibleConnection } from "../../../../domain/people/visible-connections.ts";
import { missing } from "../../../../errors.ts";
import { json, show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Page, PageContext } from "../../page.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { personRow } from "../../parts/channels/person.ts";

const perPage = 50;
const mostPortable = 100;

/** Whom a channel is connected with, as a page and for programs. */
export const viewConnectionsPages: Page[] = [
  { path: "/viewconnections/:nick", access: "anybody", mayBeStale: true, get: page },
  { path: "/poco/:nick", access: "anybody", mayBeStale: true, get: portable },
];

async function page(context: PageContext): Promise<Response> {
  const { say } = context;
  const view = await loadChannel(context, context.params["nick"] ?? "");
  const { connections, next } = await listVisibleConnections(context.hub, context.observer, view.channel, {
    ...beforeOf(context),
    count: perPage,
  });
  const main = html`${await channelHeader(context, view, "connections")}
  ${
    connections.length > 0
      ? html`<ul class="card people" aria-label="${say("connections.title")}">
          ${connections.map((one) => personRow(context, one))}
        </ul>`
      : html`<p class="empty">${say("connections.none-to-show")}</p>`
  }
  ${pager(context, next)}`;
  const title = say("connections.connections-of", { name: view.channel.channel_name });
  return show(context, { title, main, ...(await channelLinks(context, view)) });
}

/** Portable contacts; programs go on with the last id that they got as `before`. */
async function portable(context: PageContext): Promise<Response> {
  const { hub, query, observer } = context;
  const channel = await findChannelByNick(hub, context.params["nick"] ?? "");
  if (!channel) throw missing("Channel");
  const count = Math.min(query.number("count") ?? mostPortable, mostPortable);
  const { connections, next } = await listVisibleConnections(hub, observer, channel, { ...beforeOf(context), count });
  return json(context, {
    totalResults: await countVisibleConnections(hub, channel),
    itemsPerPage: count,
    ...(next !== undefined && { next: `${hub.config.baseUrl}/poco/${channel.channel_address}?before=${next}` }),
    entry: connections.map(contact),
  });
}

function contact(one: VisibleConnection): object {
  return {
    id: String(one.abook_id),
    displayName: one.xchan_name,
    preferredUsername: one.xchan_addr.split("@")[0],
    updated: `${one.xchan_name_date.replace(" ", "T")}Z`,
    urls: [
      { value: one.xchan_url, type: "profile" },
      { value: `acct:${one.xchan_addr}`, type: "zot" },
    ],
    photos: [{ value: one.xchan_photo_l, type: "profile" }],
    hash: one.xchan_hash,
  };
}
