import { pageOfPeople } from "../../../../domain/connections/connections.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { findXchans } from "../../../../domain/identity/xchans/xchans.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { personRow } from "../channels/person.ts";
import { buttonForm } from "../forms.ts";
import { pager } from "../pager.ts";
import { connectionTabs } from "./connection-tabs.ts";

const perPage = 50;

const words = {
  blocked: { people: "connections.blocked-people", none: "connections.blocked-none", end: "connections.unblock" },
  muted: { people: "connections.muted-people", none: "connections.muted-none", end: "connections.unmute" },
} as const;

/** The page of those whom the member has blocked or muted, each with the button that ends it. */
export async function peopleApart(context: MemberContext, kind: keyof typeof words, lead: Html): Promise<Response> {
  const { hub, member, query, say } = context;
  const { keys, next } = await pageOfPeople(hub, member.channel.channel_id, kind, {
    after: query.number("before"),
    count: perPage,
  });
  const people = new Map((await findXchans(hub, keys)).map((person) => [person.xchan_id, person]));
  const title = say(words[kind].people);
  const main = html`<h1>${say("connections.title")}</h1>
    ${await connectionTabs(context, kind)}
    <p class="lead">${lead}</p>
    <div id="${kind}">
      ${
        keys.length > 0
          ? html`<ul class="card people" aria-label="${title}">
              ${keys.map((id) => row(context, kind, people.get(id)!))}
            </ul>`
          : html`<p class="empty">${say(words[kind].none)}</p>`
      }
    </div>
    ${pager(context, next || undefined)}`;
  return show(context, { title, main });
}

function row(context: MemberContext, kind: keyof typeof words, person: Xchan): Html {
  const label = html`${context.say(words[kind].end)}<span class="unseen"> ${person.xchan_name}</span>`;
  return personRow(context, person, {
    actions: buttonForm(context, `/connections/${kind}`, label, {
      fields: { xchan: person.xchan_hash },
      part: `#${kind}`,
    }),
  });
}
