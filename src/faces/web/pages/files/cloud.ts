import { makeDirectory } from "../../../../domain/cloud/change.ts";
import { upload } from "../../../../domain/cloud/upload.ts";
import { findByPath } from "../../../../domain/files/find.ts";
import { listFolder } from "../../../../domain/files/list.ts";
import { storageQuota, storageUsed } from "../../../../domain/files/quota.ts";
import type { File } from "../../../../domain/files/types.ts";
import { may } from "../../../../domain/permissions/may.ts";
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
import { takeChosen, withChosen } from "../../parts/files/chosen.ts";
import { entryPath, fileList, fileViews, trail, viewChoice } from "../../parts/files/file-list.ts";
import { alert, textField, token, uploadProgress } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { size } from "../../parts/files/sizes.ts";

const perPage = 200;

/** Somebody's file storage, by names. */
export const cloudPages: Page[] = [
  {
    path: "/cloud/:nick",
    access: "reader",
    mayBeStale: true,
    get: (context) => page(context),
    post: take,
    files: ["file"],
  },
  {
    path: "/cloud/:nick/:path{.+}",
    access: "reader",
    mayBeStale: true,
    get: (context) => page(context),
    post: take,
    files: ["file"],
  },
];

type Place = { view: ChannelView; folder: File | undefined; own: boolean; writable: boolean };

/** The directory that the address names. Throws missing when the visitor may not see it. */
async function placeOf(context: PageContext): Promise<Place> {
  const { hub, observer, member, params } = context;
  const view = await loadChannel(context, params["nick"] ?? "");
  if (!view.permissions.view_storage) throw missing("Channel");
  const { channel_id } = view.channel;
  const names = (params["path"] ?? "").split("/").filter((name) => name !== "");
  const folder = names.length === 0 ? undefined : await findByPath(hub, observer, channel_id, names);
  const own = member?.channel.channel_id === channel_id;
  const writable =
    member?.channel.channel_moved === "" && (own || (await may(hub, observer, "write_storage", channel_id)));
  return { view, folder, own, writable };
}

async function take(context: MemberContext, form: Fields): Promise<Response> {
  const { member } = context;
  const { view, folder } = await placeOf(context);
  const hash = folder?.hash ?? "";
  return tryForm(
    context,
    async () => {
      if (form.has("do")) return takeChosen(context, view.channel, form);
      const audience = view.channel.channel_id === member.channel.channel_id && form.has("audience");
      const lists = audience ? await readFileAudience(context, form, member.channel) : undefined;
      if (form.has("folder")) {
        await makeDirectory(context.hub, member.channel, view.channel, {
          folder: hash,
          name: form.word("folder"),
          audience: lists,
        });
      } else {
        const files = form.files("file");
        if (files.length === 0) throw fault("file", context.say("files.choose-first"));
        for (const { staged, filename, type } of files)
          await upload(context.hub, member.channel, view.channel, staged, {
            filename,
            type,
            folder: { hash },
            audience: lists,
          });
      }
      return redirect(context, context.path, "saved");
    },
    (fault) => page(context, form, fault),
  );
}

async function page(context: PageContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const place = await placeOf(context);
  const { view, folder, own, writable } = place;
  const nick = view.channel.channel_address;
  if (folder?.is_dir === 0) return redirect(context, entryPath(nick, folder));
  const found = await listFolder(context.hub, context.observer, view.channel.channel_id, folder?.hash ?? "", {
    limit: perPage,
    after: afterOf(context),
  });
  const { say } = context;
  const path = folder?.display_path ?? "";
  const shown = fileViews.find((one) => one === context.query.word("view")) ?? "list";
  const list = fileList(context, nick, found.entries, { own, writable, view: shown });
  const chosen = typed?.has("do") ? fault : undefined;
  const main = html`${path === "" ? await channelHeader(context, view, "files") : ""}
    <section class="card" aria-label="${say("files.files")}">
      ${trail(context, nick, path)} ${folder ? html`<h1 class="unseen">${folder.filename}</h1>` : ""}
      ${writable ? await tools(context, place, chosen ? undefined : typed, chosen ? undefined : fault) : ""}
      ${found.entries.length > 0 ? html`${viewChoice(context, shown)} ${writable ? await withChosen(context, view.channel, list, chosen) : list}` : html`<p class="empty">${say(writable ? "files.empty-own" : "files.empty")}</p>`}
      ${more(context, found.next)} ${own && path === "" ? await usage(context, view) : ""}
    </section>`;
  const title = folder ? folder.filename : say("files.files-of", { name: view.channel.channel_name });
  return show(context, { title, main, status: fault?.status ?? 200, ...(await channelLinks(context, view)) });
}

/** What can be put into the directory. */
async function tools(context: PageContext, { view, folder, own }: Place, typed?: Fields, fault?: Fault): Promise<Html> {
  const { hub, path, say } = context;
  const { channel } = view;
  const lists = folder ?? { allow_cid: channel.channel_allow_cid, allow_gid: channel.channel_allow_gid };
  const audience = own ? await loadFileAudience(hub, channel, lists, typed) : undefined;
  const picker = audience ? audiencePicker(context, audience, fault?.field === "audience") : "";
  const making = typed?.has("folder") ?? false;
  return html`<div class="file-tools">
    <form class="upload" method="post" action="${path}" enctype="multipart/form-data">
      ${token(context)} ${making ? "" : alert(fault)}
      <hub-drop
        ><label class="drop">
          ${icon("upload")} <span>${say.html("files.choose-files")}</span>
          <input type="file" name="file" multiple required /> </label
      ></hub-drop>
      ${uploadProgress(context)}
      <div class="submit">${picker} <button class="button primary">${say("files.upload")}</button></div>
    </form>
    <details class="menu-form" ${making && fault ? "open" : ""}>
      <summary class="button quiet">${icon("folder")} ${say("files.new-folder")}</summary>
      <form method="post" action="${path}" enctype="multipart/form-data">
        ${token(context)} ${making ? alert(fault) : ""}
        ${textField(context, { label: say("files.folder-name"), name: "folder", value: typed?.text("folder") ?? "", required: true, fault: making && fault && fault.field !== "audience" ? { ...fault, field: "folder" } : undefined })}
        <div class="submit">${picker} <button class="button">${say("files.make-folder")}</button></div>
      </form>
    </details>
    ${folder && own ? html`<a class="button quiet" href="/file/${folder.hash}">${icon("pencil")} ${say("files.change-folder")}</a>` : ""}
  </div>`;
}

async function usage(context: PageContext, { channel }: ChannelView): Promise<Html> {
  const { hub, say } = context;
  const [bytes, most] = await Promise.all([storageUsed(hub, channel.channel_account_id), storageQuota(hub)]);
  const [used, quota] = [size(context, bytes), size(context, most)];
  const words = most > 0 ? say("files.used-of", { used, quota }) : say("files.used", { used });
  return html`<p class="hint file-usage">${words}</p>`;
}

/** A long directory comes in pages; the next one begins after the last entry of this one. */
function more(context: PageContext, next: File | undefined): Html {
  if (!next) return html``;
  const after = `${next.is_dir}${next.filename}`;
  return html`<nav class="pager" aria-label="${context.say("files.pages")}">
    <a class="button" rel="next" href="${withParameter(context.here, "after", after)}">${context.say("files.more")}</a>
  </nav>`;
}

function afterOf({ query }: PageContext): Pick<File, "is_dir" | "filename"> | undefined {
  const text = query.text("after");
  return text === "" ? undefined : { is_dir: text.startsWith("1") ? 1 : 0, filename: text.slice(1) };
}
