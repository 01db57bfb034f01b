import { html } from "../html.ts";
import type { Html } from "../page.ts";

/** One entry of a list that explains words. */
export function meaning(term: string, words: string): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${words}</dd>
  </div>`;
}
