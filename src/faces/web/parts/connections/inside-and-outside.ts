import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";
import { personRow } from "../channels/person.ts";
import type { Face } from "../channels/person.ts";
import { back, box, buttonForm, token } from "../forms.ts";

/** Pages on which some of one's people are inside, of a group or of whom a profile is shown to, and others can be added. */

/** Somebody inside, by what the form calls them, and what is said of them there. */
export type Inside = { person: Face; value: string | number; about?: string };

/** Somebody to add, by what the form calls them. */
export type Outside = { label: string; value: string; hint: string };

/** Who is inside, or could be, by what is in their names. */
export function findInsideForm(say: Say, label: string, text: string): Html {
  return html`<form class="card search-form" role="search">
    <label for="find">${label}</label>
    <div class="row">
      <input id="find" name="find" type="search" value="${text}" autocapitalize="none" spellcheck="false" /><button
        class="button primary"
      >
        ${say("connections.find")}
      </button>
    </div>
  </form>`;
}

/** Who is inside, each with a button that takes them out by the form at `action`; the words where it is nobody. */
export function insideList(
  context: PageContext,
  { label, action, people, nobody }: { label: string; action: string; people: readonly Inside[]; nobody: string },
): Html {
  const { say } = context;
  if (people.length === 0) return html`<p class="empty">${nobody}</p>`;
  return html`<ul class="card people" aria-label="${label}">
    ${people.map(({ person, value, about }) =>
      personRow(context, person, {
        ...(about !== undefined && { about }),
        actions: buttonForm(
          context,
          action,
          html`${say("connections.take-out")}<span class="unseen"> ${person.xchan_name}</span>`,
          { kind: "quiet", fields: { remove: value, back: withParameter(context.here, "done", "") } },
        ),
      }),
    )}
  </ul>`;
}

/** Boxes of those who can be added by the form at `action`, and that these are only the first so many; the words where it is nobody. */
export function outsideForm(
  context: PageContext,
  {
    action,
    people,
    onlyFirst,
    nobody,
  }: { action: string; people: readonly Outside[]; onlyFirst: number | undefined; nobody: Html | string },
): Html {
  const { say } = context;
  const isEmpty = people.length === 0;
  return html`<form class="card form-page" method="post" action="${action}">
    ${token(context)} ${back(context)}
    <fieldset>
      <legend>${say("connections.add-people")}</legend>
      <div class="columns">${people.map((one) => box({ ...one, name: "add", checked: false }))}</div>
      ${isEmpty ? html`<p class="hint">${nobody}</p>` : ""}
      ${onlyFirst === undefined ? "" : html`<p class="hint">${say("connections.group-more-people", { count: onlyFirst })}</p>`}
    </fieldset>
    ${isEmpty ? "" : html`<p class="submit"><button class="button primary">${say("connections.add")}</button></p>`}
  </form>`;
}
