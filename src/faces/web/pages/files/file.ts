import { changeAudience, move, remove, rename } from "../../../../domain/cloud/change.ts";
import { newRevision } from "../../../../domain/cloud/upload.ts";
import { isShownInPlace } from "../../../../domain/files/decide-type.ts";
import { findFile } from "../../../../domain/files/find.ts";
import { listRevisions } from "../../../../domain/files/list.ts";
import type { File } from "../../../../domain/files/types.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { findChannelById } from "../../../../domain/identity/channels/channels.ts";
import { may } from "../../../../domain/permissions/may.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { partOfChannel } from "../../parts/channels/channel-preview.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { audiencePicker, loadFileAudience, readFileAudience } from "../../parts/items/audience.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { entryPath, folderPath, trail } from "../../parts/files/file-list.ts";
import { folderChoices } from "../../parts/files/folder-choices.ts";
import { alert, choice, textField, token, uploadProgress } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { size } from "../../parts/files/sizes.ts";
import { time } from "../../parts/times.ts";
import { isMember } from "../../page.ts";

/** One file or folder: what it is, and for those who may, what can be done with it. */
export const filePages: Page[] = [
  { path: "/file/:hash", access: "anybody", mayBeStale: true, get: (context) => page(context) },
  { path: "/file/:hash/name", access: "member", post: takeName },
  { path: "/file/:hash/folder", access: "member", post: takeFolder },
  { path: "/file/:hash/audience", access: "member", post: takeAudience },
  { path: "/file/:hash/version", access: "member", post: takeVersion, files: ["file"] },
  { path: "/file/:hash/delete", access: "member", onlyForm: true, get: confirm, post: takeAway },
];

type FilePage = { file: File; owner: Channel; own: boolean; writable: boolean };

/** Throws missing when the visitor may not see it. */
async function load(context: PageContext): Promise<FilePage> {
  const { hub, observer, member, params } = context;
  const file = await findFile(hub, observer, { hash: params["hash"] ?? "" });
  const owner = await findChannelById(hub, file.uid);
  if (!owner) throw missing("File");
  const own = member?.channel.channel_id === owner.channel_id;
  const writable = member !== undefined && (own || (await may(hub, observer, "write_storage", owner.channel_id)));
  return { file, owner, own, writable };
}

type Part = "name" | "folder" | "audience" | "version";

/** Takes one of the forms; where it cannot be taken, the page comes again with the reason beside that form. */
async function change(context: MemberContext, part: Part, typed: Fields, work: (shown: FilePage) => Promise<unknown>) {
  const shown = await load(context);
  const { hash } = shown.file;
  return tryForm(
    context,
    async () => {
      await work(shown);
      return redirect(context, `/file/${hash}`, "saved");
    },
    (fault) => page(context, { part, typed, fault }),
  );
}

function takeName(context: MemberContext, typed: Fields): Promise<Response> {
  return change(context, "name", typed, ({ file, owner }) =>
    rename(context.hub, context.member.channel, owner, file.hash, typed.text("filename")),
  );
}

function takeFolder(context: MemberContext, typed: Fields): Promise<Response> {
  return change(context, "folder", typed, ({ file, owner }) =>
    move(context.hub, context.member.channel, owner, file.hash, typed.word("folder")),
  );
}

function takeAudience(context: MemberContext, typed: Fields): Promise<Response> {
  const { channel } = context.member;
  return change(context, "audience", typed, async ({ file, owner }) =>
    changeAudience(context.hub, channel, owner, file.hash, await readFileAudience(context, typed, channel)),
  );
}

function takeVersion(context: MemberContext, typed: Fields): Promise<Response> {
  return change(context, "version", typed, ({ file, owner }) => {
    const sent = typed.file("file");
    if (!sent) throw fault("file", context.say("files.choose-first"));
    return newRevision(context.hub, context.member.channel, owner, file.hash, sent.staged, sent.type);
  });
}

async function takeAway(context: MemberContext): Promise<Response> {
  const { file, owner } = await load(context);
  await remove(context.hub, context.member.channel, owner, file.hash);
  return redirect(context, parentPath(owner, file), "deleted");
}

type Failed = { part: Part; typed: Fields; fault: Fault };

async function page(context: PageContext, failed?: Failed): Promise<Response> {
  const { say } = context;
  const shown = await load(context);
  const { file, owner, writable } = shown;
  const main = html`<article class="card file-page">
      ${trail(context, owner.channel_address, file.display_path)}
      <h1>${file.filename}</h1>
      ${preview(file)}
      <p class="meta file-facts">
        ${file.is_dir === 1 ? html`<span>${say("files.folder")}</span>` : html`<span>${size(context, file.filesize)}</span><span>${file.filetype}</span>`}
        ${time(context, file.edited)}
      </p>
      <p class="submit">
        ${file.is_dir === 1 ? html`<a class="button primary" href="${entryPath(owner.channel_address, file)}">${icon("folder")} ${say("files.open")}</a>` : html`<a class="button primary" href="/attach/${file.hash}" download>${icon("download")} ${say("files.download")}</a>`}
        ${file.is_photo === 1 ? html`<a class="button" href="/photos/${owner.channel_address}/image/${file.hash}">${icon("picture")} ${say("files.as-photo")}</a>` : ""}
      </p>
    </article>
    ${await revisions(context, file)} ${writable && isMember(context) ? await forms(context, shown, failed) : ""}`;
  return show(context, {
    title: file.filename,
    main,
    status: failed?.fault.status ?? 200,
    preview: async () => ({
      ...(await partOfChannel(context, owner)),
      description: file.filetype,
      published: file.created,
    }),
  });
}

/** What a browser can show where it is. */
function preview(file: File): Html {
  if (file.is_photo === 1) return html`<img class="file-preview" src="${renditionPath(file.hash, "large")}" alt="" />`;
  if (!isShownInPlace(file.filetype)) return html``;
  const source = `/attach/${file.hash}`;
  if (file.filetype.startsWith("audio/"))
    return html`<audio class="file-preview" controls preload="none" src="${source}"></audio>`;
  if (file.filetype.startsWith("video/"))
    return html`<video class="file-preview" controls preload="metadata" src="${source}"></video>`;
  return html`<img class="file-preview" src="${source}" alt="" />`;
}

async function revisions(context: PageContext, file: File): Promise<Html> {
  const { say } = context;
  const all = await listRevisions(context.hub, file);
  if (all.length < 2) return html``;
  return html`<section class="card">
    <h2>${say("files.versions")}</h2>
    <ul class="files">
      ${all.map(
        (one) =>
          html`<li class="file">
            <a class="file-name" href="/attach/${one.hash}/${one.revision}" download>
              ${icon("page")}
              <span
                >${say(one.latest === 1 ? "files.version-newest" : "files.version", { number: String(one.revision + 1) })}</span
              >
            </a>
            <span class="meta file-facts"
              ><span>${size(context, one.filesize)}</span>${time(context, one.created)}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

async function forms(context: MemberContext, { file, owner, own }: FilePage, failed?: Failed): Promise<Html> {
  const { say } = context;
  const base = `/file/${file.hash}`;
  const wrong = (part: Part): Fault | undefined => (failed?.part === part ? failed.fault : undefined);
  const typed = (part: Part): Fields | undefined => (failed?.part === part ? failed.typed : undefined);
  return html`<section class="card form-page">
    <h2>${say("files.change")}</h2>
    <form method="post" action="${base}/name">
      ${token(context)} ${alert(wrong("name"))}
      ${textField(context, { label: say("files.name"), name: "filename", value: typed("name")?.text("filename") ?? file.filename, required: true, fault: wrong("name") })}
      <p class="submit"><button class="button">${say("files.rename")}</button></p>
    </form>
    <form method="post" action="${base}/folder">
      ${token(context)} ${alert(wrong("folder"))}
      ${choice(context, { label: say("files.folder"), name: "folder", value: file.folder, choices: await choices(context, file) })}
      <p class="submit"><button class="button">${say("files.move")}</button></p>
    </form>
    ${own ? await audienceForm(context, file, owner, typed("audience"), wrong("audience")) : ""}
    ${
      file.is_dir === 1
        ? ""
        : html`<form class="upload" method="post" action="${base}/version" enctype="multipart/form-data">
            ${token(context)} ${alert(wrong("version"))}
            <div class="field">
              <label for="f-version">${say("files.new-version")}</label
              ><input id="f-version" type="file" name="file" required />
            </div>
            ${uploadProgress(context)}
            <p class="submit"><button class="button">${say("files.upload")}</button></p>
          </form>`
    }
    <p class="submit"><a class="button danger" href="${base}/delete">${icon("bin")} ${say("forms.delete")}</a></p>
  </section>`;
}

async function audienceForm(
  context: MemberContext,
  file: File,
  owner: Channel,
  typed: Fields | undefined,
  fault: Fault | undefined,
): Promise<Html> {
  const audience = await loadFileAudience(context.hub, owner, file, typed);
  return html`<form method="post" action="/file/${file.hash}/audience">
    ${token(context)} ${alert(fault)} ${audiencePicker(context, audience, true)}
    ${file.is_dir === 1 ? html`<p class="hint">${context.say("files.folder-audience")}</p>` : ""}
    <p class="submit"><button class="button">${context.say("files.change-audience")}</button></p>
  </form>`;
}

/** Folders that it can go to. */
async function choices(context: MemberContext, file: File): Promise<[string, string][]> {
  return folderChoices(context, file.uid, (folder) => !isWithin(folder, file));
}

/** A folder cannot be moved into itself. */
function isWithin(folder: File, file: File): boolean {
  return folder.hash === file.hash || folder.os_path.split("/").includes(file.hash);
}

async function confirm(context: MemberContext): Promise<Response> {
  const { file, writable } = await load(context);
  if (!writable) throw missing("Page");
  const kind = file.is_dir === 1 ? "folder" : file.is_photo === 1 ? "photo" : "file";
  return deleteQuestion(context, {
    question: context.say("files.delete-question", { name: file.filename }),
    consequence: context.say(`files.delete-${kind}`),
    wayBack: `/file/${file.hash}`,
  });
}

function parentPath(owner: Channel, file: File): string {
  return folderPath(owner.channel_address, file.display_path.split("/").slice(0, -1).join("/"));
}
