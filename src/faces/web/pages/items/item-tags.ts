import { html } from "hono/html";
import { loadTerms } from "../../../../domain/items/assemble.ts";
import { tagItem, takesTags, untagItem } from "../../../../domain/items/posting/community-tags.ts";
import { findStatus } from "../../../../domain/items/find.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { termTypes } from "../../../../domain/items/vocabulary.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberVisit, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { displayPath } from "../../parts/item-paths.ts";

/** Tags that readers add to a post. */
export const itemTagPages: Page[] = [
  { path: "/item/:id/tags", access: "member", get: (visit) => page(visit), post: add },
  { path: "/item/:id/tags/remove", access: "member", post: remove },
];

function itemOf({ hub, member, params }: MemberVisit): Promise<Item> {
  return findStatus(hub, member.channel, { id: idOf(params["id"]) });
}

async function add(visit: MemberVisit, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const item = await itemOf(visit);
      if (!(await takesTags(visit.hub, item.owner_id)))
        throw fault("tag", "The owner of this post takes no tags from others.");
      await tagItem(visit.hub, visit.member.channel, { id: item.id }, typed.word("tag"));
      return redirect(visit, displayPath(visit, item), "tagged");
    },
    (fault) => page(visit, typed, fault),
  );
}

async function remove(visit: MemberVisit, typed: Fields): Promise<Response> {
  const id = idOf(visit.params["id"]);
  return tryForm(
    async () => {
      await untagItem(visit.hub, visit.member.channel, { id }, typed.word("tag"));
      return redirect(visit, `/item/${id}/tags`, "untagged");
    },
    (fault) => page(visit, undefined, fault),
  );
}

async function page(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const item = await itemOf(visit);
  const main = html`<section class="card form-page">
    <h1>Tags</h1>
    ${await present(visit, item)}
    <form method="post">
      ${token(visit)} ${alert(fault)}
      ${textField({ label: "Tag", name: "tag", value: typed?.text("tag") ?? "", hint: "Everybody who sees the post sees its tags, and can find it by them.", required: true, autofocus: true, fault: fault && { ...fault, field: "tag" } })}
      <p class="submit"><button class="button primary">Add</button> <a href="${displayPath(visit, item)}">Back</a></p>
    </form>
  </section>`;
  return show(visit, { title: "Tags", main, status: fault?.status ?? 200 });
}

async function present(visit: MemberVisit, item: Item): Promise<Html> {
  const terms = (await loadTerms(visit.hub, [item.message_id], 0)).get(item.message_id) ?? [];
  const tags = terms.filter((term) => term.ttype === termTypes.communityTag);
  if (tags.length === 0) return html``;
  const path = `/item/${item.id}/tags/remove`;
  return html`<ul class="plain-list">
    ${tags.map(({ term }) => html`<li>#${term} ${buttonForm(visit, path, "Remove", { kind: "quiet", fields: { tag: term } })}</li>`)}
  </ul>`;
}
