import { delayTo, findDelayed, listDelayed, publishNow } from "../../../../domain/items/posting/delayed.ts";
import { deleteItem } from "../../../../domain/items/posting/delete.ts";
import { hasMissedItsDate } from "../../../../domain/items/posting/schedule.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultOf, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { cursorOf, cursorText } from "../../parts/cursor.ts";
import { alert, token } from "../../parts/forms.ts";
import { attachments } from "../../parts/items/attachments.ts";
import { body } from "../../parts/items/body.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import type { Feed } from "../../parts/items/feed.ts";
import { viewerOf } from "../../parts/items/status.ts";
import { visibility } from "../../parts/items/visibility.ts";
import { momentField, momentText, readMoment } from "../../parts/moment-field.ts";
import { pager } from "../../parts/pager.ts";
import { exactTime } from "../../parts/times.ts";

/** What the member has written to be published later. */
export const scheduledPages: Page[] = [
  { path: "/scheduled", access: "member", get: (context) => list(context) },
  { path: "/scheduled/:id", access: "member", post: decide },
];

const perPage = 20;

async function decide(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const id = idOf(params["id"]);
  return tryForm(
    context,
    async () => {
      switch (typed.text("do")) {
        case "publish":
          await publishNow(hub, member.channel, id);
          return redirect(context, "/scheduled", "posted");
        case "delete":
          await findDelayed(hub, member.channel, id);
          await deleteItem(hub, member.channel, { id });
          return redirect(context, "/scheduled", "deleted");
        case "delay":
          await delayTo(hub, member.channel, id, readDate(context, typed));
          return redirect(context, "/scheduled", "saved");
        default:
          throw faultOf("do", context.say("forms.unknown-button"));
      }
    },
    (fault) => list(context, fault),
  );
}

function readDate(context: MemberContext, typed: Fields): string {
  const date = readMoment(context, typed, "publish_at");
  if (date === undefined) throw faultOf("publish_at", context.say("items.say-when"));
  return date;
}

async function list(context: MemberContext, fault?: Fault): Promise<Response> {
  const { items, next } = await listDelayed(context.hub, context.member.channel, {
    after: cursorOf(context),
    count: perPage,
  });
  const feed = await loadFeed(context, items);
  const { say } = context;
  const main = html`<h1>${say("items.scheduled")}</h1>
    <p class="lead">${say.html("items.scheduled-lead", { write: linkTo("/network") })}</p>
    ${alert(fault)} ${items.map((item) => card(context, feed, item))}
    ${items.length === 0 ? html`<p class="empty">${say("items.scheduled-empty")}</p>` : ""}
    ${pager(context, cursorText(next), say("items.later"))}`;
  return show(context, { title: say("items.scheduled"), main, status: fault?.status ?? 200 });
}

function card(context: MemberContext, feed: Feed, item: Item): Html {
  const { say } = context;
  return html`<article class="card scheduled" aria-labelledby="at-${item.id}">
    <p class="meta">
      <strong id="at-${item.id}">${exactTime(context, item.created)}</strong> ${visibility(context, feed, item)}
    </p>
    ${hasMissedItsDate(context.hub, context.member.channel, item) ? html`<p class="alert">${say("items.missed-its-date")}</p>` : ""}
    ${item.title ? html`<h2 class="status-title">${item.title}</h2>` : ""}
    ${item.summary ? html`<p class="meta">${say("items.warning-is", { words: item.summary })}</p>` : ""}
    <div class="body">${body(context, item.html, viewerOf(context))}</div>
    ${attachments(context, item.attach)}
    <form method="post" action="/scheduled/${item.id}">
      ${token(context)}
      ${momentField(context, { label: say("items.publish-at"), name: "publish_at", value: momentText(context, item.created), optional: false, id: String(item.id) })}
      <p class="submit">
        <button class="button" name="do" value="delay">${say("items.change-date")}</button>
        <button class="button" name="do" value="publish">${say("items.publish-now")}</button>
        <a class="button quiet" href="/item/${item.id}/edit">${say("forms.edit")}</a>
        <button class="button danger" name="do" value="delete">${say("forms.delete")}</button>
      </p>
    </form>
  </article>`;
}
