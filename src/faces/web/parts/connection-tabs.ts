import { html } from "hono/html";
import type { Html, MemberVisit } from "../page.ts";

/** The pages about people whom the member is connected with, or is not. */
export function connectionTabs({ news }: MemberVisit, here: "all" | "requests" | "blocked"): Html {
  const current = (name: typeof here): Html | string => (name === here ? html`aria-current="page"` : "");
  return html`<nav class="tabs" aria-label="Connections">
    <a href="/connections" ${current("all")}>All</a>
    <a href="/connections/ifpending" ${current("requests")}
      >Requests${news.requests > 0 ? html` <span class="badge">${news.requests}</span>` : ""}</a
    >
    <a href="/connections/blocked" ${current("blocked")}>Blocked</a>
  </nav>`;
}
