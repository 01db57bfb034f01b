import { choosePhotoFor } from "../../../../domain/cloud/channel-photos.ts";
import { describePhoto } from "../../../../domain/cloud/describe.ts";
import { findFile } from "../../../../domain/files/find.ts";
import type { File } from "../../../../domain/files/types.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import { photoThread, postedPhoto } from "../../../../domain/items/media/photo-thread.ts";
import type { PhotoThread } from "../../../../domain/items/media/photo-thread.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { may } from "../../../../domain/permissions/may.ts";
import { neighboursOf } from "../../../../domain/photos/album-page.ts";
import { albumKey } from "../../../../domain/photos/albums.ts";
import { findPhoto } from "../../../../domain/photos/find.ts";
import { scales } from "../../../../domain/photos/scales.ts";
import type { Photo } from "../../../../domain/photos/columns.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import { HubError, missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { partOfChannel } from "../../parts/channels/channel-preview.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { statusFoot } from "../../parts/items/actions.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { takeComment } from "../../parts/items/take-comment.ts";
import { answerForm, commentList } from "../../parts/items/conversation.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { alert, buttonForm, textArea, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { windowOf } from "../../parts/pager.ts";
import { anchorOf, displayPath } from "../../parts/item-paths.ts";
import { time } from "../../parts/times.ts";

/** One image with what people say about it. */
export const photoPages: Page[] = [
  {
    path: "/photos/:nick/image/:hash",
    access: "reader",
    mayBeStale: true,
    get: pageOrPost,
    post: comment,
    again,
    files: ["media"],
  },
  { path: "/photos/:nick/image/:hash/words", access: "member", post: describe },
  { path: "/photos/:nick/image/:hash/use", access: "member", post: use },
];

type PhotoPage = { file: File; owner: Channel; photo: Photo; thread: PhotoThread };

async function load(context: PageContext): Promise<PhotoPage> {
  const { hub, observer, params } = context;
  const owner = await findChannelByNick(hub, params["nick"] ?? "");
  if (!owner) throw missing("Photo");
  const file = await findFile(hub, observer, { hash: params["hash"] ?? "" }, owner.channel_id);
  const photo = await findPhoto(hub, observer, { resource: file.hash, scale: scales.large.number }, owner.channel_id);
  return { file, owner, photo, thread: await photoThread(hub, observer, file, windowOf(context)) };
}

/** Who no longer sees the file finds the public post that shows it, where there is one. */
async function pageOrPost(context: PageContext): Promise<Response> {
  try {
    return await page(context);
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "missing") throw error;
    const { hub, observer, params } = context;
    const owner = await findChannelByNick(hub, params["nick"] ?? "");
    const post = owner && (await postedPhoto(hub, observer, owner.channel_id, params["hash"] ?? ""));
    if (!post) throw error;
    return redirect(context, displayPath(context, post));
  }
}

async function comment(context: MemberContext, typed: Fields): Promise<Response> {
  const { thread } = await load(context);
  const top = thread.items[0];
  if (!top) throw missing("Photo");
  return takeComment(context, typed, {
    parent: () => Promise.resolve({ id: top.id }),
    done: (item) => redirect(context, `${context.path}#${anchorOf(item)}`, "commented"),
    again: (kept, more) => page(context, { typed: kept, ...more, part: "comment" }),
  });
}

function again(context: MemberContext, typed: Fields, fault: Fault): Promise<Response> {
  return page(context, { typed, fault, part: "comment" });
}

async function describe(context: MemberContext, typed: Fields): Promise<Response> {
  const { file, owner } = await load(context);
  return tryForm(
    context,
    async () => {
      const words = { title: typed.text("title"), description: typed.text("description") };
      await describePhoto(context.hub, context.member.channel, owner, file.hash, words);
      return redirect(context, photoPath(owner, file.hash), "saved");
    },
    (fault) => page(context, { typed, fault, part: "words" }),
  );
}

/** The owner makes it the picture or the cover of the channel. */
async function use(context: MemberContext, typed: Fields): Promise<Response> {
  const { file, owner } = await load(context);
  if (owner.channel_id !== context.member.channel.channel_id) throw missing("Photo");
  const wanted = typed.text("use");
  if (wanted !== "profile" && wanted !== "cover") throw fault("use", context.say("forms.unknown-button"));
  await choosePhotoFor(context.hub, wanted, owner, file.hash);
  return redirect(context, photoPath(owner, file.hash), "saved");
}

/** One of its forms as it is shown again. */
type Again = ComposerState & { part: "comment" | "words" };

async function page(context: PageContext, failed?: Again): Promise<Response> {
  const { say } = context;
  const shown = await load(context);
  const { file, owner, photo, thread } = shown;
  const [top, ...comments] = thread.items;
  const title = photo.title || file.filename;
  const main = html`<p class="crumbs">
      <a href="/photos/${owner.channel_address}">${say("files.photos-of", { name: owner.channel_name })}</a>
      <a href="/photos/${owner.channel_address}/album/${albumKey(photo.album)}"
        >${photo.album || say("files.top-level")}</a
      >
    </p>
    <section class="card photo-page">
      <h1>${title}</h1>
      <a class="photo-frame" href="${renditionPath(file.hash, "original")}">
        <img
          src="${renditionPath(file.hash, "large")}"
          width="${photo.width}"
          height="${photo.height}"
          alt="${photo.description || title}"
        />
      </a>
      ${await ways(context, shown)} ${photo.description ? html`<p>${photo.description}</p>` : ""}
      <p class="meta file-facts">
        ${time(context, photo.created)} <a href="/file/${file.hash}">${say("files.about-file")}</a>
      </p>
      ${await words(context, shown, failed)} ${uses(context, shown)}
    </section>
    ${top ? await conversation(context, [top, ...comments], thread, failed) : ""}`;
  return show(context, {
    title,
    main,
    status: failed?.fault?.status ?? 200,
    preview: async () => ({
      ...(await partOfChannel(context, owner)),
      description: photo.description,
      picture: {
        width: photo.width,
        height: photo.height,
        url: renditionPath(file.hash, "large"),
        alt: photo.description,
        isLarge: true,
      },
      published: photo.created,
    }),
  });
}

/** The images beside this one in its album. */
async function ways({ hub, observer, say }: PageContext, { file, owner }: PhotoPage): Promise<Html> {
  const { newer, older } = await neighboursOf(hub, observer, { uid: file.uid, folder: file.folder, id: file.id });
  if (!newer && !older) return html``;
  return html`<nav class="photo-ways" aria-label="${say("files.album")}">
    ${newer ? html`<a class="button quiet" rel="prev" href="${photoPath(owner, newer.hash)}">${say("files.newer")}</a>` : html`<span></span>`}
    ${older ? html`<a class="button quiet" rel="next" href="${photoPath(owner, older.hash)}">${say("files.older")}</a>` : ""}
  </nav>`;
}

/** What those who may change the photo can say about it. */
async function words(context: PageContext, { file, owner, photo }: PhotoPage, failed?: Again): Promise<Html> {
  const { hub, observer, member, say } = context;
  if (!member || !(await may(hub, observer, "write_storage", owner.channel_id))) return html``;
  const { typed, fault: wrong } = failed?.part === "words" ? failed : {};
  return html`<details class="menu-form" ${typed ? "open" : ""}>
    <summary class="button quiet">${icon("pencil")} ${say("files.caption")}</summary>
    <form method="post" action="${photoPath(owner, file.hash)}/words">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("files.caption"), name: "title", value: typed?.text("title") ?? photo.title, fault: wrong })}
      ${textArea(context, { label: say("files.description"), name: "description", value: typed?.text("description") ?? photo.description, rows: 3, hint: say("files.description-hint"), fault: wrong })}
      <p class="submit"><button class="button">${say("forms.save")}</button></p>
    </form>
  </details>`;
}

function uses(context: PageContext, { file, owner }: PhotoPage): Html {
  if (context.member?.channel.channel_id !== owner.channel_id) return html``;
  const { say } = context;
  const button = (use: string, label: string): Html =>
    buttonForm(context, `${photoPath(owner, file.hash)}/use`, label, { kind: "quiet", fields: { use } });
  return html`<div class="submit">
    ${button("profile", say("files.use-as-picture"))} ${button("cover", say("files.use-as-cover"))}
  </div>`;
}

async function conversation(
  context: PageContext,
  [top, ...comments]: [Item, ...Item[]],
  around: PhotoThread,
  failed?: Again,
): Promise<Html> {
  const feed = await loadFeed(context, [top, ...comments]);
  const { part, ...again } = failed ?? { part: "" };
  if (context.member) await markSeen(context.hub, context.member.channel, [top, ...comments]);
  return html`<section class="thread whole" id="${anchorOf(top)}">
      <div class="status post">${statusFoot(context, feed, top)}</div>
      ${commentList(context, feed, comments, around)}
    </section>
    ${await answerForm(context, top, part === "comment" ? again : {})}`;
}

function photoPath(owner: Channel, hash: string): string {
  return `/photos/${owner.channel_address}/image/${hash}`;
}
