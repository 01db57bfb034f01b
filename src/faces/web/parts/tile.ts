import { html } from "../html.ts";
import type { Html } from "../page.ts";
import { icon } from "./icons.ts";
import type { IconName } from "./icons.ts";

/** Ways to other pages that belong together, under what they have in common. */
export function tiles(title: string, ways: readonly Html[]): Html {
  return html`<h2>${title}</h2>
    <ul class="card tiles">
      ${ways}
    </ul>`;
}

/** A way to another page, with a few words about what is there. */
export function tile(href: string, name: IconName, title: string, words: string): Html {
  return html`<li>
    <a href="${href}"
      >${icon(name)}<span><strong>${title}</strong><small>${words}</small></span></a
    >
  </li>`;
}
