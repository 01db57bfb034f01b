import { html } from "hono/html";
import {
  dropFollower,
  findConnectionTo,
  mute,
  pageOfPeople,
  unmute,
} from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { localPath } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { connectionTabs } from "../../parts/connections/connection-tabs.ts";
import { buttonForm } from "../../parts/forms.ts";
import { pager } from "../../parts/pager.ts";
import { personRow } from "../../parts/channels/person.ts";
import { linkTo } from "../../languages/say.ts";

const perPage = 50;

/** The people whom the member has muted, and the forms that begin and end that; and the one that ends being read by somebody. */
export const mutedPages: Page[] = [
  { path: "/connections/muted", access: "member", get: list, post: end },
  { path: "/connections/mute", access: "member", post: begin },
  { path: "/connections/unmute", access: "member", post: end },
  { path: "/connections/drop-reader", access: "member", post: drop },
];

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, query, say } = context;
  const { keys, next } = await pageOfPeople(hub, member.channel.channel_id, "muted", {
    after: query.number("before"),
    count: perPage,
  });
  const people = new Map((await findXchans(hub, keys)).map((person) => [person.xchan_id, person]));
  const main = html`<h1>${say("connections.title")}</h1>
    ${await connectionTabs(context, "muted")}
    <p class="lead">
      ${say.html("connections.muted-lead", { hosts: linkTo("/connections/hosts"), words: linkTo("/settings/filters") })}
    </p>
    <div id="muted">
      ${
        keys.length > 0
          ? html`<ul class="card people" aria-label="${say("connections.muted-people")}">
              ${keys.map((id) => mutedRow(context, people.get(id)!))}
            </ul>`
          : html`<p class="empty">${say("connections.muted-none")}</p>`
      }
    </div>
    ${pager(context, next || undefined)}`;
  return show(context, { title: say("connections.muted-people"), main });
}

function mutedRow(context: MemberContext, person: Xchan): Html {
  const label = html`${context.say("connections.unmute")}<span class="unseen"> ${person.xchan_name}</span>`;
  return personRow(context, person, {
    actions: buttonForm(context, "/connections/muted", label, { fields: { xchan: person.xchan_hash }, part: "#muted" }),
  });
}

async function end(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const hash = form.text("xchan");
  const known = await findConnectionTo(hub, member.channel.channel_id, hash);
  if (known?.abook_ignored !== 1) throw missing("Connection");
  await unmute(hub, member.channel, hash);
  return redirect(context, localPath(form.text("back"), "/connections/muted"), "unmuted");
}

async function begin(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  await mute(hub, member.channel, await personOf(context, form));
  return redirect(context, localPath(form.text("back"), "/connections/muted"), "muted");
}

async function drop(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const hash = form.text("xchan");
  const known = await findConnectionTo(hub, member.channel.channel_id, hash);
  if (known?.follow_in !== "accepted") throw missing("Connection");
  await dropFollower(hub, member.channel, hash);
  return redirect(context, localPath(form.text("back"), "/connections"), "noreader");
}

async function personOf({ hub, member }: MemberContext, form: Fields): Promise<Xchan> {
  const person = await findKnown(hub, member.channel.channel_id, { hash: form.text("xchan") });
  if (!person || person.xchan_hash === member.channel.channel_hash) throw missing("Identity");
  return person;
}
