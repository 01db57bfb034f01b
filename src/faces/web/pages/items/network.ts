import { html } from "hono/html";
import { activeGroups } from "../../../../domain/groups/groups.ts";
import { withUploads } from "../../../../domain/photos/uploads.ts";
import { networkPage } from "../../../../domain/items/timelines/network-page.ts";
import type { NetworkFilter } from "../../../../domain/items/timelines/network-page.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { loadAudience, readAudience } from "../../parts/items/audience.ts";
import { composer } from "../../parts/items/composer.ts";
import { cursorOf, cursorText } from "../../parts/cursor.ts";
import { draftOf } from "../../parts/items/draft.ts";
import { loadThreads } from "../../parts/items/feed.ts";
import { pager } from "../../parts/pager.ts";
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

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const { channel } = context.member;
      await withUploads(context.hub, channel, typed.files("media"), (media) =>
        postItem(context.hub, channel, { ...draftOf(typed), ...readAudience(typed), media }),
      );
      return redirect(context, "/network", "posted");
    },
    (fault) => stream(context, typed, fault),
  );
}

async function stream(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member } = context;
  const [groups, audience, page] = await Promise.all([
    activeGroups(hub, member.channel.channel_id),
    loadAudience(hub, member.channel, typed),
    networkPage(hub, member.channel, filterOf(context), { before: cursorOf(context), count: perPage }),
  ]);
  const { feed, comments } = await loadThreads(context, page.tops);
  const threads = page.tops.map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []));
  await markSeen(hub, member.channel, feed.items);
  const main = html`<h1 class="unseen">Stream</h1>
    ${composer(context, { action: "/network", audience, typed, fault })} ${filters(context, groups)} ${threads}
    ${page.tops.length === 0 ? empty(context) : ""} ${pager(context, cursorText(page.next))}`;
  return show(context, { title: "Stream", main, status: fault?.status ?? 200 });
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
  const { query } = context;
  const chip = (href: string, label: string, here: boolean): Html =>
    html`<li><a href="${href}" ${here ? html`aria-current="true"` : ""}>${label}</a></li>`;
  const all = !narrowed(query);
  return html`<nav class="chips" aria-label="What the stream shows">
    <ul>
      ${chip("/network", "Everything", all)} ${chip("/network?conv=1", "My conversations", query.has("conv"))}
      ${chip("/network?star=1", "Starred", query.has("star"))} ${chip("/folders", "Folders", false)}
      ${chip("/search", "Search", false)}
      ${query.has("file") ? chip(`/network?file=${encodeURIComponent(query.word("file"))}`, query.word("file"), true) : ""}
      ${groups.map((group) => chip(`/network?gid=${group.id}`, group.gname, query.number("gid") === group.id))}
    </ul>
  </nav>`;
}

function narrowed(query: Fields): boolean {
  return ["star", "conv", "gid", "file"].some((name) => query.has(name));
}

function empty({ query }: MemberContext): Html {
  const filtered = narrowed(query) || query.has("before");
  return html`<div class="empty">
    <p>${filtered ? "Nothing here." : "Your stream is quiet. Write something, or look for people you know."}</p>
    ${filtered ? "" : html`<p><a class="button" href="/connections">Find people</a> <a class="button" href="/directory">Look around</a></p>`}
  </div>`;
}
