import { html } from "hono/html";
import { block, pageOfPeople, unblock } from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { connectionTabs } from "../../parts/connections/connection-tabs.ts";
import { buttonForm, token } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { personRow, personUrl } from "../../parts/channels/person.ts";

const perPage = 50;

/** The people whom the member has blocked, and the way to block one. */
export const blockedPages: Page[] = [
  { path: "/connections/blocked", access: "member", get: list, post: end },
  { path: "/connections/block", access: "member", get: confirm, post: begin },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, query } = context;
  const { keys, next } = await pageOfPeople(hub, member.channel.channel_id, "blocked", {
    after: query.number("before"),
    count: perPage,
  });
  const people = new Map((await findXchans(hub, keys)).map((person) => [person.xchan_id, person]));
  const main = html`<h1>Connections</h1>
    ${await connectionTabs(context, "blocked")}
    <p class="lead">
      These people see nothing of yours that is not public, and you see nothing of theirs. They are not told.
      <a href="/connections/hosts">Whole servers</a> can be blocked or muted as well.
    </p>
    ${
      keys.length > 0
        ? html`<ul class="card people" aria-label="Blocked people">
            ${keys.map((id) => blockedRow(context, people.get(id)!))}
          </ul>`
        : html`<p class="empty">You haven't blocked anybody. “Block” is in the menu on everybody's channel page.</p>`
    }
    ${pager(context, next || undefined)}`;
  return show(context, { title: "Blocked people", main });
}

function blockedRow(context: MemberContext, person: Xchan): Html {
  const label = html`Unblock<span class="unseen"> ${person.xchan_name}</span>`;
  return personRow(context, person, {
    actions: buttonForm(context, "/connections/blocked", label, { fields: { xchan: person.xchan_hash } }),
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
  const person = await personOf(context, context.query.text("xchan"));
  const main = html`<section class="card form-page">
    <h1>Block ${person.xchan_name}?</h1>
    <p>
      They see nothing of yours that is not public, and nothing of theirs reaches you. They are not told. You can end
      this at any time, and everything is as it was before.
    </p>
    <form method="post" action="/connections/block">
      ${token(context)} <input type="hidden" name="xchan" value="${person.xchan_hash}" />
      <p class="submit">
        <button class="button danger">Block</button> <a href="${personUrl(context, person)}">Leave it</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: "Block somebody", main });
}

async function begin(context: MemberContext, form: Fields): Promise<Response> {
  await block(context.hub, context.member.channel, await personOf(context, form.text("xchan")));
  return redirect(context, "/connections/blocked", "blocked");
}
