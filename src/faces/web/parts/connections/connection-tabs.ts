import { countRequests } from "../../../../domain/connections/connections.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";

/** The pages about people whom the member is connected with, or is not. */
export async function connectionTabs(
  { hub, member, say }: MemberContext,
  here: "all" | "requests" | "blocked" | "muted",
): Promise<Html> {
  const waiting = await countRequests(hub, member.channel.channel_id);
  const current = (name: typeof here): Html | string => (name === here ? html`aria-current="page"` : "");
  return html`<nav class="tabs" aria-label="${say("connections.title")}">
    <a href="/connections" ${current("all")}>${say("connections.all")}</a>
    <a href="/connections/ifpending" ${current("requests")}
      >${say("connections.requests")}${waiting > 0 ? html` <span class="badge">${waiting}</span>` : ""}</a
    >
    <a href="/connections/blocked" ${current("blocked")}>${say("connections.is-blocked")}</a>
    <a href="/connections/muted" ${current("muted")}>${say("connections.muted")}</a>
  </nav>`;
}
