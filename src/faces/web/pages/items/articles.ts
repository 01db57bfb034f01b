import { findArticle, listArticles } from "../../../../domain/pages/articles.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { Article } from "../../../../domain/pages/columns.ts";
import { articleKinds } from "../../../../domain/pages/kinds.ts";
import type { ArticleKind } from "../../../../domain/pages/kinds.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { attachments } from "../../parts/items/attachments.ts";
import { audiencePicker } from "../../parts/items/audience.ts";
import { body } from "../../parts/items/body.ts";
import { mediaIdsOf } from "../../parts/items/chosen-media.ts";
import { composer } from "../../parts/items/composer.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { draftIn, loadComposer } from "../../parts/items/load-composer.ts";
import { takeWriting } from "../../parts/items/take-writing.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { choice, textField } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { textTypes } from "../../parts/pages/page-editor.ts";
import { loadOwner, loadPageAudience, loadWriter, readPageAudience } from "../../parts/pages/page-owner.ts";
import { articlePath, articlePaths } from "../../parts/pages/page-paths.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { postPreview } from "../../parts/items/post-preview.ts";
import { displayPath } from "../../parts/item-paths.ts";
import { shorten } from "../../parts/shorten.ts";
import { viewerOf } from "../../parts/items/status.ts";
import { summaryField } from "../../parts/items/summary.ts";
import { time } from "../../parts/times.ts";

const perPage = 20;
const beginning = 300;

/** Articles and cards of a channel: posts with a page of their own. */
export const articlesPages: Page[] = (["article", "card"] as const).flatMap((kind): Page[] => {
  const path = `/${articlePaths[kind]}/:nick`;
  return [
    { path, access: "anybody", mayBeStale: true, get: (context) => list(context, kind) },
    {
      path: `${path}/new`,
      access: "member",
      onlyForm: true,
      get: (context) => editor(context, kind),
      post: (context, typed) => write(context, kind, typed),
      again: (context, typed, fault) => editor(context, kind, { typed, fault }),
      files: ["media"],
    },
    { path: `${path}/:name`, access: "anybody", mayBeStale: true, get: (context) => article(context, kind) },
  ];
});

async function list(context: PageContext, kind: ArticleKind): Promise<Response> {
  const { hub, observer, say } = context;
  const owner = await loadOwner(context);
  const own = context.member?.channel.channel_id === owner.channel_id;
  const { articles, next } = await listArticles(hub, observer, owner, kind, { ...beforeOf(context), count: perPage });
  if (!own && articles.length === 0) throw missing("Page");
  const view = await loadChannel(context, owner.channel_address);
  const nick = owner.channel_address;
  const main = html`${await channelHeader(context, view, articlePaths[kind])}
  ${
    own
      ? html`<p class="lead">${say(`items.about-${kind}`)}</p>
          <p>
            <a class="button primary" href="/${articlePaths[kind]}/${nick}/new"
              >${icon("pencil")} ${say(`items.new-${kind}`)}</a
            >
          </p>`
      : ""
  }
  ${
    articles.length > 0
      ? html`<ol class="article-list">
          ${articles.map((item) => entry(context, kind, nick, item))}
        </ol>`
      : html`<p class="empty">${say(`items.no-${kind}`)}</p>`
  }
  ${pager(context, next)}`;
  return show(context, {
    title: say(`items.${kind}s-of`, { name: owner.channel_name }),
    main,
    ...(await channelLinks(context, view)),
  });
}

function entry(context: PageContext, kind: ArticleKind, nick: string, item: Article): Html {
  const path = articlePath(kind, nick, item.name);
  return html`<li class="card">
    <h2><a href="${path}">${item.title || shorten(item.plain, 60) || item.name}</a></h2>
    <p class="meta">${time(context, item.created)} ${notPublic(context, item)}</p>
    <p ${item.lang ? html`lang="${item.lang}"` : ""}>${item.summary || shorten(item.plain, beginning)}</p>
  </li>`;
}

function notPublic({ say }: PageContext, item: Article): Html {
  return item.item_private === 0
    ? html``
    : html`<span class="visibility private">${icon("lock")} ${say("items.not-public")}</span>`;
}

async function article(context: PageContext, kind: ArticleKind): Promise<Response> {
  const owner = await loadOwner(context);
  const item = await findArticle(context.hub, context.observer, owner, kind, context.params["name"] ?? "");
  const written = item.author_id === context.member?.channel.xchan_id && item.uid === context.observer.channelId;
  const title = item.title || item.name;
  const nick = owner.channel_address;
  const main = html`<article class="card web-page article">
    <header class="title-row">
      <h1 class="${item.title ? "" : "unseen"}">${title}</h1>
      ${written ? html`<a class="button" href="/item/${item.id}/edit">${icon("pencil")} ${context.say("forms.edit")}</a>` : ""}
    </header>
    ${item.summary ? html`<p class="lead">${item.summary}</p>` : ""}
    <div class="body" ${item.lang ? html`lang="${item.lang}"` : ""}>${body(context, item.html, viewerOf(context))}</div>
    ${attachments(context, item.attach)}
    <p class="meta web-page-foot">
      <a href="/channel/${nick}">${owner.channel_name}</a> <span>${time(context, item.created)}</span>
      ${item.revision > 0 ? html`<span>${context.say.html("items.edited-at", { time: time(context, item.edited) })}</span>` : ""}
      ${notPublic(context, item)}
      <a href="${displayPath(context, item)}">${icon("reply")} ${context.say("items.comments-list")}</a>
      <a href="/${articlePaths[kind]}/${nick}">${context.say(`items.all-${kind}s`)}</a>
    </p>
  </article>`;
  const preview = async () => {
    const authors = await loadUsers(context.hub, context.observer, [item.author_id]);
    return postPreview(context, item, authors.get(item.author_id));
  };
  return show(context, { title, main, preview });
}

async function editor(
  context: MemberContext,
  kind: ArticleKind,
  { typed, fault, preview }: ComposerState = {},
): Promise<Response> {
  const { owner, own } = await loadWriter(context);
  if (!own) throw missing("Page");
  const fields = typed ?? (await draftIn(context)) ?? new Fields();
  const audience = await loadPageAudience(context, owner, undefined, fields.has("audience") ? fields : undefined);
  const nick = owner.channel_address;
  const { say } = context;
  const title = say(`items.new-${kind}`);
  const main = html`<section class="writing-page">
    <h1>${title}</h1>
    ${composer(context, {
      typed: fields,
      fault,
      preview,
      own: await loadComposer(context, fields),
      id: "article",
      name: title,
      action: context.path,
      before: html`${textField(context, { label: say("composer.title"), name: "title", value: fields.text("title"), required: true, fault })}
      ${summaryField(context, fields.text("summary"), { kind: articleKinds[kind].itemKind })}`,
      text: { label: say("composer.text"), value: fields.text("body"), rows: 18 },
      files: true,
      extras: html`<div class="columns">
        ${choice(context, { label: say("composer.written-in"), name: "mimetype", value: formatIn(fields), choices: textTypes(context), fault })}
        ${textField(context, { label: say("items.address-name"), name: "pagetitle", value: fields.text("pagetitle"), hint: say("items.address-name-hint"), fault })}
      </div>`,
      foot: audiencePicker(context, audience, fault?.field === "audience"),
      ways: html`<a href="/${articlePaths[kind]}/${nick}">${say("forms.leave-it")}</a>`,
      send: say("items.publish"),
    })}
  </section>`;
  return show(context, { title, main, status: fault?.status ?? 200 });
}

function formatIn(fields: Fields): string {
  return fields.text("mimetype") || "text/bbcode";
}

async function write(context: MemberContext, kind: ArticleKind, sent: Fields): Promise<Response> {
  const { owner, own } = await loadWriter(context);
  if (!own) throw missing("Page");
  return takeWriting(context, sent, {
    files: true,
    format: formatIn,
    again: (typed, more) => editor(context, kind, { typed, ...more }),
    async send(typed) {
      const item = await postItem(context.hub, owner, {
        body: typed.text("body"),
        title: typed.word("title"),
        summary: typed.word("summary"),
        mimetype: formatIn(typed),
        mediaIds: mediaIdsOf(typed),
        itemType: articleKinds[kind].itemKind,
        pageTitle: typed.word("pagetitle") || typed.word("title"),
        audience: await readPageAudience(context, typed, owner, undefined),
      });
      return redirect(context, articlePath(kind, owner.channel_address, item.uuid), "saved");
    },
  });
}
