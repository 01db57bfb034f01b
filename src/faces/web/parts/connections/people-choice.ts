import { choosableByAddress } from "../../../../domain/connections/connections.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, PageContext } from "../../page.ts";
import { box, textField } from "../forms.ts";

/** Boxes to tick for people, of whom the page has a few; scripts bring the others when somebody looks for them. */
export type PeopleChoice = {
  /** The name of the boxes. */
  name: string;
  /** What they are chosen for. */
  list: PeopleList;
  people: readonly Choosable[];
  chosen: ReadonlySet<string>;
  /** There are others than these. */
  more: boolean;
  /** What was typed instead where no scripts run. */
  typed?: string | undefined;
};

/** For whom people are chosen: posts, files, or messages (pages/connections/people-to-choose.ts). */
export type PeopleList = "posts" | "files" | "messages";

/** Somebody to tick, with what is said of them. */
export type Choosable = { hash: string; name: string; about: string };

/** How many stand on a page besides those who are chosen, and how many are found at a time. */
export const peopleOnPage = 12;
export const peopleFound = 100;

/** Those who are chosen before others of a list. */
export function chosenFirst(chosen: readonly Choosable[], others: readonly Choosable[]): Choosable[] {
  const known = new Set(chosen.map(({ hash }) => hash));
  return [...chosen, ...others.filter(({ hash }) => !known.has(hash))];
}

/** The boxes, with a field that finds others, or one for addresses where no scripts run. */
export function peopleChoice(context: PageContext, options: PeopleChoice): Html {
  const { say } = context;
  const { name, list, people, chosen, more, typed } = options;
  const boxes = peopleBoxes({ name, people, chosen });
  if (!more) return boxes;
  return html`<hub-people data-list="${list}">
      <input
        type="search"
        placeholder="${say("composer.filter-people")}"
        aria-label="${say("composer.filter-people")}"
        hidden
      />
      ${boxes}
      <p class="hint" role="status"></p>
    </hub-people>
    <noscript
      >${textField(context, { label: say("composer.people-by-address"), name: `${name}_named`, value: typed ?? "", hint: say("composer.people-by-address-hint", { count: people.length }) })}</noscript
    >`;
}

/** One box for each of them. */
export function peopleBoxes({ name, people, chosen }: Pick<PeopleChoice, "name" | "people" | "chosen">): Html {
  return html`<div class="choosable">
    ${people.map(({ hash, name: label, about }) => box({ label, name, value: hash, checked: chosen.has(hash), hint: about }))}
  </div>`;
}

/** The hashes of all whom such boxes name, and the field beside them. Throws invalid, at `field`, for an address that no connection has. */
export async function readPeople(
  { hub, member, say }: MemberContext,
  form: Fields,
  { name, field }: { name: string; field: string },
): Promise<string[]> {
  const typed = form
    .text(`${name}_named`)
    .toLowerCase()
    .split(/[\s,;]+/);
  const addresses = typed.map((one) => one.replace(/^@/, "")).filter((one) => one !== "");
  const found = await choosableByAddress(hub, member.channel.channel_id, addresses);
  const unknown = addresses.find((one) => !found.has(one));
  if (unknown !== undefined) throw fault(field, say("composer.nobody-at-address", { address: unknown }));
  return [...new Set([...form.all(name), ...found.values()])];
}
