import { html } from "hono/html";
import { countUnseen, listNotices, markAllSeen, markSeen } from "../../../../domain/notifications/notices.ts";
import type { Notice } from "../../../../domain/notifications/stored.ts";
import { layOutWorded } from "../../../../domain/notifications/worded.ts";
import { noticeWords } from "../../../../domain/portable/notice-sentence.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath, withoutHost } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { buttonForm } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { noticeSentence } from "../../parts/items/notice-sentence.ts";
import { avatar } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";

/** What others did that concerns the member. */
export const notificationPages: Page[] = [
  { path: "/notifications", access: "member", get: list, post: see },
  { path: "/notifications/system", access: "member", get: list, post: see },
  { path: "/notify/view/:id", access: "member", get: view },
];

async function list(context: MemberContext): Promise<Response> {
  const notices = await listNotices(context.hub, context.member.channel.channel_id);
  const worded = await layOutWorded(context.hub, notices);
  const main = html`<div class="title-row">
      <h1>Notices</h1>
      ${notices.some((notice) => notice.seen === 0) ? buttonForm(context, "/notifications", "Mark all as seen", { kind: "quiet" }) : ""}
    </div>
    ${
      notices.length > 0
        ? html`<ol class="card notices">
            ${notices.map((notice) => row(context, notice, worded.get(notice.id)?.plain ?? ""))}
          </ol>`
        : html`<p class="empty">
            Nothing has happened yet. Comments, likes, mentions, messages and requests are listed here.
          </p>`
    }`;
  return show(context, { title: "Notices", main });
}

/** `sentence` is what a notice says that came with its own words. */
function row(context: MemberContext, notice: Notice, sentence: string): Html {
  const isNew = notice.seen === 0;
  const [words, photo] =
    notice.kind === "worded" ? [sentence, notice.words.photo] : [noticeSentence(notice), notice.actor.photo];
  return html`<li class="${isNew ? "unseen-notice" : ""}">
    <a href="/notify/view/${notice.id}">
      ${avatar(context, photo)}
      <span class="notice-words"
        >${words}${isNew ? html` <span class="dot"></span><span class="unseen">new</span>` : ""}<small
          >${time(context, notice.created)}</small
        ></span
      >
    </a>
    ${isNew ? seenButton(context, notice, words) : unreadButton(context, notice, words)}
  </li>`;
}

/** Many notices are read in the list: nobody has to open what they are about. */
function seenButton(context: MemberContext, { id }: Notice, words: string): Html {
  const label = html`${icon("check")}<span class="seen-words">Mark as seen</span
    ><span class="unseen">: ${words}</span>`;
  return buttonForm(context, "/notifications", label, { kind: "quiet", fields: { id } });
}

/** For what somebody wants to come back to. */
function unreadButton(context: MemberContext, { id }: Notice, words: string): Html {
  const label = html`${icon("bell")}<span class="unseen">Mark as unread: ${words}</span>`;
  return buttonForm(context, "/notifications", label, {
    kind: "quiet",
    fields: { id, unread: 1 },
    title: "Mark as unread",
  });
}

/** Marks the notice as seen and leads to what it is about; a link that leads elsewhere is not followed unasked. */
async function view(context: MemberContext): Promise<Response> {
  const notice = await markSeen(context.hub, context.member.channel.channel_id, idOf(context.params["id"]));
  const { baseUrl } = context.hub.config;
  return redirect(context, localPath(withoutHost(baseUrl, noticeWords(baseUrl, notice).link), "/notifications"));
}

/** One notice or, when none is named, all of them. */
async function see(context: MemberContext, form: Fields): Promise<Response> {
  const uid = context.member.channel.channel_id;
  if (!form.has("id")) {
    await markAllSeen(context.hub, uid);
    return redirect(context, "/notifications", "seen");
  }
  const seen = !form.has("unread");
  await markSeen(context.hub, uid, idOf(form.text("id")), seen);
  if (!seen) return redirect(context, "/notifications", "unnoticed");
  return redirect(context, "/notifications", (await countUnseen(context.hub, uid)) > 0 ? "" : "seen");
}
