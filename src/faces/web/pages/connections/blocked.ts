import { html } from "hono/html";
import { block, pageOfPeople, unblock } from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { connectionTabs } from "../../parts/connections/connection-tabs.ts";
import { buttonForm, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { personRow, personUrl } from "../../parts/channels/person.ts";
import { linkTo } from "../../languages/say.ts";

const perPage = 50;

/** The people whom the member has blocked, and the way to block one. */
export const blockedPages: Page[] = [
  { path: "/connections/blocked", access: "member", get: list, post: end },
  { path: "/connections/block", access: "member", get: confirm, post: begin },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, query, say } = context;
  const { keys, next } = await pageOfPeople(hub, member.channel.channel_id, "blocked", {
    after: query.number("before"),
    count: perPage,
  });
  const people = new Map((await findXchans(hub, keys)).map((person) => [person.xchan_id, person]));
  const main = html`<h1>${say("connections.title")}</h1>
    ${await connectionTabs(context, "blocked")}
    <p class="lead">${say.html("connections.blocked-lead", { hosts: linkTo("/connections/hosts") })}</p>
    <div id="blocked">
      ${
        keys.length > 0
          ? html`<ul class="card people" aria-label="${say("connections.blocked-people")}">
              ${keys.map((id) => blockedRow(context, people.get(id)!))}
            </ul>`
          : html`<p class="empty">${say("connections.blocked-none")}</p>`
      }
    </div>
    ${pager(context, next || undefined)}`;
  return show(context, { title: say("connections.blocked-people"), main });
}

function blockedRow(context: MemberContext, person: Xchan): Html {
  const label = html`${context.say("connections.unblock")}<span class="unseen"> ${person.xchan_name}</span>`;
  return personRow(context, person, {
    actions: buttonForm(context, "/connections/blocked", label, {
      fields: { xchan: person.xchan_hash },
      part: "#blocked",
    }),
  });
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  await unblock(context.hub, context.member.channel, form.text("xchan"));
  return redirect(context, "/connections/blocked", "unblocked");
}

async function personOf({ hub, member }: MemberContext, hash: string): Promise<Xchan> {
  const person = await findKnown(hub, member.channel.channel_id, { hash });
  if (!person || hash === member.channel.channel_hash) throw missing("Identity");
  return person;
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const person = await personOf(context, context.query.text("xchan"));
  const main = html`<section class="card form-page">
    <h1>${say("connections.block-question", { name: person.xchan_name })}</h1>
    <p>${say("connections.block-means")}</p>
    <form method="post" action="/connections/block">
      ${token(context)} <input type="hidden" name="xchan" value="${person.xchan_hash}" />
      <p class="submit">
        <button class="button danger">${say("connections.hosts-block")}</button>
        <a href="${personUrl(context, person)}">${say("forms.leave-it")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("connections.block-somebody"), main });
}

async function begin(context: MemberContext, form: Fields): Promise<Response> {
  await block(context.hub, context.member.channel, await personOf(context, form.text("xchan")));
  return redirect(context, localPath(form.text("back"), "/connections/blocked"), "blocked");
}
