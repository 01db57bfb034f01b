import { activeGroups } from "../../../../domain/groups/groups.ts";
import { networkPage } from "../../../../domain/items/timelines/network-page.ts";
import type { NetworkFilter } from "../../../../domain/items/timelines/network-page.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { show } from "../../answers.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { loadAudience } from "../../parts/items/audience.ts";
import { postComposer } from "../../parts/items/post-composer.ts";
import type { LaidOutDraft } from "../../parts/items/composer.ts";
import { draftIn, loadPostComposer, quotingIn, sharedIn } from "../../parts/items/load-composer.ts";
import { takePost } from "../../parts/items/take-post.ts";
import { cursorOf, cursorText } from "../../parts/cursor.ts";
import { loadThreads } from "../../parts/items/feed.ts";
import { threadList } from "../../parts/pager.ts";
import { threadCard } from "../../parts/items/status.ts";

const perPage = 20;

/** The member's stream, with the form for a new post. */
export const networkPages: Page[] = [
  {
    path: "/network",
    access: "member",
    get: (context) => stream(context),
    post: take,
    again: stream,
    files: ["media"],
  },
];

function take(context: MemberContext, typed: Fields): Promise<Response> {
  return takePost(context, typed, { again: (kept, more) => stream(context, kept, more.fault, more.preview) });
}

async function stream(context: MemberContext, sent?: Fields, fault?: Fault, preview?: LaidOutDraft): Promise<Response> {
  const { hub, member, say } = context;
  const [groups, form, page] = await Promise.all([
    activeGroups(hub, member.channel.channel_id),
    writing(context, sent, fault, preview),
    networkPage(hub, member.channel, filterOf(context), { before: cursorOf(context), count: perPage }),
  ]);
  const { feed, comments } = await loadThreads(context, page.tops);
  const threads = page.tops.map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []));
  await markSeen(hub, member.channel, feed.items);
  const main = html`<h1 class="unseen">${say("items.stream")}</h1>
    ${form} ${filters(context, groups)}
    ${narrowed(context.query) || context.query.has("before") ? "" : newPosts(context)}
    ${page.tops.length === 0 ? empty(context) : ""} ${threadList(context, threads, cursorText(page.next))}`;
  return show(context, { title: say("items.stream"), main, status: fault?.status ?? 200 });
}

/** The form for a post. */
async function writing(
  context: MemberContext,
  sent: Fields | undefined,
  fault: Fault | undefined,
  preview: LaidOutDraft | undefined,
): Promise<Html> {
  const { hub, member } = context;
  const typed = sent ?? (await draftIn(context)) ?? (await quotingIn(context)) ?? sharedIn(context);
  const [audience, own] = await Promise.all([
    loadAudience(hub, member.channel, typed),
    loadPostComposer(context, typed),
  ]);
  return postComposer(context, { action: "/network", audience, own, typed, fault, preview });
}

/** Says how many posts have come since, and brings them. */
function newPosts({ say }: MemberContext): Html {
  return html`<hub-news
    data-one="${say("items.new-post-one")}"
    data-many="${say("items.new-posts-many", { count: "%" })}"
    role="status"
    hidden
    ><a class="button" href="/network"></a
  ></hub-news>`;
}

function filterOf({ query }: MemberContext): NetworkFilter {
  const groupId = query.number("gid");
  return {
    ...(groupId !== undefined && { groupId }),
    ...(query.has("file") && { file: query.word("file") }),
    star: query.has("star"),
    conv: query.has("conv"),
  };
}

function filters(context: MemberContext, groups: { id: number; gname: string }[]): Html {
  const { query, say } = context;
  const chip = (href: string, label: string, here: boolean): Html =>
    html`<li><a href="${href}" ${here ? html`aria-current="true"` : ""}>${label}</a></li>`;
  const all = !narrowed(query);
  return html`<nav class="chips" aria-label="${say("items.what-stream-shows")}">
    <ul>
      ${chip("/network", say("items.everything"), all)}
      ${chip("/network?conv=1", say("items.my-conversations"), query.has("conv"))}
      ${chip("/network?star=1", say("items.starred"), query.has("star"))}
      ${chip("/folders", say("items.folders"), false)} ${chip("/local", say("items.on-this-hub"), false)}
      ${query.has("file") ? chip(`/network?file=${encodeURIComponent(query.word("file"))}`, query.word("file"), true) : ""}
      ${groups.map((group) => chip(`/network?gid=${group.id}`, group.gname, query.number("gid") === group.id))}
    </ul>
  </nav>`;
}

function narrowed(query: Fields): boolean {
  return ["star", "conv", "gid", "file"].some((name) => query.has(name));
}

function empty({ query, say }: MemberContext): Html {
  const filtered = narrowed(query) || query.has("before");
  return html`<div class="empty">
    <p>${say(filtered ? "items.nothing-here" : "items.empty-stream")}</p>
    ${
      filtered
        ? ""
        : html`<p>
            <a class="button primary" href="/welcome">${say("items.first-steps")}</a>
            <a class="button" href="/connections">${say("items.find-people")}</a>
            <a class="button" href="/local">${say("items.see-this-hub")}</a>
          </p>`
    }
  </div>`;
}
