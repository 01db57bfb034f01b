import { html } from "hono/html";
import { countRequests } from "../../../../domain/connections/connections.ts";
import type { Html, MemberContext } from "../../page.ts";

/** The pages about people whom the member is connected with, or is not. */
export async function connectionTabs(
  { hub, member }: MemberContext,
  here: "all" | "requests" | "blocked" | "muted",
): Promise<Html> {
  const waiting = await countRequests(hub, member.channel.channel_id);
  const current = (name: typeof here): Html | string => (name === here ? html`aria-current="page"` : "");
  return html`<nav class="tabs" aria-label="Connections">
    <a href="/connections" ${current("all")}>All</a>
    <a href="/connections/ifpending" ${current("requests")}
      >Requests${waiting > 0 ? html` <span class="badge">${waiting}</span>` : ""}</a
    >
    <a href="/connections/blocked" ${current("blocked")}>Blocked</a>
    <a href="/connections/muted" ${current("muted")}>Muted</a>
  </nav>`;
}
