import type { ChosenMedia } from "../../../../domain/cloud/unattached.ts";
import { renditionPath } from "../../../../domain/photos/urls.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { size } from "../files/sizes.ts";
import { icon } from "../icons.ts";

/** So many files a post can have. */
export const mostMedia = 32;

const longestDescription = 1500;

/** The files that a post will have, in their order, each with its description and the buttons for its place; they work without scripts. */
export function chosenMediaList(context: PageContext, chosen: readonly ChosenMedia[], typed?: Fields): Html {
  return html`<ol
    class="chosen-media"
    aria-label="${context.say("composer.chosen-files")}"
    ${chosen.length === 0 ? "hidden" : ""}
  >
    ${chosen.map((one) => chosenMediaRow(context, one, typed))}
  </ol>`;
}

/** One of them. */
export function chosenMediaRow(context: PageContext, { file, description }: ChosenMedia, typed?: Fields): Html {
  const { say } = context;
  const name = `alt_${file.id}`;
  const words =
    typed && [...typed.entries()].some(([typedName]) => typedName === name) ? typed.text(name) : description;
  return html`<li class="chosen" data-media="${file.id}">
    <input type="hidden" name="media_id" value="${file.id}" />
    ${picture(file)}
    <div class="chosen-words">
      <p class="meta">${file.filename} · ${size(context, file.filesize)}</p>
      ${
        file.is_photo === 1 || clipKind(file) !== undefined
          ? html`<label for="f-${name}" class="unseen"
                >${say("composer.description-of", { file: file.filename })}</label
              >
              <textarea
                id="f-${name}"
                name="${name}"
                rows="2"
                maxlength="${longestDescription}"
                placeholder="${say("composer.description-hint")}"
              >
${words}</textarea>`
          : file.filetype.startsWith("image/")
            ? html`<p class="hint">${say("composer.picture-as-file")}</p>`
            : ""
      }
    </div>
    <div class="chosen-place">
      <button class="act" name="raise_media" value="${file.id}" formnovalidate>
        ${icon("raise")}<span class="unseen">${say("composer.show-earlier", { file: file.filename })}</span>
      </button>
      <button class="act" name="drop_media" value="${file.id}" formnovalidate>
        ${icon("cross")}<span class="unseen">${say("composer.remove-file", { file: file.filename })}</span>
      </button>
    </div>
  </li>`;
}

/** A file that is being sent. */
export function mediaOnItsWay({ say }: PageContext): Html {
  return html`<li class="chosen">
    <span class="chosen-kind">${icon("upload")}</span>
    <div class="chosen-words">
      <p class="meta chosen-name"></p>
      <progress max="100" value="0" aria-label="${say("composer.being-sent")}"></progress>
      <p class="field-fault" role="status"></p>
    </div>
    <div class="chosen-place">
      <button class="act" type="button" name="drop_media">
        ${icon("cross")}<span class="unseen">${say("composer.remove")}</span>
      </button>
    </div>
  </li>`;
}

function clipKind({ filetype }: Pick<ChosenMedia["file"], "filetype">): string | undefined {
  return /^(audio|video)\//.exec(filetype)?.[1];
}

function picture({ is_photo, hash, filetype }: ChosenMedia["file"]): Html {
  if (is_photo === 1) return html`<img src="${renditionPath(hash, "small")}" alt="" width="80" height="80" />`;
  const kind = clipKind({ filetype });
  return html`<span class="chosen-kind">${icon(kind === "audio" ? "note" : kind === "video" ? "film" : "page")}</span>`;
}

/** The media ids that a form names, in their order, each once. */
export function mediaIdsOf(typed: Fields): number[] {
  const ids = typed.all("media_id").map((text) => (/^\d{1,16}$/.test(text) ? Number(text) : 0));
  return [...new Set(ids)];
}

/** What the form says of what is to be seen in them. */
export function descriptionsOf(typed: Fields): Map<number, string> {
  const ids = mediaIdsOf(typed).slice(0, mostMedia);
  const named = new Set([...typed.entries()].map(([name]) => name));
  return new Map(ids.filter((id) => named.has(`alt_${id}`)).map((id) => [id, typed.word(`alt_${id}`)]));
}
