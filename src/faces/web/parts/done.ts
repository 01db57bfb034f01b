import { html } from "../html.ts";
import { english } from "../languages/english.ts";
import type { Say } from "../languages/say.ts";
import type { Html } from "../page.ts";
import { icon } from "./icons.ts";

/** The sentence about what has just been done; names that no catalogue has say nothing. */
export function doneNote(say: Say, name: string): Html {
  return isDeed(name)
    ? html`<p class="done" id="done" role="status">${icon("check")} ${say(`done.${name}`)}</p>`
    : html``;
}

function isDeed(name: string): name is keyof typeof english.done {
  return Object.hasOwn(english.done, name);
}
