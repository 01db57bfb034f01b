import { findStatus } from "../../../../domain/items/find.ts";
import { fileItem, foldersOf, listFolders, unfileItem } from "../../../../domain/items/posting/folders.ts";
import type { Folder } from "../../../../domain/items/posting/folders.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { displayPath } from "../../parts/item-paths.ts";

/** Folders that a member saves posts to; nobody else sees them. */
export const itemFolderPages: Page[] = [
  { path: "/folders", access: "member", get: overview },
  { path: "/item/:id/folders", access: "member", onlyForm: true, get: (context) => page(context), post: save },
  { path: "/item/:id/folders/leave", access: "member", post: leave },
];

async function overview(context: MemberContext): Promise<Response> {
  const folders = await listFolders(context.hub, context.member.channel);
  const { say } = context;
  const main = html`<h1>${say("items.folders")}</h1>
    <p>${say("items.folders-lead")}</p>
    ${folders.length === 0 ? html`<p class="empty">${say("items.folders-empty")}</p>` : list(context, folders)}`;
  return show(context, { title: say("items.folders"), main });
}

function list({ say }: MemberContext, folders: Folder[]): Html {
  return html`<ul class="card plain-list">
    ${folders.map(
      ({ name, items }) =>
        html`<li>
          <a href="/network?file=${encodeURIComponent(name)}">${name}</a>
          <small>${say("items.posts", { count: items })}</small>
        </li>`,
    )}
  </ul>`;
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member, params } = context;
  return tryForm(
    context,
    async () => {
      const item = await fileItem(hub, member.channel, { id: idOf(params["id"]) }, typed.word("folder"));
      return redirect(context, displayPath(context, item), "filed");
    },
    (fault) => page(context, typed, fault),
  );
}

async function leave(context: MemberContext, typed: Fields): Promise<Response> {
  const id = idOf(context.params["id"]);
  await unfileItem(context.hub, context.member.channel, { id }, typed.word("folder"));
  return redirect(context, `/item/${id}/folders`, "unfiled");
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member, say } = context;
  const item = await findStatus(hub, member.channel, { id: idOf(context.params["id"]) });
  const [saved, known] = await Promise.all([foldersOf(hub, member.channel, item), listFolders(hub, member.channel)]);
  const others = known.filter(({ name }) => !saved.includes(name));
  const path = `/item/${item.id}/folders`;
  const main = html`<section class="card form-page">
    <h1>${say("items.save-to-folder")}</h1>
    ${saved.length === 0 ? "" : savedIn(context, path, saved)}
    <form method="post">
      ${token(context)} ${alert(fault)}
      ${textField(context, { label: say("items.folder"), name: "folder", value: typed?.text("folder") ?? "", hint: say("items.folder-hint"), required: true, autofocus: true, fault })}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a href="${displayPath(context, item)}">${say("items.back")}</a>
      </p>
    </form>
    ${
      others.length === 0
        ? ""
        : html`<h2>${say("items.your-folders")}</h2>
            <div class="button-row">
              ${others.map(({ name }) => buttonForm(context, path, name, { fields: { folder: name } }))}
            </div>`
    }
  </section>`;
  return show(context, { title: say("items.save-to-folder"), main, status: fault?.status ?? 200 });
}

function savedIn(context: MemberContext, path: string, folders: string[]): Html {
  const takeOut = (folder: string): Html =>
    buttonForm(context, `${path}/leave`, context.say("items.take-out"), { kind: "quiet", fields: { folder } });
  return html`<h2>${context.say("items.it-is-in")}</h2>
    <ul class="plain-list">
      ${folders.map((name) => html`<li>${name} ${takeOut(name)}</li>`)}
    </ul>`;
}
