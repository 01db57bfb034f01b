import { loadTerms } from "../../../../domain/items/assemble.ts";
import { tagItem, takesTags, untagItem } from "../../../../domain/items/posting/community-tags.ts";
import { findStatus } from "../../../../domain/items/find.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { termTypes } from "../../../../domain/items/vocabulary.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { displayPath } from "../../parts/item-paths.ts";

/** Tags that readers add to a post. */
export const itemTagPages: Page[] = [
  { path: "/item/:id/tags", access: "member", get: (context) => page(context), post: add },
  { path: "/item/:id/tags/remove", access: "member", post: remove },
];

function itemOf({ hub, member, params }: MemberContext): Promise<Item> {
  return findStatus(hub, member.channel, { id: idOf(params["id"]) });
}

async function add(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const item = await itemOf(context);
      if (!(await takesTags(context.hub, item.owner_id))) throw fault("tag", context.say("items.no-tags-taken"));
      await tagItem(context.hub, context.member.channel, { id: item.id }, typed.word("tag"));
      return redirect(context, displayPath(context, item), "tagged");
    },
    (fault) => page(context, typed, fault),
  );
}

async function remove(context: MemberContext, typed: Fields): Promise<Response> {
  const id = idOf(context.params["id"]);
  return tryForm(
    context,
    async () => {
      await untagItem(context.hub, context.member.channel, { id }, typed.word("tag"));
      return redirect(context, `/item/${id}/tags`, "untagged");
    },
    (fault) => page(context, undefined, fault),
  );
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const item = await itemOf(context);
  const { say } = context;
  const main = html`<section class="card form-page">
    <h1>${say("items.tags-title")}</h1>
    ${await present(context, item)}
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("items.tag"), name: "tag", value: typed?.text("tag") ?? "", hint: say("items.tag-hint"), required: true, autofocus: true, fault: fault && { ...fault, field: "tag" } })}
      <p class="submit">
        <button class="button primary">${say("items.add")}</button>
        <a href="${displayPath(context, item)}">${say("items.back")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("items.tags-title"), main, status: fault?.status ?? 200 });
}

async function present(context: MemberContext, item: Item): Promise<Html> {
  const terms = (await loadTerms(context.hub, [item.message_id], 0)).get(item.message_id) ?? [];
  const tags = terms.filter((term) => term.ttype === termTypes.communityTag);
  if (tags.length === 0) return html``;
  const path = `/item/${item.id}/tags/remove`;
  return html`<ul class="plain-list">
    ${tags.map(({ term }) => html`<li>#${term} ${buttonForm(context, path, context.say("items.remove"), { kind: "quiet", fields: { tag: term } })}</li>`)}
  </ul>`;
}
