import { html, raw } from "hono/html";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { splitCategories } from "../../../domain/bodies/tags.ts";
import { deleteItem } from "../../../domain/items/delete.ts";
import { editItem } from "../../../domain/items/edit.ts";
import { findVisibleItem } from "../../../domain/items/find.ts";
import { react, unreact } from "../../../domain/items/react.ts";
import { shareItem } from "../../../domain/items/share.ts";
import { setStarred } from "../../../domain/items/star.ts";
import { loadTerms } from "../../../domain/items/assemble.ts";
import { visibleThread } from "../../../domain/items/thread.ts";
import type { Item } from "../../../domain/items/types.ts";
import { reactionNames, termTypes } from "../../../domain/items/vocabulary.ts";
import { missing } from "../../../errors.ts";
import { redirect, show } from "../answers.ts";
import { fault, tryForm } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Fields } from "../fields.ts";
import { localPath } from "../local-path.ts";
import type { MemberVisit, Page, Visit } from "../page.ts";
import { idOf } from "../path-id.ts";
import { alert, textArea, textField, token } from "../parts/forms.ts";
import { anchorOf, displayPath } from "../parts/places.ts";

/** What can be done with one item; `/item/<uuid>` is its permanent address (native contract 8.1). */
export const itemPages: Page[] = [
  { path: "/item/:uuid", access: "anybody", get: permanent },
  { path: "/item/:id/act", access: "member", post: act },
  { path: "/item/:id/edit", access: "member", get: (visit) => editForm(visit), post: edit },
  { path: "/item/:id/delete", access: "member", get: confirmDelete, post: remove },
];

async function permanent(visit: Visit): Promise<Response> {
  const uuid = visit.params["uuid"] ?? "";
  return redirect(visit, displayPath(visit, await findVisibleItem(visit.hub, visit.observer, { uuid })));
}

/** A reaction, a star or a share: one button of the card. */
async function act(visit: MemberVisit, form: Fields): Promise<Response> {
  const { hub, member, params } = visit;
  const ref = { id: idOf(params["id"]) };
  const name = form.text("act");
  const item = await findVisibleItem(hub, visit.observer, ref);
  const way = localPath(form.text("back"), displayPath(visit, item)).split("#")[0]!;
  if (name === "share") {
    await shareItem(hub, member.channel, ref);
    return redirect(visit, way, "shared");
  }
  if (name === "star" || name === "unstar") await setStarred(hub, member.channel, ref, name === "star");
  else if (reactionNames.includes(name)) await react(hub, member.channel, ref, name, "stays");
  else if (reactionNames.includes(name.replace(/^un/, ""))) await unreact(hub, member.channel, ref, name.slice(2));
  else throw fault("act", "This button is not known.");
  return redirect(visit, `${way}#${anchorOf(item)}`);
}

async function edit(visit: MemberVisit, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const item = await editable(visit);
      await editItem(visit.hub, visit.member.channel, item.id, {
        body: typed.text("body"),
        ...(item.item_thread_top === 1 && {
          title: typed.word("title"),
          categories: splitCategories(typed.text("category")),
        }),
      });
      return redirect(visit, `${displayPath(visit, item)}#${anchorOf(item)}`, "edited");
    },
    (fault) => editForm(visit, typed, fault),
  );
}

async function editForm(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const item = await editable(visit);
  const terms = (await loadTerms(visit.hub, [item.message_id], 0)).get(item.message_id) ?? [];
  const categories = terms.filter((term) => term.ttype === termTypes.category).map((term) => term.term);
  const top = item.item_thread_top === 1;
  const main = html`<section class="card form-page">
    <h1>Edit your ${top ? "post" : "comment"}</h1>
    <form method="post">
      ${token(visit)} ${alert(fault)}
      ${top ? textField({ label: "Title", name: "title", value: typed?.text("title") ?? item.title, fault }) : ""}
      ${textArea({ label: "Text", name: "body", value: typed?.text("body") ?? item.body, rows: 10, required: true, fault })}
      ${top ? textField({ label: "Categories", name: "category", value: typed?.text("category") ?? categories.join(", "), hint: "Several are separated by commas.", fault }) : ""}
      <p class="submit">
        <button class="button primary">Save</button> <a href="${displayPath(visit, item)}">Leave it as it is</a>
      </p>
    </form>
  </section>`;
  return show(visit, { title: "Edit", main, status: fault?.status ?? 200 });
}

/** The member's own item, which it wrote itself. */
async function editable({ hub, observer, params, member }: MemberVisit): Promise<Item> {
  const item = await findVisibleItem(hub, observer, { id: idOf(params["id"]) });
  if (item.author_id !== member.channel.xchan_id || item.uid !== member.channel.channel_id) throw missing("Page");
  return item;
}

async function confirmDelete(visit: MemberVisit): Promise<Response> {
  const item = await findVisibleItem(visit.hub, visit.observer, { id: idOf(visit.params["id"]) });
  const forAll = [item.author_id, item.owner_id].includes(visit.member.channel.xchan_id);
  const top = item.item_thread_top === 1;
  const main = html`<section class="card form-page">
    <h1>${forAll ? `Delete this ${top ? "post" : "comment"}?` : "Remove this from your stream?"}</h1>
    <p>
      ${forAll ? (top ? "It disappears for everybody, together with its comments. This cannot be undone." : "It disappears for everybody. This cannot be undone.") : "Others still see it."}
    </p>
    <blockquote class="body">${raw(personalise(item.html, undefined))}</blockquote>
    <form method="post">
      ${token(visit)}
      <p class="submit">
        <button class="button danger">${forAll ? "Delete" : "Remove"}</button>
        <a href="${displayPath(visit, item)}">Keep it</a>
      </p>
    </form>
  </section>`;
  return show(visit, { title: "Delete", main });
}

async function remove(visit: MemberVisit): Promise<Response> {
  const item = await deleteItem(visit.hub, visit.member.channel, { id: idOf(visit.params["id"]) });
  if (item.item_thread_top === 1) return redirect(visit, "/network", "deleted");
  const [top] = await visibleThread(visit.hub, visit.observer, { id: item.parent });
  return redirect(visit, top ? displayPath(visit, top) : "/network", "deleted");
}
