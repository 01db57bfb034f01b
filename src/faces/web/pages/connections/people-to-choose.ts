import { listPeople } from "../../../../domain/connections/connections.ts";
import { scatteredPeople } from "../../../../domain/groups/scattered.ts";
import { listRecipients } from "../../../../domain/messages/messages.ts";
import { fragment } from "../../answers.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { peopleBoxes, peopleFound } from "../../parts/connections/people-choice.ts";
import type { Choosable } from "../../parts/connections/people-choice.ts";
import { choosable } from "../../parts/items/audience-reach.ts";
import { recipient } from "../../parts/messages/people.ts";

/** Those of one's people whom a form has no room for, for scripts: boxes to tick (parts/connections/people-choice.ts). */
export const peopleToChoosePages: Page[] = [{ path: "/suggestions/people", access: "member", get: find }];

async function find(context: MemberContext): Promise<Response> {
  const { query, say } = context;
  const search = query.word("find");
  const { name, people, more } = await listed(context, search);
  return fragment(
    context,
    html`${peopleBoxes({ name, people, chosen: new Set() })}
      <p class="hint" role="status">
        ${people.length === 0 ? say("composer.nobody-found", { text: search }) : more ? say("composer.first-found", { count: people.length }) : ""}
      </p>`,
  );
}

type Found = { name: string; people: Choosable[]; more: boolean };

async function listed({ hub, member, query, say }: MemberContext, search: string): Promise<Found> {
  const { channel } = member;
  const uid = channel.channel_id;
  const asked = { search, count: peopleFound };
  if (query.text("list") === "messages") {
    const { people, more } = await listRecipients(hub, channel, asked);
    return { name: "to", people: people.map(recipient), more };
  }
  const [{ people, more }, reach] = await Promise.all([
    listPeople(hub, uid, asked),
    query.text("list") === "posts" ? scatteredPeople(hub, uid).then((scattered) => ({ scattered })) : undefined,
  ]);
  return { name: "contact_allow", people: people.map((one) => choosable(say, reach, one)), more };
}
