import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { textField } from "../forms.ts";

/** What a post says before it is opened: its content stays folded until somebody wants to see it. */
export function folded({ say }: PageContext, summary: string, content: Html): Html {
  return html`<details class="warning">
    <summary>${summary} <span class="button small">${say("composer.show")}</span></summary>
    ${content}
  </details>`;
}

/** The field for it; what an article says before it is opened is what it is about. */
export function summaryField(
  context: PageContext,
  value: string,
  { kind = 0, id }: { kind?: number; id?: string | undefined } = {},
): Html {
  const { say } = context;
  const words =
    kind > 0
      ? { label: say("composer.summary-about"), hint: say("composer.summary-about-hint") }
      : { label: say("composer.summary-warning"), hint: say("composer.summary-warning-hint") };
  return textField(context, { ...words, name: "summary", value, id });
}
