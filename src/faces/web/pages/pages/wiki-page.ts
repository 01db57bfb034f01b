import { deleteWikiPage, renameWikiPage } from "../../../../domain/pages/wiki-change.ts";
import { linkWikiPages } from "../../../../domain/pages/wiki-links.ts";
import { revertWikiPage, saveWikiPage } from "../../../../domain/pages/wiki-save.ts";
import type { WikiVersion } from "../../../../domain/pages/wiki-types.ts";
import { wikiPage } from "../../../../domain/pages/wikis.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show, unindexed } from "../../answers.ts";
import { fault, faultOf, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html, raw } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import { partOfChannel } from "../../parts/channels/channel-preview.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { bodyText } from "../../parts/items/body.ts";
import { composer } from "../../parts/items/composer.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { draftIn, loadComposer } from "../../parts/items/load-composer.ts";
import { takeWriting } from "../../parts/items/take-writing.ts";
import { isMember } from "../../page.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { difference } from "../../parts/pages/diff.ts";
import { alert, buttonForm, textField, token } from "../../parts/forms.ts";
import { wikiPath } from "../../parts/pages/page-paths.ts";
import { viewerOf } from "../../parts/items/status.ts";
import { time } from "../../parts/times.ts";
import { loadWiki, pageOf, wikiContents, wikiHead } from "../../parts/pages/wiki-head.ts";
import type { WikiView } from "../../parts/pages/wiki-head.ts";
import { beginningOf } from "../../parts/preview.ts";
import { showComparison, showHistory, writtenPage } from "./wiki-history.ts";

/** A page of a wiki: reading, writing, its history, and what the owner can do with it. */
export const wikiPagePages: Page[] = [
  {
    path: "/wiki/:nick/:wiki/:page",
    access: "reader",
    mayBeStale: true,
    get: look,
    post: act,
    again,
    files: ["media"],
  },
];

async function look(context: PageContext): Promise<Response> {
  const view = await loadWiki(context);
  switch (context.query.text("show")) {
    case "edit":
      return editor(context, view);
    case "history":
      return showHistory(context, view);
    case "compare":
      return showComparison(context, view);
    case "rename":
      return renameForm(context, view);
    case "delete":
      return confirm(context, view);
    default:
      return readWikiPage(context, view);
  }
}

/** The page as it stands, or as `revision` had it. Throws missing; writers are offered to write what is not there. */
export async function readWikiPage(context: PageContext, view: WikiView): Promise<Response> {
  const { writes, name } = view;
  const revision = context.query.number("revision");
  const page = await findPage(context, view, revision);
  if (!page && name !== "Home" && !writes) throw missing("Page");
  const main = html`${wikiHead(context, view, name, "", page !== undefined)}
    ${page && revision !== undefined ? oldVersion(context, view, page) : ""}
    <article class="card wiki-page">
      ${page && page.body !== "" ? html`<div class="body" ${page.lang ? html`lang="${page.lang}"` : ""}>${raw(linked(context, view, page))}</div>` : empty(context, view, page)}
    </article>
    ${wikiContents(context, view)}`;
  const isThere = page !== undefined || name === "Home";
  return show(context, {
    title: `${name} · ${view.wiki.name}`,
    main,
    status: isThere ? 200 : 404,
    ...(revision !== undefined && { headers: unindexed }),
    preview: async () => ({
      ...(await partOfChannel(context, view.owner)),
      description: beginningOf(page?.html ?? ""),
    }),
  });
}

/** The page, or undefined when it has not been written. An old version that does not exist is missing. */
async function findPage({ hub, observer }: PageContext, { wiki, name }: WikiView, revision?: number) {
  const page = await wikiPage(hub, observer, wiki, name, revision);
  if (!page && revision !== undefined) throw missing("Page");
  return page;
}

function empty({ say }: PageContext, view: WikiView, page: WikiVersion | undefined): Html {
  const words = say(page ? "pages.empty-page" : "pages.unwritten");
  return html`<p class="lead">
    ${words} ${view.writes ? html`<a href="${pageOf(view, view.name, "edit")}">${say("pages.write-it")}</a>` : ""}
  </p>`;
}

/** The text with its links to other pages; pages that nobody has written are links for those who can. */
function linked(context: PageContext, view: WikiView, page: WikiVersion): string {
  const names = new Set(view.pages.map((one) => one.name));
  return linkWikiPages(bodyText(context, page.html, viewerOf(context)), (name) => {
    if (names.has(name)) return { path: pageOf(view, name), unwritten: false };
    return view.writes && !name.includes("/") ? { path: pageOf(view, name, "edit"), unwritten: true } : undefined;
  });
}

function oldVersion(context: PageContext, view: WikiView, page: WikiVersion): Html {
  const { say } = context;
  const newest = view.pages.find((one) => one.mid === page.mid)?.revision ?? page.revision;
  if (page.revision === newest) return html``;
  return html`<div class="card old-version">
    <p>
      ${say.html("pages.old-version", { number: String(page.revision), when: time(context, page.created), now: linkTo(pageOf(view, view.name)) })}
    </p>
    <div class="submit">
      <a class="button" href="${pageOf(view, view.name)}?show=compare&from=${page.revision}&to=${newest}"
        >${say("pages.changed-since")}</a
      >
      ${view.writes ? buttonForm(context, pageOf(view, view.name), say("pages.bring-back"), { fields: { act: "revert", revision: page.revision, base: newest } }) : ""}
    </div>
  </div>`;
}

async function again(context: MemberContext, typed: Fields, fault: Fault): Promise<Response> {
  return editor(context, await loadWiki(context), { typed, fault });
}

async function editor(context: PageContext, view: WikiView, state: ComposerState = {}): Promise<Response> {
  if (!view.writes || !isMember(context)) throw missing("Page");
  const { fault, preview } = state;
  const { say } = context;
  const typed = state.typed ?? (await draftIn(context));
  const page = await findPage(context, view);
  const newest = page ? String(page.revision) : "";
  const overtaken = fault?.field === "body";
  const meanwhile = typed && overtaken && typed.text("base") !== newest;
  // Only who has seen what others wrote meanwhile may write over it.
  const base = typed && !overtaken ? typed.text("base") : newest;
  const main = html`${wikiHead(context, view, view.name, "edit", page !== undefined)}
  ${composer(context, {
    typed,
    fault,
    preview,
    own: await loadComposer(context, typed),
    id: "wiki",
    name: say("pages.edit-title", { name: view.name }),
    action: pageOf(view, view.name),
    place: pageOf(view, view.name, "edit"),
    format: view.wiki.mimetype,
    before: html`<input type="hidden" name="act" value="save" /><input type="hidden" name="base" value="${base}" />`,
    text: {
      label: say("pages.text"),
      value: typed?.text("body") ?? page?.body ?? "",
      rows: 16,
      hint: say("pages.wiki-text-hint"),
    },
    files: false,
    ways: html`<a href="${pageOf(view, view.name)}">${say("forms.leave-as-is")}</a>`,
    send: say(meanwhile ? "pages.save-all-the-same" : "forms.save"),
  })}
  ${
    meanwhile
      ? html`<h2>${say("pages.would-change")}</h2>
          ${difference(context, page?.body ?? "", typed.text("body"))}`
      : ""
  }`;
  return show(context, { title: say("pages.edit-title", { name: view.name }), main, status: fault?.status ?? 200 });
}

async function renameForm(context: PageContext, view: WikiView, typed?: Fields, fault?: Fault): Promise<Response> {
  if (!view.own) throw missing("Page");
  await writtenPage(context, view);
  const { say } = context;
  const main = html`${wikiHead(context, view, view.name, "rename")}
    <form class="card form-page" method="post" action="${pageOf(view, view.name)}">
      ${token(context)} ${alert(fault)} <input type="hidden" name="act" value="rename" />
      ${textField(context, { label: say("pages.new-name"), name: "name", value: typed?.text("name") ?? view.name, required: true, hint: say("pages.new-name-hint"), fault })}
      <p class="submit">
        <button class="button primary">${say("pages.tab-rename")}</button>
        <a href="${pageOf(view, view.name)}">${say("forms.leave-as-is")}</a>
      </p>
    </form>`;
  return show(context, { title: say("pages.rename-title", { name: view.name }), main, status: fault?.status ?? 200 });
}

async function confirm(context: PageContext, view: WikiView): Promise<Response> {
  if (!view.own) throw missing("Page");
  await writtenPage(context, view);
  return deleteQuestion(context, {
    question: context.say("pages.delete-webpage", { name: view.name }),
    consequence: context.say("pages.gone-versions"),
    wayBack: pageOf(view, view.name),
    fields: html`<input type="hidden" name="act" value="delete" />`,
  });
}

async function act(context: MemberContext, typed: Fields): Promise<Response> {
  const view = await loadWiki(context);
  switch (typed.text("act")) {
    case "save":
      return save(context, view, typed);
    case "revert":
      return revert(context, view, typed);
    case "rename":
      return rename(context, view, typed);
    case "delete":
      if (!view.own) throw missing("Page");
      await deleteWikiPage(context.hub, view.owner, view.wiki.name, view.name);
      return redirect(context, wikiPath(view.owner.channel_address, view.wiki.name), "deleted");
    default:
      throw fault("act", context.say("forms.unknown-button"));
  }
}

function save(context: MemberContext, view: WikiView, sent: Fields): Promise<Response> {
  return takeWriting(context, sent, {
    files: false,
    format: () => view.wiki.mimetype,
    place: pageOf(view, view.name, "edit"),
    again: (typed, more) => editor(context, view, { typed, ...more }),
    async send(typed) {
      const edit = { name: view.name, body: typed.text("body"), base: typed.number("base") };
      const saved = await saveWikiPage(context.hub, context.member.channel, view.owner, view.wiki.name, edit);
      return redirect(context, pageOf(view, saved.name), "saved");
    },
  });
}

async function revert(context: MemberContext, view: WikiView, typed: Fields): Promise<Response> {
  const [revision, base] = [typed.number("revision"), typed.number("base")];
  if (revision === undefined || base === undefined) throw missing("Page");
  try {
    const asked = { name: view.name, revision, base };
    await revertWikiPage(context.hub, context.member.channel, view.owner, view.wiki.name, asked);
  } catch (error) {
    // Somebody else was quicker: the history shows what they did.
    if (faultOf(context, error)?.field === "body") return redirect(context, pageOf(view, view.name, "history"));
    throw error;
  }
  return redirect(context, pageOf(view, view.name), "saved");
}

function rename(context: PageContext, view: WikiView, typed: Fields): Promise<Response> {
  if (!view.own) throw missing("Page");
  return tryForm(
    context,
    async () => {
      const name = await renameWikiPage(context.hub, view.owner, view.wiki.name, view.name, typed.word("name"));
      return redirect(context, pageOf(view, name), "saved");
    },
    (fault) => renameForm(context, view, typed, fault),
  );
}
