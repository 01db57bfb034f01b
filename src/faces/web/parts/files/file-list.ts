import { parseList } from "../../../../domain/groups/lists.ts";
import { hasLists } from "../../../../domain/files/lists.ts";
import type { File } from "../../../../domain/files/types.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { withParameter } from "../../local-path.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import { size } from "./sizes.ts";
import { time } from "../times.ts";

/** Where an entry of somebody's storage is shown: directories by their names, files by their own page. */
export function entryPath(nick: string, entry: Pick<File, "is_dir" | "display_path" | "hash">): string {
  return entry.is_dir === 1 ? folderPath(nick, entry.display_path) : `/file/${entry.hash}`;
}

/** The address of a directory by its names; the top level has none. */
export function folderPath(nick: string, path: string): string {
  const names = path === "" ? [] : path.split("/");
  return ["/cloud", nick, ...names].map(encodeName).join("/");
}

function encodeName(name: string): string {
  return name.startsWith("/") ? name : encodeURIComponent(name);
}

/** The way down to a directory or file, each name a link but the last. */
export function trail({ say }: PageContext, nick: string, path: string): Html {
  const names = path === "" ? [] : path.split("/");
  return html`<nav class="trail" aria-label="${say("files.folders")}">
    <ol>
      <li>
        ${names.length === 0 ? html`<span aria-current="page">${say("files.files")}</span>` : html`<a href="/cloud/${nick}">${say("files.files")}</a>`}
      </li>
      ${names.map((name, at) =>
        at === names.length - 1
          ? html`<li><span aria-current="page">${name}</span></li>`
          : html`<li><a href="${folderPath(nick, names.slice(0, at + 1).join("/"))}">${name}</a></li>`,
      )}
    </ol>
  </nav>`;
}

/** How a directory is shown: a line for each entry, or pictures side by side. */
export const fileViews = ["list", "grid"] as const;
export type FileView = (typeof fileViews)[number];

/** `own`: whom an entry is shown to is for its owner's eyes; `writable`: entries can be ticked, for the form of chosen.ts. */
type ListForm = { own: boolean; writable: boolean; view: FileView };

/** What is in a directory. */
export function fileList(
  context: PageContext,
  nick: string,
  entries: readonly File[],
  { own, writable, view }: ListForm,
): Html {
  const { say } = context;
  const place = (entry: File): string =>
    entry.is_dir === 1 && view === "grid"
      ? withParameter(entryPath(nick, entry), "view", view)
      : entryPath(nick, entry);
  return html`<ul class="files ${view}">
    ${entries.map(
      (entry) =>
        html`<li class="file" data-hash="${entry.hash}" ${entry.is_dir === 1 ? "data-folder" : ""}>
          ${writable ? html`<label class="tick"><input type="checkbox" name="chosen" form="chosen" value="${entry.hash}" /><span class="unseen">${say("files.choose", { name: entry.filename })}</span></label>` : ""}
          <a class="file-name" href="${place(entry)}"> ${picture(entry)} <span>${entry.filename}</span> </a>
          <span class="meta file-facts">
            ${own ? html`<span>${say(`files.${audienceOf(entry)}`)}</span>` : ""}
            ${entry.is_dir === 1 ? html`<span>${say("files.folder")}</span>` : html`<span>${size(context, entry.filesize)}</span>`}
            ${time(context, entry.edited)}
            ${own && entry.is_dir === 1 ? html`<a href="/file/${entry.hash}">${say("files.change")}<span class="unseen"> ${entry.filename}</span></a>` : ""}
          </span>
        </li>`,
    )}
  </ul>`;
}

function picture(entry: File): Html {
  if (entry.is_photo === 1)
    return html`<img
      class="file-thumb"
      src="${renditionPath(entry.hash, "small")}"
      alt=""
      width="40"
      height="40"
      loading="lazy"
    />`;
  return icon(iconOf(entry));
}

function iconOf(entry: File): IconName {
  if (entry.is_dir === 1) return "folder";
  if (entry.filetype.startsWith("audio/")) return "note";
  return entry.filetype.startsWith("video/") ? "film" : "page";
}

/** Who can see it, for its owner. */
function audienceOf(file: File): "public" | "connections" | "only-me" | "chosen-people" {
  if (!hasLists(file)) return "public";
  const named = parseList(file.allow_gid).length + parseList(file.allow_cid).length;
  if (named === 0) return "connections";
  return named === 1 && file.allow_cid.includes(`<${file.creator}>`) ? "only-me" : "chosen-people";
}

/** The same directory in the other view. */
export function viewChoice({ say, path }: PageContext, view: FileView): Html {
  return html`<nav class="file-views" aria-label="${say("files.views")}">
    ${fileViews.map((one) => html`<a href="${path}?view=${one}" ${one === view ? html`aria-current="true"` : ""}>${say(`files.view-${one}`)}</a>`)}
  </nav>`;
}
