import { linkId } from "../../../../domain/items/links.ts";
import { pinnedBy } from "../../../../domain/items/timelines/pinned-items.ts";
import { wall } from "../../../../domain/items/timelines/thread.ts";
import type { WallFilter } from "../../../../domain/items/timelines/thread.ts";
import { redirect, show } from "../../answers.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { loadAudience } from "../../parts/items/audience.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import type { ChannelView } from "../../parts/channels/channel-header.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { postComposer } from "../../parts/items/post-composer.ts";
import type { ComposerState, LaidOutDraft } from "../../parts/items/composer.ts";
import { draftIn, loadPostComposer } from "../../parts/items/load-composer.ts";
import { takePost } from "../../parts/items/take-post.ts";
import { loadThreads } from "../../parts/items/feed.ts";
import { beforeOf, threadList } from "../../parts/pager.ts";
import { pinnedPart, threadCard } from "../../parts/items/status.ts";
import { isMember } from "../../page.ts";
import { linkTo } from "../../languages/say.ts";

const perPage = 20;

/** A channel's wall with its filters. */
export const channelPages: Page[] = [
  {
    path: "/channel/:nick",
    access: "reader",
    mayBeStale: true,
    get: (context) => page(context),
    post: take,
    again: page,
    files: ["media"],
    kept: true,
  },
  { path: "/:at{@[^@]+}", access: "anybody", mayBeStale: true, get: atNick },
];

/** The address that people of Mastodon try for somebody's page. */
function atNick(context: PageContext): Response {
  return redirect(context, `/channel/${encodeURIComponent((context.params["at"] ?? "").slice(1))}`);
}

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  const { channel } = await loadChannel(context, context.params["nick"] ?? "");
  const own = channel.channel_id === context.member.channel.channel_id;
  return takePost(context, typed, {
    wall: own ? undefined : channel,
    again: (kept, more) => page(context, kept, more.fault, more.preview),
  });
}

async function page(context: PageContext, typed?: Fields, fault?: Fault, preview?: LaidOutDraft): Promise<Response> {
  const { hub, query, say } = context;
  const view = await loadChannel(context, context.params["nick"] ?? "");
  if (query.has("mid"))
    return redirect(context, `/display/${encodeURIComponent(linkId(hub.config.baseUrl, query.text("mid")))}`);
  const place = { ...filterOf(query), ...beforeOf(context) };
  const posts = await wall(hub, context.observer, view.channel, { ...place, count: perPage });
  const pinned = Object.keys(place).length === 0 ? await pinnedBy(hub, context.observer, view.channel) : [];
  const others = posts.items.filter(({ id }) => !pinned.some((item) => item.id === id));
  const { feed, comments } = await loadThreads(context, [...pinned, ...others]);
  const cards = (tops: typeof others): Html[] =>
    tops.map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []));
  const links = await channelLinks(context, view);
  const main = html`${await channelHeader(context, view, "posts")}
  ${await writeHere(context, view, { typed, fault, preview })} ${narrowed(context)}
  ${pinnedPart(context, cards(pinned))}
  ${posts.items.length === 0 ? html`<p class="empty">${view.permissions.view_stream ? say("channels.no-posts") : say("channels.posts-for-connections")}</p>` : ""}
  ${threadList(context, cards(others), posts.next)}
  ${links.feed ? html`<p class="feed-link"><a href="${links.feed}">${say("channels.feed")}</a></p>` : ""}`;
  return show(context, {
    title: view.channel.channel_name,
    main,
    status: fault?.status ?? 200,
    ...links,
  });
}

/** The form for a post, where the visitor may write on this wall. */
async function writeHere(
  context: PageContext,
  { channel, permissions }: ChannelView,
  { typed: sent, fault, preview }: ComposerState & { preview: LaidOutDraft | undefined },
): Promise<Html> {
  if (!isMember(context) || !permissions.post_wall) return html``;
  const { member, hub } = context;
  const isOwn = member.channel.channel_id === channel.channel_id;
  const typed = sent ?? (await draftIn(context));
  const audience = isOwn ? await loadAudience(hub, channel, typed) : undefined;
  return postComposer(context, {
    action: context.path,
    audience,
    own: await loadPostComposer(context, typed),
    typed,
    fault,
    preview,
    ...(!isOwn && { wallOf: channel.channel_name }),
  });
}

/** A date that cannot be read narrows nothing. */
function filterOf(query: Fields): WallFilter {
  const [since, until] = [readDate(query.word("dbegin")), readDate(query.word("dend"))];
  return {
    ...(query.has("cat") && { category: query.word("cat") }),
    ...(query.has("tag") && { tag: query.word("tag") }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

function narrowed({ query, path, say }: PageContext): Html {
  const words = [
    query.has("cat") ? say("channels.narrowed-category", { name: query.word("cat") }) : "",
    query.has("tag") ? `#${query.word("tag")}` : "",
    query.has("dbegin") ? say("channels.narrowed-from", { day: query.word("dbegin") }) : "",
    query.has("dend") ? say("channels.narrowed-until", { day: query.word("dend") }) : "",
  ].filter((part) => part !== "");
  return words.length === 0
    ? html``
    : html`<p class="narrowed">${say.html("channels.narrowed", { parts: words.join(", "), all: linkTo(path) })}</p>`;
}

/** A day or a moment in UTC as an address carries it, in the stored form; undefined when it cannot be read. */
function readDate(text: string): string | undefined {
  const [, day, clock = "00:00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?$/.exec(text) ?? [];
  if (!day) return undefined;
  return Number.isNaN(Date.parse(`${day}T${clock}Z`)) ? undefined : `${day} ${clock}`;
}
