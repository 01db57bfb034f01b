import { html } from "hono/html";
import type { Group } from "../../../../domain/groups/groups.ts";
import type { Html } from "../../page.ts";

/** The name of a group, and what there is to see of it. */
export function groupHead({ id, gname }: Group, here: "members" | "posts"): Html {
  const current = (name: typeof here): Html | string => (name === here ? html`aria-current="page"` : "");
  return html`<p class="crumbs"><a href="/group">Groups</a></p>
    <h1>${gname}</h1>
    <nav class="tabs" aria-label="Group">
      <a href="/group/${id}" ${current("members")}>Members</a>
      <a href="/group/${id}/posts" ${current("posts")}>Posts</a>
    </nav>`;
}
