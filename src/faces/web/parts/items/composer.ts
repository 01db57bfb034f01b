import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { alert, back, token, uploadProgress } from "../forms.ts";
import { completed } from "../completed.ts";
import { icon } from "../icons.ts";
import { avatar } from "../channels/person.ts";
import { attachments } from "./attachments.ts";
import { body } from "./body.ts";
import { chosenMediaList, mediaOnItsWay } from "./chosen-media.ts";
import type { OwnComposer } from "./load-composer.ts";
import { viewerOf } from "./status.ts";

/** What a text would look like. */
export type LaidOutDraft = { html: string; attach: string };

/** What a form in which somebody writes is shown with. */
export type ComposerState = {
  typed?: Fields | undefined;
  fault?: Fault | undefined;
  preview?: LaidOutDraft | undefined;
};

/** The text itself: beside the face of whoever writes, in a line that says what to write, or as a field of a longer form. */
type TextOptions = {
  label: string;
  value: string;
  rows: number;
  required?: boolean;
  autofocus?: boolean;
} & ({ prompt: string; face: "medium" | "small" } | { hint?: string });

export type ComposerOptions = ComposerState & {
  own: OwnComposer;
  /** What the form is called: as an element, and aloud. */
  id: string;
  name: string;
  /** More of its classes. */
  kind?: string;
  /** Where it is sent, and the page that shows it where that is another address. */
  action: string;
  place?: string;
  /** What the text is written in, where the form has no field for that. */
  format?: string;
  /** Makes it be answered in place. */
  inPlace?: Html;
  text: TextOptions;
  /** Fields before and behind the text. */
  before?: Html;
  quoted?: Html;
  extras?: Html;
  /** Files can come with it. */
  files: boolean;
  /** For whom it is. */
  foot?: Html;
  /** What the button says that sends it. */
  send: string;
  /** What else one may do with it. */
  ways?: Html;
  behind?: Html;
};

/** What Enter in a line of text presses: the first button of a form, which must do no harm. */
const enterButton = html`<button name="do" value="look" formnovalidate hidden></button>`;

/**
 * A form in which somebody writes, wherever that is (takeWriting). It works without scripts: files that came with it stand in
 * it when it is shown again.
 */
export function composer(context: MemberContext, options: ComposerOptions): Html {
  const {
    own,
    id,
    name,
    kind = "",
    action,
    format,
    inPlace,
    before,
    quoted,
    extras,
    files,
    foot,
    send,
    ways,
    behind,
  } = options;
  const { typed, fault, preview } = options;
  const { say } = context;
  return html`<form
    class="card composer ${kind}"
    id="${id}"
    method="post"
    action="${action}"
    enctype="multipart/form-data"
    aria-label="${name}"
    ${format === undefined ? "" : html`data-format="${format}"`}
    ${inPlace ?? ""}
  >
    ${token(context)}${back(context)} ${alert(fault)}
    <input type="hidden" name="sketch" value="${own.sketch}" />
    ${enterButton} ${before ?? ""} ${textPart(context, options)} ${quoted ?? ""}
    <hub-look>${preview ? lookPart(context, preview) : ""}</hub-look>
    ${files ? mediaField(context, own, id, typed) : tools(context)}
    ${extras ? html`<div class="composer-extras">${extras}</div>` : ""} ${files ? uploadProgress(context) : ""}
    <div class="composer-foot">
      ${foot ?? ""} ${counter(context)}
      <span class="composer-ways">
        ${ways ?? ""}
        <button class="button quiet small" name="do" value="look" formnovalidate>${say("composer.preview")}</button>
        <button class="button quiet small" name="do" value="keep" formnovalidate>${say("composer.save-draft")}</button>
        <button class="button primary" name="do" value="post">${send}</button>
      </span>
    </div>
    ${sketchKeeper(context, options.place ?? action)} ${behind ?? ""}
  </form>`;
}

function textPart(context: MemberContext, { id, text, fault }: ComposerOptions): Html {
  const { label, value, rows, required, autofocus } = text;
  const isWrong = fault?.field === "body";
  const field = completed(
    html`<textarea
      id="f-${id}-body"
      name="body"
      rows="${rows}"
      ${required ? "required" : ""}
      ${autofocus ? "autofocus" : ""}
      ${"prompt" in text ? html`placeholder="${text.prompt}"` : ""}
      ${"hint" in text ? html`aria-describedby="h-${id}-body"` : ""}
      ${isWrong ? html`aria-invalid="true"` : ""}
    >
${value}</textarea>`,
  );
  if ("prompt" in text)
    return html`<div class="composer-top">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/m/${context.member.channel.channel_id}`, text.face)}
      <label class="unseen" for="f-${id}-body">${label}</label>
      ${field}
    </div>`;
  return html`<div class="field ${isWrong ? "wrong" : ""}">
    <label for="f-${id}-body">${label}</label>
    ${field} ${"hint" in text ? html`<p class="hint" id="h-${id}-body">${text.hint}</p>` : ""}
    ${isWrong ? html`<p class="field-fault">${fault.sentence}</p>` : ""}
  </div>`;
}

/** What a post quotes, which is none of its own words. */
export function quotedWords(context: MemberContext, words: string, box: Html = html``): Html {
  return html`<div class="composer-quoted">
    ${box}
    <div class="body">${body(context, words)}</div>
  </div>`;
}

/** What the text will look like. */
function lookPart(context: MemberContext, { html: words, attach }: LaidOutDraft): Html {
  return html`<section class="preview" aria-label="${context.say("composer.preview")}">
    <p class="meta">${context.say("composer.will-look")}</p>
    <div class="body">${body(context, words, viewerOf(context))}</div>
    ${attachments(context, attach)}
  </section>`;
}

function mediaField(context: MemberContext, { media }: OwnComposer, id: string, typed: Fields | undefined): Html {
  const { say } = context;
  return html`<hub-media data-address="/uploads" data-broken="${say("composer.upload-broken")}">
    ${chosenMediaList(context, media, typed)}
    <template>${mediaOnItsWay(context)}</template>
    ${tools(
      context,
      html`<div class="field composer-media">
        <label for="f-${id}-media">${icon("picture")} ${say("composer.files")}</label
        ><input id="f-${id}-media" type="file" name="media" multiple />
      </div>`,
    )}
  </hub-media>`;
}

/** What is put into the text and beside it. Whoever has no scripts types emoji. */
function tools({ say }: MemberContext, media: Html = html``): Html {
  return html`<div class="composer-tools">
    ${media}
    <hub-insert data-label="${say("items.choose-emoji")}" data-close="${say("items.close")}"
      ><button type="button">${icon("smile")} ${say("composer.emoji")}</button></hub-insert
    >
  </div>`;
}

/** How long the text is; browsers without scripts show nothing of it. */
function counter({ hub, say }: MemberContext): Html {
  const count = say.html("composer.characters", {
    count: (words) => html`<span>${words}</span>`,
    over: (words) => html`<span class="field-fault" hidden>${words}</span>`,
  });
  return html`<hub-count class="meta" data-most="${hub.config.limits.body}" hidden>${count}</hub-count>`;
}

/** Keeps drafts while one types. */
function sketchKeeper({ member, say }: MemberContext, place: string): Html {
  return html`<hub-sketch data-owner="${member.channel.channel_id}" data-place="${place}"
    ><span class="meta" role="status" hidden>${say("composer.draft-saved")}</span></hub-sketch
  >`;
}
