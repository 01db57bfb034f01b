import type { TextFormat } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { box, choice, textField } from "../forms.ts";
import { momentField } from "../moment-field.ts";
import { commenterChoices, quoterChoices } from "./interaction.ts";
import { languageChoices } from "./languages.ts";
import { pollFields } from "./poll-fields.ts";
import { summaryField } from "./summary.ts";

type Options = {
  /** A post on the own wall has all that there is, others less. */
  place: Place;
  /** Tells its fields from those of other forms on the page. */
  id?: string;
  /** What the member wrote in the last time. */
  format: TextFormat;
  typed: Fields | undefined;
  fault: Fault | undefined;
};

type Place = "own wall" | "wall" | "comment";

type Extra = { words: string; names: readonly string[]; fields: () => Html; on?: Place };

const textFormatChoices = [
  ["text/bbcode", "BBCode"],
  ["text/markdown", "Markdown"],
] as const;

/** What is folded up until somebody asks for it, or has filled it in. */
export function composerExtras(context: MemberContext, { place, id, format, typed, fault }: Options): Html {
  const { say } = context;
  const value = (name: string): string => typed?.text(name) ?? "";
  const all: Extra[] = [
    {
      words: say("composer.extra-warning"),
      names: ["summary", "title", "category"],
      fields: () =>
        place === "comment"
          ? summaryField(context, value("summary"), { id })
          : html`${summaryField(context, value("summary"))}
            ${textField(context, { label: say("composer.title"), name: "title", value: value("title") })}
            ${textField(context, { label: say("composer.categories"), name: "category", value: value("category"), hint: say("composer.categories-hint") })}`,
    },
    {
      words: say("composer.extra-poll"),
      names: ["option"],
      fields: () => pollFields(context, typed, fault),
      on: "own wall",
    },
    {
      words: say("composer.extra-when"),
      names: ["publish_at", "event_begins", "event_ends", "location"],
      fields: () =>
        html`${momentField(context, { label: say("composer.publish-at"), name: "publish_at", value: value("publish_at"), fault, hint: say("composer.publish-at-hint") })}
          ${textField(context, { label: say("composer.place"), name: "location", value: value("location") })}
          <div class="columns">
            ${momentField(context, { label: say("composer.event-begins"), name: "event_begins", value: value("event_begins"), fault })}
            ${textField(context, { label: say("composer.event-ends"), name: "event_ends", type: "datetime-local", value: value("event_ends"), fault })}
          </div>`,
      on: "own wall",
    },
    {
      words: say("composer.extra-answers"),
      names: ["commenters", "quoters", "unlisted"],
      fields: () =>
        html`${choice(context, { label: say("composer.who-answers"), name: "commenters", value: value("commenters"), choices: commenterChoices(say), fault })}
        ${choice(context, { label: say("composer.who-quotes"), name: "quoters", value: value("quoters"), choices: quoterChoices(say), hint: say("composer.who-quotes-hint"), fault })}
        ${box({ label: say("composer.unlisted"), name: "unlisted", checked: typed?.has("unlisted") ?? false, hint: say("composer.unlisted-hint") })}`,
      on: "own wall",
    },
    {
      words: say("composer.extra-language"),
      names: ["lang"],
      fields: () =>
        html`<div class="columns">
            ${choice(context, { label: say("composer.written-in"), name: "mimetype", id, value: value("mimetype") || format, choices: textFormatChoices, fault })}
            ${choice(context, { label: say("composer.language"), name: "lang", id, value: value("lang"), choices: languageChoices(context), fault })}
          </div>
          <p class="hint">${say("composer.written-in-hint")}</p>`,
    },
  ];
  return html`${all
    .filter(({ on }) => on === undefined || on === place)
    .map(
      ({ words, names, fields }) =>
        html`<details class="extras" ${names.some((name) => typed?.has(name) || fault?.field === name) ? "open" : ""}>
          <summary>${words}</summary>
          ${fields()}
        </details>`,
    )}`;
}
