import type { Group } from "../../../../domain/groups/groups.ts";
import { html } from "../../html.ts";
import type { Html } from "../../page.ts";
import type { Say } from "../../languages/say.ts";

/** The name of a group, and what there is to see of it. */
export function groupHead(say: Say, { id, gname }: Group, here: "members" | "posts"): Html {
  const current = (name: typeof here): Html | string => (name === here ? html`aria-current="page"` : "");
  return html`<p class="crumbs"><a href="/group">${say("connections.groups")}</a></p>
    <h1>${gname}</h1>
    <nav class="tabs" aria-label="${say("connections.group")}">
      <a href="/group/${id}" ${current("members")}>${say("connections.members")}</a>
      <a href="/group/${id}/posts" ${current("posts")}>${say("connections.posts")}</a>
    </nav>`;
}
