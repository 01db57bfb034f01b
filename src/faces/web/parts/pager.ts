import { html } from "hono/html";
import { withParameter } from "../local-path.ts";
import type { Html, PageContext } from "../page.ts";

/** The way to the next page of a list; nothing where the list ends. */
export function pager(context: PageContext, next: number | string | undefined, words = "Older"): Html {
  if (next === undefined) return html``;
  const here = withParameter(context.here, "done", "");
  return html`<nav class="pager" aria-label="Pages">
    <a class="button" rel="next" href="${withParameter(here, "before", String(next))}">${words}</a>
  </nav>`;
}

/** The number that `before` carries. */
export function beforeOf(context: PageContext): { before?: number } {
  const before = context.query.number("before");
  return before === undefined ? {} : { before };
}
