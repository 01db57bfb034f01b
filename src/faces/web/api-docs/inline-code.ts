import { html } from "../html.ts";
import type { Html } from "../page.ts";

/** A sentence in which `words between backticks` are shown as code. */
export function inlineCode(sentence: string): Html {
  const pieces = sentence.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));
  return html`${pieces}`;
}
