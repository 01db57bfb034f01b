import { html } from "hono/html";
import type { Html, PageContext } from "../../page.ts";
import { textField } from "../forms.ts";

/** What a post says before it is opened: its content stays folded until somebody wants to see it. */
export function folded(summary: string, content: Html): Html {
  return html`<details class="warning">
    <summary>${summary} <span class="button small">Show</span></summary>
    ${content}
  </details>`;
}

/** The field for it; what an article says before it is opened is what it is about. */
export function summaryField(
  context: PageContext,
  value: string,
  { kind = 0, id }: { kind?: number; id?: string | undefined } = {},
): Html {
  const [label, hint] =
    kind > 0
      ? ["What it is about", "Shown in streams above the beginning of the text."]
      : ["Content warning", "Shown in place of the text until somebody opens it."];
  return textField(context, { label, name: "summary", value, hint, id });
}
