import { html } from "hono/html";
import { countUnseen, listNotices, markAllSeen, markSeen } from "../../../../domain/notifications/notices.ts";
import type { LaidOutNotice } from "../../../../domain/notifications/laid-out.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath, withoutHost } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { buttonForm } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
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
  const main = html`<div class="title-row">
      <h1>Notices</h1>
      ${notices.some((notice) => notice.seen === 0) ? buttonForm(context, "/notifications", "Mark all as seen", { kind: "quiet" }) : ""}
    </div>
    ${
      notices.length > 0
        ? html`<ol class="card notices">
            ${notices.map((notice) => row(context, notice))}
          </ol>`
        : html`<p class="empty">
            Nothing has happened yet. Comments, likes, mentions, messages and requests are listed here.
          </p>`
    }`;
  return show(context, { title: "Notices", main });
}

function row(context: MemberContext, notice: LaidOutNotice): Html {
  const isNew = notice.seen === 0;
  // The sentence is markup; its words are enough inside a link.
  const words = notice.plain;
  return html`<li class="${isNew ? "unseen-notice" : ""}">
    <a href="/notify/view/${notice.id}">
      ${avatar(context, notice.photo)}
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
function seenButton(context: MemberContext, { id }: LaidOutNotice, words: string): Html {
  const label = html`${icon("check")}<span class="seen-words">Mark as seen</span
    ><span class="unseen">: ${words}</span>`;
  return buttonForm(context, "/notifications", label, { kind: "quiet", fields: { id } });
}

/** For what somebody wants to come back to. */
function unreadButton(context: MemberContext, { id }: LaidOutNotice, words: string): Html {
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
  return redirect(context, localPath(withoutHost(context.hub.config.baseUrl, notice.link), "/notifications"));
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
