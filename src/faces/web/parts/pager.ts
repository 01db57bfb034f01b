import { html } from "hono/html";
import { withParameter } from "../local-path.ts";
import type { Html, PageContext } from "../page.ts";

/** A list that grows in place where scripts run: what stands in `list` on the next page takes the place of `place` in it. */
type Growing = { list: string; place: string };

/** The way to the next page of a list; nothing where the list ends. */
export function pager(
  context: PageContext,
  next: number | string | undefined,
  words = context.say("forms.older"),
  growing?: Growing,
): Html {
  if (next === undefined) return html``;
  const path = withParameter(withParameter(context.here, "done", ""), "before", String(next));
  return html`<nav class="pager" aria-label="${context.say("forms.pages")}">
    <a class="button" rel="next" href="${path}" ${growing ? grow(path, growing) : ""}>${words}</a>
  </nav>`;
}

/** Threads one below the other, and the way to more of them. */
export function threadList(context: PageContext, threads: readonly Html[], next: number | string | undefined): Html {
  return html`<div id="threads">
    ${threads} ${pager(context, next, undefined, { list: "#threads", place: "closest .pager" })}
  </div>`;
}

function grow(path: string, { list, place }: Growing): Html {
  return html`hx-get="${path}" hx-target="${place}" hx-select="${list} &gt; *" hx-swap="outerHTML ignoreTitle:true"
  hx-sync="this:drop"`;
}

/** The number that `before` carries. */
export function beforeOf(context: PageContext): { before?: number } {
  const before = context.query.number("before");
  return before === undefined ? {} : { before };
}
