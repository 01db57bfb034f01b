import { findGroup, pageOfGroups } from "../../../../domain/items/timelines/notice-groups.ts";
import type { GroupFilter, NoticeGroup } from "../../../../domain/items/timelines/notice-groups.ts";
import { countFiltered } from "../../../../domain/items/timelines/notice-requests.ts";
import { countUnseen } from "../../../../domain/notifications/notices.ts";
import { markAllSeen, markGroupSeen } from "../../../../domain/notifications/seen.ts";
import { noticeWords } from "../../../../domain/portable/notice-sentence.ts";
import { redirect, show, showPart } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath, withoutHost } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { cursorOf, cursorText } from "../../parts/cursor.ts";
import { back, inPlace, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { anchorOf } from "../../parts/item-paths.ts";
import { noticeRows } from "../../parts/items/notice-row.ts";
import { pager } from "../../parts/pager.ts";
import { unseen } from "../../languages/say.ts";

/** What others did that concerns the member: what belongs together in one row, by kind where somebody wants that. */
export const notificationPages: Page[] = [
  { path: "/notifications", access: "member", whileMoved: true, get: list, post: see },
  { path: "/notifications/system", access: "member", whileMoved: true, get: list, post: see },
  { path: "/notify/view/:id", access: "member", get: view },
];

const groupsOfPage = 30;

type Tab = { name: TabName; filter: GroupFilter };
type TabName = "all" | "new" | "comments" | "reactions" | "people" | "messages";

const everything: Tab = { name: "all", filter: {} };

const tabs: readonly Tab[] = [
  everything,
  { name: "new", filter: { unseen: true } },
  { name: "comments", filter: { kinds: ["comment", "mention", "wall", "held"] } },
  { name: "reactions", filter: { kinds: ["reaction", "share", "tag", "edit", "poll"] } },
  {
    name: "people",
    filter: { kinds: ["request", "follower", "confirmed", "declined", "stranger", "sign-up", "report"] },
  },
  { name: "messages", filter: { kinds: ["mail"] } },
];

function tabOf({ query }: MemberContext): Tab {
  return tabs.find(({ name }) => name === query.word("kind")) ?? everything;
}

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const tab = tabOf(context);
  const [{ groups, next }, waiting, filtered] = await Promise.all([
    pageOfGroups(hub, member.channel, tab.filter, { before: cursorOf(context), count: groupsOfPage }),
    countUnseen(hub, member.channel.channel_id),
    countFiltered(hub, member.channel.channel_id),
  ]);
  const rows = await rowsOf(context, groups);
  const growing = { list: "#notice-list", place: "closest li" };
  const older = next
    ? html`<li class="plain">${pager(context, cursorText(next), say("items.older"), growing)}</li>`
    : "";
  const main = html`<div id="notices">
      <div class="title-row">
        <h1>${say("items.notices")}</h1>
        ${waiting > 0 ? allSeenButton(context) : ""}
      </div>
      ${tabList(context, tab)} ${filtered.people > 0 ? filteredLink(context, filtered.people) : ""}
      ${
        groups.length > 0
          ? html`<ol class="card notices" id="notice-list">
              ${rows}${older}
            </ol>`
          : html`<p class="empty">${say(`items.empty-${tab.name}`)}</p>`
      }
      <p class="notice-settings"><a href="/settings/notices">${say("items.choose-notices")}</a></p>
    </div>
    ${context.query.has("before") ? "" : html`<hub-renew data-count="notices" data-part="#notices" hidden></hub-renew>`}`;
  return show(context, { title: say("items.notices"), main });
}

function filteredLink({ say }: MemberContext, count: number): Html {
  return html`<p class="notice-settings">
    <a href="/notifications/filtered">${say("notices.waiting", { count })}</a>
  </p>`;
}

function tabList({ say }: MemberContext, current: Tab): Html {
  return html`<nav class="tabs" aria-label="${say("items.notices-by-kind")}">
    ${tabs.map(
      ({ name }) =>
        html`<a
          href="/notifications${name === "all" ? "" : `?kind=${name}`}"
          ${name === current.name ? html`aria-current="page"` : ""}
          >${say(`items.tab-${name}`)}</a
        >`,
    )}
  </nav>`;
}

async function rowsOf(context: MemberContext, groups: readonly NoticeGroup[]): Promise<Html[]> {
  const rows = await noticeRows(context, groups);
  return rows.map(
    ({ group, line, link }) =>
      html`<li class="${group.unseen > 0 ? "unseen-notice" : ""}" id="notice-${group.newest.id}">
        ${link} ${markButton(context, group, line)}
      </li>`,
  );
}

/** Many notices are read in the list: nobody has to open what they are about, and what somebody wants to come back to stays new. */
function markButton(context: MemberContext, { newest, unseen: missed }: NoticeGroup, words: string): Html {
  const { say } = context;
  const isNew = missed > 0;
  const label = isNew
    ? html`${icon("check")}${say.html("items.mark-seen", {
        words,
        seen: (words) => html`<span class="seen-words">${words}</span>`,
        unseen,
      })}`
    : html`${icon("bell")}<span class="unseen">${say("items.mark-unread")}: ${words}</span>`;
  return html`<form
    method="post"
    action="/notifications"
    class="inline"
    ${inPlace("/notifications", `#notice-${newest.id}`)}
  >
    ${token(context)}${back(context)}<input type="hidden" name="id" value="${newest.id}" />
    ${isNew ? "" : html`<input type="hidden" name="unread" value="1" />`}
    <button class="button quiet" ${isNew ? "" : html`title="${say("items.mark-unread")}"`}>${label}</button>
  </form>`;
}

function allSeenButton(context: MemberContext): Html {
  return html`<form method="post" action="/notifications" class="inline" ${inPlace("/notifications", "#notices")}>
    ${token(context)}${back(context)}
    <button class="button quiet">${context.say("items.mark-all-seen")}</button>
  </form>`;
}

/** Marks what stands together as seen and leads to what it is about; a link that leads elsewhere is not followed unasked. */
async function view(context: MemberContext): Promise<Response> {
  const notice = await markGroupSeen(context.hub, context.member.channel.channel_id, idOf(context.params["id"]));
  const { baseUrl } = context.hub.config;
  const path = localPath(withoutHost(baseUrl, noticeWords(baseUrl, notice).link), "/notifications");
  return redirect(context, notice.message_id > 0 ? `${path}#${anchorOf(notice)}` : path);
}

/** One row or, when none is named, all of them. */
async function see(context: MemberContext, form: Fields): Promise<Response> {
  const { channel } = context.member;
  const path = localPath(form.text("back"), "/notifications");
  if (!form.has("id")) {
    await markAllSeen(context.hub, channel.channel_id);
    return redirect(context, path, "seen");
  }
  const seen = !form.has("unread");
  const id = idOf(form.text("id"));
  await markGroupSeen(context.hub, channel.channel_id, id, seen);
  if (context.inPlace) return inItsPlace(context, id, path);
  if (!seen) return redirect(context, path, "unnoticed");
  return redirect(context, path, (await countUnseen(context.hub, channel.channel_id)) > 0 ? "" : "seen");
}

/** The row as it is now; its forms lead back to the page that it stands on. */
async function inItsPlace(context: MemberContext, id: number, here: string): Promise<Response> {
  const group = await findGroup(context.hub, context.member.channel, id);
  return showPart(context, html`${await rowsOf({ ...context, here }, [group])}`);
}
