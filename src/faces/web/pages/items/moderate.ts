import {
  approveHeld,
  blockItem,
  dropHeld,
  keptBack,
  unblockItem,
} from "../../../../domain/items/posting/moderation.ts";
import type { KeptBack } from "../../../../domain/items/posting/moderation.ts";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { firstContacts, letContactIn, refuseContact } from "../../../../domain/items/first-contacts.ts";
import type { FirstContact } from "../../../../domain/items/first-contacts.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { redirect, show } from "../../answers.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
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
  { path: "/moderate/strangers", access: "member", get: strangers },
  { path: "/moderate/strangers/:id", access: "member", post: decideAbout },
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
    ${chips(context)}
    <p>${held ? say.html("items.held-lead", { setting: linkTo("/settings/posts") }) : say("items.hidden-lead")}</p>
    <div id="kept-back">
      ${items.length === 0 ? html`<p class="empty">${say(held ? "items.none-held" : "items.none-hidden")}</p>` : ""}
      ${items.map((item) => card(context, item, users.get(item.author_id), why))} ${pager(context, next)}
    </div>`;
  return show(context, { title: say("items.moderation"), main });
}

function chips({ say, path }: MemberContext): Html {
  const tabs = [
    ["/moderate", say("items.waiting")],
    ["/moderate/strangers", say("items.from-strangers")],
    ["/moderate/hidden", say("items.hidden-by-you")],
  ] as const;
  return html`<nav class="chips" aria-label="${say("items.kept-back")}">
    <ul>
      ${tabs.map(([href, label]) => html`<li><a href="${href}" ${href === path ? html`aria-current="true"` : ""}>${label}</a></li>`)}
    </ul>
  </nav>`;
}

/** What strangers have written, who are to be let in first. */
async function strangers(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const { contacts, next } = await firstContacts(hub, member.channel, { ...beforeOf(context), count: perPage });
  const authors = await findXchans(hub, [...new Set(contacts.map(({ author_id }) => author_id))]);
  const people = new Map(authors.map((author) => [author.xchan_id, author]));
  const main = html`<h1>${say("items.moderation")}</h1>
    ${chips(context)}
    <p>${say.html("items.strangers-lead", { setting: linkTo("/settings/posts") })}</p>
    <div id="kept-back">
      ${contacts.length === 0 ? html`<p class="empty">${say("items.none-strangers")}</p>` : ""}
      ${contacts.map((contact) => contactCard(context, contact, people.get(contact.author_id)))} ${pager(context, next)}
    </div>`;
  return show(context, { title: say("items.moderation"), main });
}

async function decideAbout(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const id = idOf(params["id"]);
  switch (typed.text("act")) {
    case "approve":
      await letContactIn(hub, member.channel, id);
      return redirect(context, "/moderate/strangers", "letthrough");
    case "refuse":
      await refuseContact(hub, member.channel, id);
      return redirect(context, "/moderate/strangers", "removed");
    default:
      throw fault("act", context.say("forms.unknown-button"));
  }
}

function contactCard(context: MemberContext, contact: FirstContact, author: Xchan | undefined): Html {
  const { say } = context;
  const button = (act: string, label: string, kind: string): Html =>
    buttonForm(context, `/moderate/strangers/${contact.id}`, label, { kind, fields: { act }, part: "#kept-back" });
  const who = author ? `${author.xchan_name} (${author.xchan_addr})` : say("items.somebody");
  return html`<article class="card kept-back">
    <header>
      <h2>${say(contact.is_private === 1 ? "items.stranger-message" : "items.stranger-post", { who })}</h2>
      <p class="meta">${time(context, contact.received)}</p>
    </header>
    <div class="body"><p>${contact.plain}</p></div>
    <div class="submit">
      ${button("approve", say("items.let-person-in"), "primary")}
      ${button("refuse", say("items.refuse-person"), "danger")}
    </div>
  </article>`;
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
