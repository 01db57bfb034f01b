import { findPeopleById } from "../../../../domain/people/find-people.ts";
import { suggestedPeople } from "../../../../domain/people/suggestions.ts";
import type { Suggestion } from "../../../../domain/people/suggestions.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { avatar, personUrl } from "../channels/person.ts";
import { buttonForm } from "../forms.ts";
import { icon } from "../icons.ts";
import { connectButton } from "./connection-actions.ts";
import type { Say } from "../../languages/say.ts";

/** People whom the member may want to connect with, each with the buttons for it; an empty element where there are none. */
export async function suggestedSection(
  context: MemberContext,
  { heading, back, count }: { heading: string; back: string; count: number },
): Promise<Html> {
  const { hub, member, say } = context;
  const suggestions = await suggestedPeople(hub, member.channel, count);
  const people = await findPeopleById(
    hub,
    member.channel,
    suggestions.map(({ xchan_id }) => xchan_id),
  );
  const list = { back, part: "#suggested" };
  const cards = suggestions.flatMap((one) => {
    const person = people.get(one.xchan_id);
    if (!person) return [];
    const fields = { xchan: person.xchan_hash, back };
    const words = html`${icon("cross")}<span class="unseen"
        >${say("connections.dont-suggest", { name: person.xchan_name })}</span
      >`;
    return [
      html`<li class="stranger">
        ${buttonForm(context, "/directory/dismiss", words, { kind: "quiet dismiss", fields, part: list.part })}
        ${avatar(context, person.xchan_photo_m)}
        <a class="name" href="${personUrl(context, person)}">${person.xchan_name}</a>
        <p class="hint">${reasonWords(say, one)}</p>
        ${connectButton(context, person.xchan_hash, undefined, list)}
      </li>`,
    ];
  });
  return html`<section id="suggested" ${cards.length > 0 ? html`aria-label="${heading}"` : ""}>
    ${
      cards.length > 0
        ? html`<h2>${heading}</h2>
            <ul class="may-know">
              ${cards}
            </ul>`
        : ""
    }
  </section>`;
}

function reasonWords(say: Say, { reason, friends }: Suggestion): string {
  if (reason === "tags") return say("connections.reason-tags");
  if (reason === "active") return say("connections.reason-new");
  return say("connections.reason-friends", { count: friends });
}
