import { html } from "hono/html";
import { ownPolls } from "../../../../domain/items/poll.ts";
import type { NewPoll } from "../../../../domain/items/types.ts";
import { storedDate } from "../../../../http/dates.ts";
import { fault as faultOf } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, PageContext } from "../../page.ts";
import { box, choice } from "../forms.ts";

const day = 24 * 3600;

/** How long a poll is open, in seconds. */
const durations = [
  ["3600", "1 hour"],
  ["21600", "6 hours"],
  [String(day), "1 day"],
  [String(3 * day), "3 days"],
  [String(7 * day), "7 days"],
  [String(30 * day), "30 days"],
  ["", "for good"],
] as const;

const shownAtFirst = 4;

/** The fields of a poll: options, of which empty ones are none, and its end. */
export function pollFields(context: PageContext, typed: Fields | undefined, fault: Fault | undefined): Html {
  const given = typed?.all("option") ?? [];
  const rows = Math.min(ownPolls.most, Math.max(shownAtFirst, given.length + 2));
  return html`<fieldset class="poll-fields ${fault?.field === "option" ? "wrong" : ""}">
    <legend>Options of the poll</legend>
    ${Array.from(
      { length: rows },
      (_, at) =>
        html`<input
          name="option"
          value="${given[at] ?? ""}"
          maxlength="${ownPolls.longest}"
          aria-label="Option ${at + 1}"
          placeholder="Option ${at + 1}"
        />`,
    )}
    ${given.length >= shownAtFirst - 1 ? html`<button class="button small" name="do" value="look" formnovalidate>More options</button>` : ""}
    ${box({ label: "Several may be chosen", name: "poll_several", checked: typed?.has("poll_several") ?? false })}
    ${choice(context, { label: "It is open", name: "poll_ends", value: typed ? typed.text("poll_ends") : String(7 * day), choices: durations, fault })}
  </fieldset>`;
}

/** The poll that a form describes, for a post of this moment; undefined when it has no options. */
export function readPoll(typed: Fields, from: Date): NewPoll | undefined {
  const options = typed.all("option").filter((option) => option.trim() !== "");
  if (options.length === 0) return undefined;
  const length = typed.text("poll_ends");
  if (!durations.some(([known]) => known === length)) throw faultOf("poll_ends", "Choose how long the poll is open.");
  const several = typed.has("poll_several");
  if (length === "") return { options, several };
  return {
    options,
    several,
    ends: storedDate({ form: "moment", at: from.getTime() + Number(length) * 1000 }, "UTC", from),
  };
}
