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
import type { Html, MemberVisit, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { body } from "../../parts/items/body.ts";
import { buttonForm } from "../../parts/forms.ts";
import { avatar, personUrl } from "../../parts/channels/person.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";

/** What the member keeps back from others on its wall. */
export const moderatePages: Page[] = [
  { path: "/moderate", access: "member", get: (visit) => list(visit, "held") },
  { path: "/moderate/hidden", access: "member", get: (visit) => list(visit, "byOwner") },
  { path: "/moderate/:id", access: "member", post: decide },
];

const perPage = 20;

async function decide(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { hub, member, params } = visit;
  const id = idOf(params["id"]);
  switch (typed.text("act")) {
    case "approve":
      await approveHeld(hub, member.channel, id);
      return redirect(visit, "/moderate", "letin");
    case "drop":
      await dropHeld(hub, member.channel, id);
      return redirect(visit, "/moderate", "deleted");
    case "block":
      await blockItem(hub, member.channel, { id });
      return redirect(visit, "/moderate/hidden", "hidden");
    case "show":
      await unblockItem(hub, member.channel, id);
      return redirect(visit, "/moderate/hidden", "shown");
    default:
      throw fault("act", "This button is not known.");
  }
}

async function list(visit: MemberVisit, why: KeptBack): Promise<Response> {
  const { hub, member } = visit;
  const { items, next } = await keptBack(hub, member.channel, why, { ...beforeOf(visit), count: perPage });
  const users = await loadUsers(hub, member.channel, [...new Set(items.map((item) => item.author_id))]);
  const held = why === "held";
  const main = html`<h1>Moderation</h1>
    <nav class="chips" aria-label="What is kept back">
      <ul>
        <li><a href="/moderate" ${held ? html`aria-current="true"` : ""}>Waiting</a></li>
        <li><a href="/moderate/hidden" ${held ? "" : html`aria-current="true"`}>Hidden by you</a></li>
      </ul>
    </nav>
    <p>
      ${held ? html`Comments that wait for you: nobody but you and who wrote them sees them. Whose comments wait is a <a href="/settings/posts">setting</a>.` : "What you have taken off your wall. Nobody sees it until you show it again."}
    </p>
    ${items.length === 0 ? html`<p class="empty">${held ? "No comments are waiting." : "Nothing is hidden."}</p>` : ""}
    ${items.map((item) => card(visit, item, users.get(item.author_id), why))} ${pager(visit, next)}`;
  return show(visit, { title: "Moderation", main });
}

function card(visit: MemberVisit, item: Item, author: User | undefined, why: KeptBack): Html {
  const button = (act: string, label: string, kind: string): Html =>
    buttonForm(visit, `/moderate/${item.id}`, label, { kind, fields: { act } });
  return html`<article class="card kept-back">
    <header class="status-head">
      ${avatar(visit, author?.xchan_photo_m, "small")}
      <div class="byline">
        <p class="who-wrote">
          ${author ? html`<a class="name" href="${personUrl(visit, author)}">${author.xchan_name}</a>` : "Somebody"}
        </p>
        <p class="meta">${time(visit, item.created)}</p>
      </div>
    </header>
    <div class="body">${body(item.html)}</div>
    <div class="submit">
      ${why === "held" ? html`${button("approve", "Let it in", "primary")} ${button("drop", "Delete", "danger")}` : button("show", "Show it again", "primary")}
    </div>
  </article>`;
}
