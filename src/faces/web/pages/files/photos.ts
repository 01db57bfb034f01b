import { upload } from "../../../../domain/cloud/upload.ts";
import { findByPath } from "../../../../domain/files/find.ts";
import { may } from "../../../../domain/permissions/may.ts";
import { albumPage, pictureOrders } from "../../../../domain/photos/album-page.ts";
import type { Picture, PictureOrder } from "../../../../domain/photos/album-page.ts";
import { albumKey, albumOfKey, albums } from "../../../../domain/photos/albums.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { audiencePicker, loadFileAudience, readFileAudience } from "../../parts/items/audience.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import type { ChannelView } from "../../parts/channels/channel-header.ts";
import { alert, token, uploadProgress } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { pager } from "../../parts/pager.ts";

const perPage = 60;

/** Photos and albums of a channel. */
export const photosPages: Page[] = [
  {
    path: "/photos/:nick",
    access: "reader",
    mayBeStale: true,
    get: (context) => overview(context),
    post: take,
    files: ["file"],
  },
  { path: "/photos/:nick/album/:key?", access: "anybody", mayBeStale: true, get: album },
];

/** The channel whose photos these are. Throws missing when the visitor may see none of its files. */
async function load(context: PageContext): Promise<ChannelView> {
  const view = await loadChannel(context, context.params["nick"] ?? "");
  if (!view.permissions.view_storage) throw missing("Channel");
  return view;
}

async function overview(context: PageContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const view = await load(context);
  const { say } = context;
  const { channel } = view;
  const isOwn = context.member?.channel.channel_id === channel.channel_id;
  const [all, newest] = await Promise.all([
    albums(context.hub, context.observer, channel),
    albumPage(context.hub, context.observer, { uid: channel.channel_id }, placeIn(context)),
  ]);
  const main = html`${await channelHeader(context, view, "photos")} ${await uploadForm(context, view, typed, fault)}
  ${
    all.length > 0
      ? html`<section class="card" aria-labelledby="albums">
          <h2 id="albums">${say("files.albums")}</h2>
          <ul class="albums">
            ${all.map(
              ({ name, total, cover }) =>
                html`<li>
                  <a href="/photos/${channel.channel_address}/album/${albumKey(name)}"
                    ><img src="${renditionPath(cover, "small")}" alt="" width="160" height="160" loading="lazy" />
                    <span>${name === "" ? say("files.top-level") : name}</span> <small>${total}</small></a
                  >
                </li>`,
            )}
          </ul>
        </section>`
      : ""
  }
  ${grid(channel.channel_address, newest.pictures)} ${pager(context, newest.next)}
  ${newest.pictures.length === 0 ? html`<p class="empty">${say(isOwn ? "files.no-photos-own" : "files.no-photos")}</p>` : ""}`;
  return show(context, {
    title: say("files.photos-of", { name: channel.channel_name }),
    main,
    status: fault?.status ?? 200,
    ...(await channelLinks(context, view)),
  });
}

async function album(context: PageContext): Promise<Response> {
  const view = await load(context);
  const { channel } = view;
  const { hub, observer, query, say } = context;
  const name = albumOfKey(context.params["key"] ?? "");
  if (name === undefined) throw missing("Album");
  const folder = name === "" ? undefined : await findByPath(hub, observer, channel.channel_id, name.split("/"));
  const where = { uid: channel.channel_id, folder: folder?.hash ?? "" };
  const order = pictureOrders.find((one) => one === query.word("order")) ?? "newest";
  const { pictures, next } = await albumPage(hub, observer, where, { ...placeIn(context), order });
  if (pictures.length === 0) throw missing("Album");
  const title = name === "" ? say("files.top-level") : name;
  const main = html`<p class="crumbs">
      <a href="/photos/${channel.channel_address}">${say("files.photos-of", { name: channel.channel_name })}</a>
    </p>
    <h1>${title}</h1>
    ${orderChoice(context, order)} ${grid(channel.channel_address, pictures)}
    ${pager(context, next, order === "newest" ? undefined : say("files.more"))}`;
  return show(context, { title, main, ...(await channelLinks(context, view)) });
}

function placeIn({ query }: PageContext): { before: string; count: number } {
  return { before: query.text("before"), count: perPage };
}

/** The same album in another order. */
function orderChoice({ say, path }: PageContext, order: PictureOrder): Html {
  return html`<nav class="file-views" aria-label="${say("files.order")}">
    ${pictureOrders.map(
      (one) =>
        html`<a
          class="button quiet"
          href="${withParameter(path, "order", one === "newest" ? "" : one)}"
          ${one === order ? html`aria-current="true"` : ""}
          >${say(`files.order-${one}`)}</a
        >`,
    )}
  </nav>`;
}

/** Thumbnails, each a link to its page. */
function grid(nick: string, pictures: readonly Picture[]): Html {
  if (pictures.length === 0) return html``;
  return html`<ul class="photo-grid">
    ${pictures.map(
      (one) =>
        html`<li>
          <a href="/photos/${nick}/image/${one.hash}"
            ><img
              src="${renditionPath(one.hash, "small")}"
              alt="${one.description || one.title || one.filename}"
              loading="lazy"
            />${one.title ? html`<span class="caption">${one.title}</span>` : ""}</a
          >
        </li>`,
    )}
  </ul>`;
}

async function uploadForm(
  context: PageContext,
  { channel }: ChannelView,
  typed?: Fields,
  fault?: Fault,
): Promise<Html> {
  const { hub, member, observer, say } = context;
  if (!member || !(await may(hub, observer, "write_storage", channel.channel_id))) return html``;
  const own = member.channel.channel_id === channel.channel_id;
  const lists = { allow_cid: channel.channel_allow_cid, allow_gid: channel.channel_allow_gid };
  const audience = own ? await loadFileAudience(hub, channel, lists, typed) : undefined;
  return html`<form class="card upload" method="post" action="${context.path}" enctype="multipart/form-data">
    ${token(context)} ${alert(fault)}
    <hub-drop
      ><label class="drop">
        ${icon("upload")} <span>${say.html("files.choose-photos")}</span>
        <input type="file" name="file" multiple required accept="image/jpeg,image/png,image/gif,image/webp" /> </label
    ></hub-drop>
    ${uploadProgress(context)}
    <div class="submit">
      ${audience ? audiencePicker(context, audience, fault?.field === "audience") : ""}
      <button class="button primary">${say("files.upload")}</button>
    </div>
  </form>`;
}

/** Pictures go to the album that the channel's settings name for them. */
async function take(context: MemberContext, form: Fields): Promise<Response> {
  const { member, hub } = context;
  const { channel } = await load(context);
  return tryForm(
    context,
    async () => {
      const files = form.files("file");
      if (files.length === 0) throw fault("file", context.say("files.choose-photo-first"));
      const own = channel.channel_id === member.channel.channel_id;
      const audience = own ? await readFileAudience(context, form, member.channel) : undefined;
      for (const { staged, filename, type } of files)
        await upload(hub, member.channel, channel, staged, { filename, type, audience });
      return redirect(context, context.path, "saved");
    },
    (fault) => overview(context, form, fault),
  );
}
