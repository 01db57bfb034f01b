import type { Extension, ExtensionPage, Html, PageAnswer, PageTools } from "../../extensions/extension.ts";
import { extensionPath } from "../../extensions/names.ts";
import { sheetOfPages } from "../../extensions/theme-sheet.ts";
import { itemOf, readerOf, toolsOf } from "../../extensions/tools.ts";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { redirect, show } from "./answers.ts";
import type { Fields } from "./fields.ts";
import { html } from "./html.ts";
import { localPath } from "./local-path.ts";
import type { Page, PageContext } from "./page.ts";
import { token } from "./parts/forms.ts";
import { loadThreads } from "./parts/items/feed.ts";
import { threadCard } from "./parts/items/status.ts";
import { time } from "./parts/times.ts";

/** The pages of extensions as rows like those of the hub: who may come is decided in the same place. */
export function extensionPages({ extensions }: Pick<Hub, "extensions">): Page[] {
  return extensions.flatMap((extension) => (extension.pages ?? []).map((row) => pageOf(extension, row)));
}

function pageOf(extension: Extension, { path, access, get, post }: ExtensionPage): Page {
  return {
    path: extensionPath(extension, path),
    access,
    ...(get && {
      get: async (context: PageContext) => answer(context, extension, await get(pageTools(context, extension))),
    }),
    ...(post && {
      post: async (context: PageContext, form: Fields) =>
        answer(context, extension, await post(pageTools(context, extension), form)),
    }),
  };
}

async function answer(context: PageContext, { name, styles }: Extension, given: PageAnswer): Promise<Response> {
  if (given === undefined) throw missing("Page");
  if ("redirect" in given) return redirect(context, localPath(given.redirect), given.saved ? "saved" : "");
  return show(context, {
    title: given.title,
    main: html`<div class="x-${name}">${given.main}</div>`,
    status: given.status ?? 200,
    ...(styles !== undefined && { sheet: sheetOfPages(name) }),
  });
}

function pageTools(context: PageContext, extension: Extension): PageTools {
  const { hub, member, observer, path, params, query, language } = context;
  const reader = readerOf(hub, observer, member?.channel);
  return {
    ...toolsOf(hub, extension),
    html,
    path,
    params,
    query,
    language: language.tag,
    reader,
    token: token(context),
    time: (date) => time(context, date.toISOString().slice(0, 19).replace("T", " ")),
    cards: (posts) => cards(context, posts),
  };
}

async function cards(context: PageContext, posts: Parameters<PageTools["cards"]>[0]): Promise<Awaited<Html>> {
  const { feed, comments } = await loadThreads(context, posts.map(itemOf));
  return html`${posts.map(itemOf).map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []))}`;
}
