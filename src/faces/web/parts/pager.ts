import { html } from "../html.ts";
import { withParameter } from "../local-path.ts";
import type { Html, PageContext } from "../page.ts";

/** A list that grows in place where scripts run: what stands in `list` on the next page, `except` some, takes the place of `place` in it. */
type Growing = { list: string; place: string; except?: string };

/** What the key of the next page bounds. */
type Bound = "before" | "after";

/** The way to the next page of a list; nothing where the list ends. */
export function pager(
  context: PageContext,
  next: number | string | undefined,
  words = context.say("forms.older"),
  growing?: Growing,
  bound: Bound = "before",
): Html {
  if (next === undefined) return html``;
  const other = bound === "before" ? "after" : "before";
  const here = withParameter(withParameter(context.here, "done", ""), other, "");
  const path = withParameter(here, bound, String(next));
  return html`<nav class="pager" aria-label="${bound === "before" ? context.say("forms.pages") : words}">
    <a class="button" rel="${bound === "before" ? "next" : "prev"}" href="${path}" ${growing ? grow(path, growing) : ""}
      >${words}</a
    >
  </nav>`;
}

/** Threads one below the other, and the way to more of them. */
export function threadList(context: PageContext, threads: readonly Html[], next: number | string | undefined): Html {
  return html`<div id="threads">
    ${threads} ${pager(context, next, undefined, { list: "#threads", place: "closest .pager" })}
  </div>`;
}

function grow(path: string, { list, place, except }: Growing): Html {
  const wanted = except === undefined ? "*" : `:not(${except})`;
  return html`hx-get="${path}" hx-target="${place}" hx-select="${list} &gt; ${wanted}" hx-swap="outerHTML
  ignoreTitle:true" hx-sync="this:drop"`;
}

/** The number that `before` carries. */
export function beforeOf(context: PageContext): { before?: number } {
  const before = context.query.number("before");
  return before === undefined ? {} : { before };
}

/** The numbers that bound a part of a thread. */
export function windowOf({ query }: PageContext): { before?: number; after?: number } {
  const [before, after] = [query.number("before"), query.number("after")];
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
