import { html } from "hono/html";
import type { TextFormat } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext } from "../../page.ts";
import { box, choice, textField } from "../forms.ts";
import { momentField } from "../moment-field.ts";
import { commenterChoices, quoterChoices } from "./interaction.ts";
import { languages } from "./languages.ts";
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

export const textFormatChoices = [
  ["text/bbcode", "BBCode"],
  ["text/markdown", "Markdown"],
] as const;

/** What is folded up until somebody asks for it, or has filled it in. */
export function composerExtras(context: MemberContext, { place, id, format, typed, fault }: Options): Html {
  const value = (name: string): string => typed?.text(name) ?? "";
  const all: Extra[] = [
    {
      words: "Content warning",
      names: ["summary", "title", "category"],
      fields: () =>
        place === "comment"
          ? summaryField(context, value("summary"), { id })
          : html`${summaryField(context, value("summary"))}
            ${textField(context, { label: "Title", name: "title", value: value("title") })}
            ${textField(context, { label: "Categories", name: "category", value: value("category"), hint: "Separate several with commas." })}`,
    },
    { words: "Poll", names: ["option"], fields: () => pollFields(context, typed, fault), on: "own wall" },
    {
      words: "When and where",
      names: ["publish_at", "event_begins", "event_ends", "location"],
      fields: () =>
        html`${momentField(context, { label: "Publish later", name: "publish_at", value: value("publish_at"), fault, hint: "Nobody sees it until then." })}
          ${textField(context, { label: "Place", name: "location", value: value("location") })}
          <div class="columns">
            ${momentField(context, { label: "An event that begins", name: "event_begins", value: value("event_begins"), fault })}
            ${textField(context, { label: "and ends", name: "event_ends", type: "datetime-local", value: value("event_ends"), fault })}
          </div>`,
      on: "own wall",
    },
    {
      words: "Who may answer",
      names: ["commenters", "quoters", "unlisted"],
      fields: () =>
        html`${choice(context, { label: "Who may answer?", name: "commenters", value: value("commenters"), choices: commenterChoices, fault })}
        ${choice(context, { label: "Who may quote it?", name: "quoters", value: value("quoters"), choices: quoterChoices, hint: "Counts for posts that everybody may see.", fault })}
        ${box({ label: "Not in public lists", name: "unlisted", checked: typed?.has("unlisted") ?? false, hint: "Everybody may see a public post then, but it stands in no public timeline and is not found by words or hashtags." })}`,
      on: "own wall",
    },
    {
      words: "Language and signs",
      names: ["lang"],
      fields: () =>
        html`<div class="columns">
            ${choice(context, { label: "Written in", name: "mimetype", id, value: value("mimetype") || format, choices: textFormatChoices, fault })}
            ${choice(context, { label: "Language", name: "lang", id, value: value("lang"), choices: languages, fault })}
          </div>
          <p class="hint">
            In BBCode it is [b]bold[/b], in Markdown **bold**. #hashtags, @names and :smile: work in both. What you
            choose stays for the next time.
          </p>`,
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
