import { html } from "hono/html";
import {
  approveHeld,
  blockItem,
  dropHeld,
  keptBack,
  unblockItem,
} from "../../../../domain/items/posting/moderation.ts";
import type { KeptBack } from "../../../../domain/items/posting/moderation.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { redirect, show } from "../../answers.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { body } from "../../parts/items/body.ts";
import { buttonForm } from "../../parts/forms.ts";
import { avatar, personUrl } from "../../parts/channels/person.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";

/** What the member keeps back from others on its wall. */
export const moderatePages: Page[] = [
  { path: "/moderate", access: "member", get: (context) => list(context, "held") },
  { path: "/moderate/hidden", access: "member", get: (context) => list(context, "byOwner") },
  { path: "/moderate/:id", access: "member", post: decide },
];

const perPage = 20;

async function decide(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const id = idOf(params["id"]);
  switch (typed.text("act")) {
    case "approve":
      await approveHeld(hub, member.channel, id);
      return redirect(context, "/moderate", "letin");
    case "drop":
      await dropHeld(hub, member.channel, id);
      return redirect(context, "/moderate", "deleted");
    case "block":
      await blockItem(hub, member.channel, { id });
      return redirect(context, "/moderate/hidden", "hidden");
    case "show":
      await unblockItem(hub, member.channel, id);
      return redirect(context, "/moderate/hidden", "shown");
    default:
      throw fault("act", context.say("forms.unknown-button"));
  }
}

async function list(context: MemberContext, why: KeptBack): Promise<Response> {
  const { hub, member, say } = context;
  const { items, next } = await keptBack(hub, member.channel, why, { ...beforeOf(context), count: perPage });
  const users = await loadUsers(hub, member.observer, [...new Set(items.map((item) => item.author_id))]);
  const held = why === "held";
  const main = html`<h1>${say("items.moderation")}</h1>
    <nav class="chips" aria-label="${say("items.kept-back")}">
      <ul>
        <li><a href="/moderate" ${held ? html`aria-current="true"` : ""}>${say("items.waiting")}</a></li>
        <li><a href="/moderate/hidden" ${held ? "" : html`aria-current="true"`}>${say("items.hidden-by-you")}</a></li>
      </ul>
    </nav>
    <p>${held ? say.html("items.held-lead", { setting: linkTo("/settings/posts") }) : say("items.hidden-lead")}</p>
    <div id="kept-back">
      ${items.length === 0 ? html`<p class="empty">${say(held ? "items.none-held" : "items.none-hidden")}</p>` : ""}
      ${items.map((item) => card(context, item, users.get(item.author_id), why))} ${pager(context, next)}
    </div>`;
  return show(context, { title: say("items.moderation"), main });
}

function card(context: MemberContext, item: Item, author: User | undefined, why: KeptBack): Html {
  const button = (act: string, label: string, kind: string): Html =>
    buttonForm(context, `/moderate/${item.id}`, label, { kind, fields: { act }, part: "#kept-back" });
  return html`<article class="card kept-back">
    <header class="status-head">
      ${avatar(context, author?.xchan_photo_m, "small")}
      <div class="byline">
        <p class="who-wrote">
          ${author ? html`<a class="name" href="${personUrl(context, author)}">${author.xchan_name}</a>` : context.say("items.somebody")}
        </p>
        <p class="meta">${time(context, item.created)}</p>
      </div>
    </header>
    <div class="body">${body(context, item.html)}</div>
    <div class="submit">
      ${why === "held" ? html`${button("approve", context.say("items.let-in"), "primary")} ${button("drop", context.say("forms.delete"), "danger")}` : button("show", context.say("items.show-again"), "primary")}
    </div>
  </article>`;
}
