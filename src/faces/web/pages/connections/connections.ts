import { approve, connectionsByName, findConnectionTo, refuse } from "../../../../domain/connections/connections.ts";
import type { NamedConnection } from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { loadAccounts } from "../../../../domain/people/account-details.ts";
import { findByNick, findByProfile } from "../../../../domain/people/find-person.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { lookingPage, personAnywhere } from "../../look-up.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { connectButton, connectionMenu, onPage, readsOnly } from "../../parts/connections/connection-actions.ts";
import { connectionTabs } from "../../parts/connections/connection-tabs.ts";
import { buttonForm } from "../../parts/forms.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { aboutsFor, personRow } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import { linkTo } from "../../languages/say.ts";

const perPage = 50;

/** People: those one is connected with, those who ask, and those one looks for. */
export const connectionsPages: Page[] = [
  { path: "/connections", access: "member", get: list },
  { path: "/connections/ifpending", access: "member", get: requests, post: answer },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, query, say } = context;
  const text = query.word("find");
  const sought = await soughtBy(context, text);
  const looking = await lookingPage(context, text, sought);
  if (looking) return looking;
  const { connections, next } = await connectionsByName(hub, member.channel.channel_id, {
    search: text,
    ...beforeOf(context),
    count: perPage,
  });
  // Who stands above the list as the one who was meant is not in it once more.
  const listed = connections.filter(
    ({ xchan_hash, xchan_deleted }) => xchan_hash !== sought?.xchan_hash || xchan_deleted === 1,
  );
  const { accounts } = await loadAccounts(
    hub,
    context.observer,
    listed.map(({ xchan_id }) => xchan_id),
  );
  const hasMoved = ({ xchan_id }: NamedConnection) => (accounts.get(xchan_id)?.movedTo ?? "") !== "";
  const main = html`<h1>${say("connections.title")}</h1>
    ${await connectionTabs(context, "all")}
    <form class="card search-form" action="/connections" role="search">
      <label for="find">${say("connections.find-label")}</label>
      <div class="row">
        <input
          id="find"
          name="find"
          value="${query.text("find")}"
          autocapitalize="none"
          spellcheck="false"
          placeholder="${say("connections.find-example")}"
        /><button class="button primary">${say("connections.find")}</button>
      </div>
    </form>
    ${text !== "" && !query.has("before") ? await found(context, text, sought, listed.length > 0) : ""}
    ${
      listed.length > 0
        ? html`<ul class="card people" aria-label="${say("connections.title")}">
            ${listed.map((one) => connectionRow(context, one, hasMoved(one)))}
          </ul>`
        : text === ""
          ? html`<p class="empty">${say.html("connections.connections-none", { directory: linkTo("/directory") })}</p>`
          : ""
    }
    ${pager(context, next, say("connections.more"))}`;
  return show(context, { title: say("connections.title"), main });
}

function connectionRow(context: MemberContext, one: NamedConnection, hasMoved: boolean): Html {
  const { say } = context;
  const states = [
    hasMoved ? say("connections.state-moved") : "",
    one.follow_out === "requested" ? say("connections.state-asked") : "",
    readsOnly(one) ? say("connections.state-reads-you") : "",
    one.abook_blocked === 1 ? say("connections.state-blocked") : "",
    one.abook_ignored === 1 ? say("connections.state-ignored") : "",
    one.abook_hidden === 1 ? say("connections.state-hidden") : "",
    one.abook_archived === 1 ? say("connections.state-archived") : "",
  ].filter((state) => state !== "");
  return personRow(context, one, {
    ...(states.length > 0 && { about: states.join(", ") }),
    actions: html`<a
      class="button quiet"
      href="/connedit/${one.abook_id}"
      aria-label="${say("connections.edit-with", { name: one.xchan_name })}"
      >${say("forms.edit")}</a
    >`,
  });
}

async function soughtBy({ hub, member }: MemberContext, text: string): Promise<Xchan | undefined> {
  if (text === "") return undefined;
  return text.includes("/") || text.startsWith("acct:")
    ? findByProfile(hub, text)
    : findByNick(hub, member.observer, text.replace(/^@/, ""));
}

/** Whom the hub knows under that name, else whose it is elsewhere; nothing where there is neither, but connections that are `listed`. */
async function found(
  context: MemberContext,
  text: string,
  sought: Xchan | undefined,
  listed: boolean,
): Promise<Html | string> {
  const { hub, member, say } = context;
  const { person, sentence } = await personAnywhere(context, text, sought);
  if (!person && listed) return "";
  if (!person)
    return html`<div class="empty">
      <p role="status">${sentence}</p>
      <p>
        <a class="button" href="/directory?search=${encodeURIComponent(text)}"
          >${say("connections.look-in-directory")}</a
        >
      </p>
    </div>`;
  const own = person.xchan_hash === member.channel.channel_hash;
  const known = await findConnectionTo(hub, member.channel.channel_id, person.xchan_hash);
  const about = (await aboutsFor(context, [person])).get(person.xchan_id) ?? "";
  const id = `person-${person.xchan_id}`;
  const place = onPage(context, `#${id}`);
  const actions = own
    ? html`<span class="hint">${say("connections.that-is-you")}</span>`
    : html`${connectButton(context, person.xchan_hash, known, place)}
      ${connectionMenu(context, person.xchan_hash, known, { place })}`;
  return html`<ul class="card people" aria-label="${say("connections.found")}">
    ${personRow(context, person, { id, about, actions })}
  </ul>`;
}

async function requests(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { connections: pending, next } = await connectionsByName(context.hub, context.member.channel.channel_id, {
    pending: true,
    ...beforeOf(context),
    count: perPage,
  });
  const main = html`<h1>${say("connections.title")}</h1>
    <div id="requests">
      ${await connectionTabs(context, "requests")}
      ${
        pending.length > 0
          ? html`<ul class="card people">
              ${pending.map((one) => requestRow(context, one))}
            </ul>`
          : html`<p class="empty">${say("connections.requests-none")}</p>`
      }
      ${pager(context, next, say("connections.more"))}
    </div>`;
  return show(context, { title: say("connections.requests"), main });
}

function requestRow(context: MemberContext, one: NamedConnection): Html {
  const { say } = context;
  const answer = (answer: string): { fields: Record<string, string | number>; part: string } => ({
    fields: { id: one.abook_id, answer },
    part: "#requests",
  });
  return personRow(context, one, {
    about: say.html("connections.asked-when", { when: time(context, one.abook_created) }),
    actions: html`${buttonForm(context, "/connections/ifpending", say("connections.approve"), { kind: "primary", ...answer("approve") })}
    ${buttonForm(context, "/connections/ifpending", say("connections.refuse"), answer("refuse"))}`,
  });
}

async function answer(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const id = idOf(form.text("id"));
  if (form.text("answer") === "approve") {
    await approve(hub, member.channel, id);
    return redirect(context, "/connections/ifpending", "approved");
  }
  await refuse(hub, member.channel, id);
  return redirect(context, "/connections/ifpending", "refused");
}
