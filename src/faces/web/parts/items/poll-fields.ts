import { ownPolls } from "../../../../domain/items/poll.ts";
import type { Poll } from "../../../../domain/items/poll.ts";
import type { NewPoll } from "../../../../domain/items/types.ts";
import { storedDate } from "../../../../http/dates.ts";
import { fault as faultOf } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import { box, choice } from "../forms.ts";

const day = 24 * 3600;

/** How long a poll is open, in seconds. */
const hours = [1, 6] as const;
const days = [1, 3, 7, 30] as const;

/** The choices for it; empty is for good. */
function durations(say: Say): (readonly [seconds: string, words: string])[] {
  return [
    ...hours.map((count) => [String(count * 3600), say("composer.poll-hours", { count })] as const),
    ...days.map((count) => [String(count * day), say("composer.poll-days", { count })] as const),
    ["", say("composer.poll-for-good")],
  ];
}

/** What the choice says of an end that stays. */
const sameEnd = "same";

const shownAtFirst = 4;

/** The fields of a poll: options, of which empty ones are none, and its end. */
export function pollFields(context: PageContext, typed: Fields | undefined, fault: Fault | undefined): Html {
  return fieldset(context, typed, fault, durations(context.say));
}

/** The same for one that is there, whose end may stay. */
export function changedPollFields(context: PageContext, typed: Fields, fault: Fault | undefined): Html {
  const { say } = context;
  return html`${fieldset(context, typed, fault, [[sameEnd, say("composer.poll-same-end")], ...durations(say)])}
    <p class="hint">${say("composer.poll-anew")}</p>`;
}

function fieldset(
  context: PageContext,
  typed: Fields | undefined,
  fault: Fault | undefined,
  choices: ReturnType<typeof durations>,
): Html {
  const { say } = context;
  const given = typed?.all("option") ?? [];
  const rows = Math.min(ownPolls.most, Math.max(shownAtFirst, given.length + 2));
  return html`<fieldset class="poll-fields ${fault?.field === "option" ? "wrong" : ""}">
    <legend>${say("composer.poll-options")}</legend>
    ${Array.from(
      { length: rows },
      (_, at) =>
        html`<input
          name="option"
          value="${given[at] ?? ""}"
          maxlength="${ownPolls.longest}"
          aria-label="${say("composer.poll-option", { number: at + 1 })}"
          placeholder="${say("composer.poll-option", { number: at + 1 })}"
        />`,
    )}
    ${given.length >= shownAtFirst - 1 ? html`<button class="button small" name="do" value="look" formnovalidate>${say("composer.poll-more")}</button>` : ""}
    ${box({ label: say("composer.poll-several"), name: "poll_several", checked: typed?.has("poll_several") ?? false })}
    ${choice(context, { label: say("composer.poll-length"), name: "poll_ends", value: typed ? typed.text("poll_ends") : String(7 * day), choices, fault })}
  </fieldset>`;
}

/** The poll that a form describes, for a post of this moment; undefined when it has no options. */
export function readPoll(say: Say, typed: Fields, from: Date): NewPoll | undefined {
  const options = optionsIn(typed);
  if (options.length === 0) return undefined;
  return { options, several: typed.has("poll_several"), ends: endIn(say, typed, from) };
}

/** A poll as the fields of its form have it. */
export function pollAsTyped({ options, several }: Poll): [name: string, value: string][] {
  return [
    ...options.map(({ name }): [string, string] => ["option", name]),
    ...(several ? [["poll_several", "1"] as [string, string]] : []),
    ["poll_ends", sameEnd],
  ];
}

/**
 * What a form makes of a poll; undefined when it changes nothing of it, so that the words of one that has ended can be
 * changed, too.
 */
export function readChangedPoll(say: Say, typed: Fields, from: Date, former: Poll): NewPoll | undefined {
  if (![...typed.entries()].some(([name]) => name === "option")) return undefined;
  const options = optionsIn(typed);
  const several = typed.has("poll_several");
  if (typed.text("poll_ends") !== sameEnd) return { options, several, ends: endIn(say, typed, from) };
  const asBefore = several === former.several && isSame(options, former.options);
  return asBefore ? undefined : { options, several, ends: former.ends };
}

function isSame(options: readonly string[], former: Poll["options"]): boolean {
  return options.length === former.length && former.every(({ name }, at) => options[at] === name);
}

function optionsIn(typed: Fields): string[] {
  return typed.all("option").filter((option) => option.trim() !== "");
}

/** When it ends; undefined for never. */
function endIn(say: Say, typed: Fields, from: Date): string | undefined {
  const length = typed.text("poll_ends");
  if (!durations(say).some(([known]) => known === length))
    throw faultOf("poll_ends", say("composer.choose-poll-length"));
  if (length === "") return undefined;
  return storedDate({ form: "moment", at: from.getTime() + Number(length) * 1000 }, "UTC", from);
}
