import { entryFlags } from "../../../../domain/pages/menu-types.ts";
import type { Menu, MenuEntry } from "../../../../domain/pages/menu-types.ts";
import { deleteMenu, findMenu, listMenus, saveMenu } from "../../../../domain/pages/menus.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { loadWriter } from "../../parts/pages/page-owner.ts";
import type { PageOwner } from "../../parts/pages/page-owner.ts";
import { elementsHead } from "./webpages.ts";
import { missing } from "../../../../errors.ts";

/** The menus of a channel's pages. */
export const menuPages: Page[] = [
  { path: "/menu/:nick", access: "member", get: list },
  { path: "/menu/:nick/new", access: "member", onlyForm: true, get: (context) => editor(context), post: save },
  { path: "/menu/:nick/:id", access: "member", onlyForm: true, get: (context) => editor(context), post: save },
  { path: "/menu/:nick/:id/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

/** Empty rows at the end of a menu's form. */
const spare = 4;
const mostRows = 210;

async function list(context: MemberContext): Promise<Response> {
  const found = await loadWriter(context);
  const { say } = context;
  const { owner } = found;
  const menus = await listMenus(context.hub, owner);
  const path = `/menu/${owner.channel_address}`;
  const main = html`${await elementsHead(context, found, "menu")}
    <p class="lead">${say("pages.about-menu")}</p>
    <p><a class="button primary" href="${path}/new">${icon("pencil")} ${say("pages.new-menu")}</a></p>
    ${
      menus.length > 0
        ? html`<ul class="card plain-list">
            ${menus.map(
              (menu) =>
                html`<li>
                  <a href="${path}/${menu.id}">${icon("menu")} <span>${menu.title || menu.name}</span></a>
                  <span class="meta"
                    >${menu.title ? html`<span>${menu.name}</span>` : ""}
                    ${say("pages.links-count", { count: menu.entries.length })}</span
                  >
                </li>`,
            )}
          </ul>`
        : html`<p class="empty">${say("pages.none-menu")}</p>`
    }`;
  return show(context, { title: say("pages.many-menu"), main });
}

async function load(context: MemberContext): Promise<PageOwner & { menu: Menu | undefined }> {
  const found = await loadWriter(context);
  const id = context.params["id"];
  return { ...found, menu: id === undefined ? undefined : await findMenu(context.hub, found.owner, idOf(id)) };
}

async function editor(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const { owner, menu } = await load(context);
  const path = `/menu/${owner.channel_address}`;
  const entries = typed ? typedEntries(typed) : (menu?.entries ?? []);
  const rows = Math.min(entries.length + spare, mostRows);
  const title = say(menu ? "pages.edit-menu" : "pages.new-menu");
  const main = html`<section class="card form-page">
    <h1>${title}</h1>
    <form method="post">
      ${token(context)} ${alert(fault)} <input type="hidden" name="rows" value="${rows}" />
      ${textField(context, { label: say("pages.name"), name: "name", value: typed?.text("name") ?? menu?.name ?? "", required: true, hint: say("pages.menu-name-hint"), fault })}
      ${textField(context, { label: say("pages.title"), name: "title", value: typed?.text("title") ?? menu?.title ?? "", hint: say("pages.menu-title-hint"), fault })}
      <fieldset>
        <legend>${say("pages.links")}</legend>
        <p class="hint">${say("pages.links-hint")}</p>
        <ol class="menu-rows">
          ${Array.from({ length: rows }, (_, index) => html`<li>${entryRow(context, index, entries[index])}</li>`)}
        </ol>
      </fieldset>
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button>
        <a href="${path}">${say(menu ? "forms.leave-as-is" : "forms.leave-it")}</a>
        ${menu ? html`<a class="danger-link" href="${path}/${menu.id}/delete">${say("forms.delete")}</a>` : ""}
      </p>
    </form>
  </section>`;
  return show(context, { title, main, status: fault?.status ?? 200 });
}

function entryRow(context: MemberContext, index: number, entry: MenuEntry | undefined): Html {
  const { say } = context;
  const flags = entry?.flags ?? 0;
  return html`<div class="menu-row">
    ${textField(context, { label: say("pages.words"), name: `label${index}`, value: entry?.label ?? "", required: false })}
    ${textField(context, { label: say("pages.address"), name: `link${index}`, value: entry?.link ?? "" })}
    ${textField(context, { label: say("pages.order"), name: `order${index}`, type: "number", value: String(entry?.order ?? index) })}
    ${box({ label: say("pages.new-window"), name: `window${index}`, checked: (flags & entryFlags["new-window"]) !== 0 })}
    <input type="hidden" name="flags${index}" value="${flags & ~entryFlags["new-window"]}" />
  </div>`;
}

function typedEntries(typed: Fields): MenuEntry[] {
  const rows = Math.min(typed.number("rows") ?? 0, mostRows);
  return Array.from({ length: rows }, (_, index) => ({
    label: typed.word(`label${index}`),
    link: typed.word(`link${index}`),
    order: /^-?\d{1,6}$/.test(typed.word(`order${index}`)) ? Number(typed.word(`order${index}`)) : index,
    flags: ((typed.number(`flags${index}`) ?? 0) & 5) | (typed.has(`window${index}`) ? entryFlags["new-window"] : 0),
  })).filter((entry) => entry.link !== "" || entry.label !== "");
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { owner, menu } = await load(context);
  return tryForm(
    context,
    async () => {
      const draft = { name: typed.word("name"), title: typed.word("title"), entries: typedEntries(typed) };
      const saved = await saveMenu(context.hub, context.member.channel, owner, draft, menu?.id);
      return redirect(context, `/menu/${owner.channel_address}/${saved.id}`, "saved");
    },
    (fault) => editor(context, typed, fault),
  );
}

async function confirm(context: MemberContext): Promise<Response> {
  const { owner, menu } = await load(context);
  if (!menu) throw missing("Page");
  return deleteQuestion(context, {
    question: context.say("pages.delete-menu", { name: menu.title || menu.name }),
    consequence: context.say("pages.gone-block"),
    wayBack: `/menu/${owner.channel_address}/${menu.id}`,
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const { owner } = await loadWriter(context);
  await deleteMenu(context.hub, context.member.channel, owner, idOf(context.params["id"]));
  return redirect(context, `/menu/${owner.channel_address}`, "deleted");
}
