import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";

/** The way back from a page of the administration, and what it is called. */
export function adminHead({ say }: PageContext, title: string): Html {
  return html`<p class="crumbs"><a href="/admin">${say("layout.administration")}</a></p>
    <h1>${title}</h1>`;
}

/** Something that was counted, with its name. */
export function figure(name: string, value: Html | number | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
