import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { changeWiki, deleteWiki } from "../../../../domain/pages/wiki-change.ts";
import { createWiki } from "../../../../domain/pages/wiki-create.ts";
import type { Wiki } from "../../../../domain/pages/wiki-types.ts";
import { listWikis } from "../../../../domain/pages/wikis.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { audiencePicker } from "../../parts/items/audience.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, box, choice, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { textTypes } from "../../parts/pages/page-editor.ts";
import { loadOwner, loadPageAudience, readPageAudience } from "../../parts/pages/page-owner.ts";
import { wikiPath } from "../../parts/pages/page-paths.ts";
import { loadWiki, pageOf } from "../../parts/pages/wiki-head.ts";
import type { WikiView } from "../../parts/pages/wiki-head.ts";
import { readWikiPage } from "./wiki-page.ts";
import { isMember } from "../../page.ts";

/** Wikis of a channel: the list, and one wiki with its settings. */
export const wikiPages: Page[] = [
  { path: "/wiki/:nick", access: "reader", mayBeStale: true, get: (context) => list(context), post: create },
  { path: "/wiki/:nick/:wiki", access: "reader", mayBeStale: true, get: (context) => wiki(context), post: change },
];

async function list(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const owner = await loadOwner(context);
  const own = context.member?.channel.channel_id === owner.channel_id;
  const wikis = await listWikis(context.hub, context.observer, owner);
  if (!own && wikis.length === 0) throw missing("Page");
  const view = await loadChannel(context, owner.channel_address);
  const main = html`${await channelHeader(context, view, "wikis")}
  ${
    wikis.length > 0
      ? html`<ul class="card plain-list">
          ${wikis.map((one) => row(owner, one))}
        </ul>`
      : html`<p class="empty">${say("pages.no-wikis")}</p>`
  }
  ${own && isMember(context) ? await newWiki(context, typed, fault) : ""}`;
  return show(context, {
    title: say("pages.wikis-of", { name: owner.channel_name }),
    main,
    status: fault?.status ?? 200,
    ...(await channelLinks(context, view)),
  });
}

function row(owner: Channel, wiki: Wiki): Html {
  return html`<li>
    <a href="${wikiPath(owner.channel_address, wiki.name)}"
      >${icon(wiki.item_private === 1 ? "lock" : "page")} <span>${wiki.name}</span></a
    >
  </li>`;
}

async function newWiki(context: MemberContext, typed: Fields, fault?: Fault): Promise<Html> {
  const { say } = context;
  const { channel } = context.member;
  const audience = await loadPageAudience(context, channel, undefined, fault && typed);
  return html`<form class="card form-page" method="post" action="/wiki/${channel.channel_address}">
    <h2>${say("pages.new-wiki")}</h2>
    ${token(context)} ${alert(fault)}
    ${textField(context, { label: say("pages.name"), name: "name", value: typed.text("name"), required: true, fault })}
    ${choice(context, { label: say("pages.wiki-written-in"), name: "mimetype", value: typed.text("mimetype") || "text/bbcode", choices: textTypes(context), fault })}
    ${audiencePicker(context, audience, fault?.field === "audience")}
    ${box({ label: say("pages.announce"), name: "announce", checked: typed.has("announce"), hint: say("pages.announce-hint") })}
    <p class="submit"><button class="button primary">${say("pages.make-wiki")}</button></p>
  </form>`;
}

async function create(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const owner = await loadOwner(context);
  if (member.channel.channel_id !== owner.channel_id) throw missing("Page");
  return tryForm(
    context,
    async () => {
      const made = await createWiki(hub, member.channel, {
        name: typed.word("name"),
        mimetype: typed.text("mimetype"),
        audience: await readPageAudience(context, typed, owner, undefined),
        posted: typed.has("announce"),
      });
      return redirect(context, wikiPath(owner.channel_address, made.name), "made");
    },
    (fault) => list(context, typed, fault),
  );
}

/** The wiki's page Home; its settings for the owner; `page` leads to the form for a page of that name. */
async function wiki(context: PageContext): Promise<Response> {
  const view = await loadWiki(context);
  const asked = context.query.word("page");
  if (asked !== "") return redirect(context, pageOf(view, asked, "edit"));
  if (!view.own || !isMember(context)) return readWikiPage(context, view);
  if (context.query.text("show") === "settings") return settings(context, view);
  if (context.query.text("show") === "delete") return confirm(context, view);
  return readWikiPage(context, view);
}

async function settings(context: MemberContext, view: WikiView, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const { owner, wiki } = view;
  const path = wikiPath(owner.channel_address, wiki.name);
  const audience = await loadPageAudience(context, owner, wiki, typed);
  const main = html`<section class="card form-page">
    <p class="crumbs"><a href="${path}">${wiki.name}</a></p>
    <h1>${say("pages.wiki-settings")}</h1>
    <form method="post" action="${path}">
      ${token(context)} ${alert(fault)} <input type="hidden" name="act" value="settings" />
      ${textField(context, { label: say("pages.name"), name: "name", value: typed?.text("name") ?? wiki.name, required: true, fault })}
      ${audiencePicker(context, audience, fault?.field === "audience")}
      ${wiki.item_hidden === 1 ? box({ label: say("pages.announce"), name: "announce", checked: false, hint: say("pages.announce-hint") }) : html`<p class="hint">${say("pages.announced")}</p>`}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button> <a href="${path}">${say("forms.leave-as-is")}</a>
        <a class="danger-link" href="${path}?show=delete">${say("pages.delete-the-wiki")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("pages.wiki-settings"), main, status: fault?.status ?? 200 });
}

function confirm(context: PageContext, { owner, wiki }: WikiView): Promise<Response> {
  return deleteQuestion(context, {
    question: context.say("pages.delete-wiki", { name: wiki.name }),
    consequence: context.say("pages.gone-wiki"),
    wayBack: wikiPath(owner.channel_address, wiki.name),
    fields: html`<input type="hidden" name="act" value="delete" />`,
  });
}

async function change(context: MemberContext, typed: Fields): Promise<Response> {
  const view = await loadWiki(context);
  const { owner, own, wiki } = view;
  if (!own) throw missing("Page");
  if (typed.text("act") === "delete") {
    await deleteWiki(context.hub, owner, wiki.name);
    return redirect(context, `/wiki/${owner.channel_address}`, "deleted");
  }
  return tryForm(
    context,
    async () => {
      const changed = await changeWiki(context.hub, owner, wiki.name, {
        name: typed.word("name"),
        audience: await readPageAudience(context, typed, owner, wiki),
        post: typed.has("announce"),
      });
      return redirect(context, wikiPath(owner.channel_address, changed.name), "saved");
    },
    (fault) => settings(context, view, typed, fault),
  );
}
