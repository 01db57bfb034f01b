import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { findElement, listPages } from "../../../../domain/pages/find.ts";
import type { ListedPage, WebPage } from "../../../../domain/pages/columns.ts";
import type { PageKind } from "../../../../domain/pages/kinds.ts";
import { deletePage, savePage } from "../../../../domain/pages/save.ts";
import { missing, unlessMissing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { icon } from "../../parts/icons.ts";
import { mediaIdsOf } from "../../parts/items/chosen-media.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { draftIn, loadComposer } from "../../parts/items/load-composer.ts";
import { takeWriting } from "../../parts/items/take-writing.ts";
import { pageEditor } from "../../parts/pages/page-editor.ts";
import { loadPageAudience, loadPageOwner, loadWriter, readPageAudience } from "../../parts/pages/page-owner.ts";
import type { PageOwner } from "../../parts/pages/page-owner.ts";
import { kindPaths, pagePath } from "../../parts/pages/page-paths.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { time } from "../../parts/times.ts";

const perPage = 50;

/** Webpages, blocks and layouts of a channel: lists and editors. */
export const webpagesPages: Page[] = (["webpage", "block", "layout"] as const).flatMap((kind): Page[] => {
  const path = `/${kindPaths[kind]}/:nick`;
  return [
    { path, access: "anybody", mayBeStale: true, get: (context) => list(context, kind) },
    {
      path: `${path}/new`,
      access: "member",
      onlyForm: true,
      get: (context) => editor(context, kind),
      post: (context, form) => save(context, kind, form),
      again: (context, typed, fault) => editor(context, kind, { typed, fault }),
      files: ["media"],
    },
    {
      path: `${path}/:id`,
      access: "member",
      onlyForm: true,
      get: (context) => editor(context, kind),
      post: (context, form) => save(context, kind, form),
      again: (context, typed, fault) => editor(context, kind, { typed, fault }),
      files: ["media"],
    },
    {
      path: `${path}/:id/delete`,
      access: "member",
      onlyForm: true,
      get: (context) => confirm(context, kind),
      post: (context) => remove(context, kind),
    },
  ];
});

/** Visitors find the pages that they may read; everything else is for those who may write. */
async function list(context: PageContext, kind: PageKind): Promise<Response> {
  const found = await loadPageOwner(context);
  const { say } = context;
  const { owner, writes } = found;
  if (!writes && kind !== "webpage") throw missing("Page");
  const { pages, next } = await listPages(context.hub, context.observer, owner, kind, {
    ...beforeOf(context),
    count: perPage,
  });
  if (!writes && pages.length === 0) throw missing("Page");
  const path = `/${kindPaths[kind]}/${owner.channel_address}`;
  const main = html`${await elementsHead(context, found, kind)}
  ${
    writes
      ? html`<p class="lead">${say(`pages.about-${kind}`)}</p>
          <p><a class="button primary" href="${path}/new">${icon("pencil")} ${say(`pages.new-${kind}`)}</a></p>`
      : ""
  }
  ${
    pages.length > 0
      ? html`<ul class="card plain-list page-list">
          ${pages.map((page) => row(context, found, kind, page))}
        </ul>`
      : html`<p class="empty">${say(`pages.none-${kind}`)}</p>`
  }
  ${pager(context, next)}`;
  const view = await loadChannel(context, owner.channel_address);
  const title = say(`pages.of-${kind}`, { name: owner.channel_name });
  return show(context, { title, main, ...(await channelLinks(context, view)) });
}

/** The channel whose elements are listed; for those who may write them the other lists are beside this one. */
export async function elementsHead(
  context: PageContext,
  { owner, writes }: PageOwner,
  here: PageKind | "menu",
): Promise<Html> {
  const view = await loadChannel(context, owner.channel_address);
  return html`${await channelHeader(context, view, "pages")} ${writes ? elementTabs(context, owner, here) : ""}`;
}

/** Links between the lists of page elements. */
function elementTabs({ say }: PageContext, owner: Channel, here: PageKind | "menu"): Html {
  const entries = [
    ...(["webpage", "block", "layout"] as const).map((kind) => [kind, kindPaths[kind]] as const),
    ["menu", "menu"] as const,
  ];
  return html`<nav class="chips" aria-label="${say("pages.elements")}">
    <ul>
      ${entries.map(
        ([kind, path]) =>
          html`<li>
            <a href="/${path}/${owner.channel_address}" ${kind === here ? html`aria-current="page"` : ""}
              >${say(`pages.many-${kind}`)}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function row(context: PageContext, { owner, writes }: PageOwner, kind: PageKind, page: ListedPage): Html {
  const nick = owner.channel_address;
  const edit = `/${kindPaths[kind]}/${nick}/${page.id}`;
  return html`<li>
    <a href="${kind === "webpage" ? pagePath(nick, page.name) : edit}"
      >${icon(page.item_private === 1 ? "lock" : "page")} <span>${page.title || page.name}</span></a
    >
    <span class="meta">
      ${page.title ? html`<span>${page.name}</span>` : ""} ${time(context, page.edited)}
      ${writes ? html`<a class="quiet-link" href="${edit}">${context.say("forms.edit")}<span class="unseen"> ${page.title || page.name}</span></a>` : ""}
    </span>
  </li>`;
}

async function load(context: MemberContext, kind: PageKind): Promise<PageOwner & { page: WebPage | undefined }> {
  const found = await loadWriter(context);
  const id = context.params["id"];
  const page =
    id === undefined ? undefined : await findElement(context.hub, context.observer, found.owner, kind, idOf(id));
  return { ...found, page };
}

async function editor(context: MemberContext, kind: PageKind, state: ComposerState = {}): Promise<Response> {
  const { owner, own, page } = await load(context, kind);
  const typed = state.typed ?? (await draftIn(context));
  const nick = owner.channel_address;
  const layouts =
    kind === "webpage" ? (await listPages(context.hub, context.observer, owner, "layout", { count: 200 })).pages : [];
  const title = context.say(`pages.${page ? "edit" : "new"}-${kind}`);
  const list = `/${kindPaths[kind]}/${nick}`;
  const main = pageEditor(context, {
    kind,
    title,
    nick,
    page,
    layouts,
    audience: own ? await loadPageAudience(context, owner, page, typed) : undefined,
    wayBack: page && kind === "webpage" ? pagePath(nick, page.name) : list,
    deletePath: page && `${list}/${page.id}/delete`,
    ...state,
    typed,
    own: await loadComposer(context, typed),
  });
  return show(context, { title, main, status: state.fault?.status ?? 200 });
}

async function save(context: MemberContext, kind: PageKind, sent: Fields): Promise<Response> {
  const { owner, own, page } = await load(context, kind);
  const nick = owner.channel_address;
  return takeWriting(context, sent, {
    files: own,
    format: (typed) => typed.text("mimetype"),
    again: (typed, more) => editor(context, kind, { typed, ...more }),
    async send(typed) {
      const item = await savePage(
        context.hub,
        context.member.channel,
        owner,
        {
          kind,
          name: typed.word("pagetitle"),
          title: typed.word("title"),
          body: typed.text("body"),
          mimetype: typed.text("mimetype"),
          layoutMid: typed.text("layout"),
          ...(own && { audience: await readPageAudience(context, typed, owner, page), mediaIds: mediaIdsOf(typed) }),
        },
        page?.id,
      );
      if (kind !== "webpage") return redirect(context, `/${kindPaths[kind]}/${nick}`, "saved");
      return redirect(context, await pathOf(context, owner, item.id), "saved");
    },
  });
}

/** Somebody may write a page on another channel that its audience does not include. */
async function pathOf(context: MemberContext, owner: Channel, id: number): Promise<string> {
  const page = await unlessMissing(findElement(context.hub, context.observer, owner, "webpage", id));
  return page ? pagePath(owner.channel_address, page.name) : `/webpages/${owner.channel_address}`;
}

async function confirm(context: MemberContext, kind: PageKind): Promise<Response> {
  const { owner, page } = await load(context, kind);
  if (!page) throw missing("Page");
  return deleteQuestion(context, {
    question: context.say(`pages.delete-${kind}`, { name: page.title || page.name }),
    consequence: context.say(`pages.gone-${kind}`),
    wayBack: `/${kindPaths[kind]}/${owner.channel_address}/${page.id}`,
  });
}

async function remove(context: MemberContext, kind: PageKind): Promise<Response> {
  const { owner } = await loadWriter(context);
  await deletePage(context.hub, context.member.channel, owner, kind, idOf(context.params["id"]));
  return redirect(context, `/${kindPaths[kind]}/${owner.channel_address}`, "deleted");
}
