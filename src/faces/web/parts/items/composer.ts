import { html } from "hono/html";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext } from "../../page.ts";
import { attachments } from "./attachments.ts";
import { audiencePicker } from "./audience.ts";
import type { AudienceChoice } from "./audience.ts";
import { body } from "./body.ts";
import { chosenMediaList, mediaOnItsWay } from "./chosen-media.ts";
import { composerExtras } from "./composer-extras.ts";
import type { OwnComposer } from "./load-composer.ts";
import { viewerOf } from "./status.ts";
import { addedInPlace, alert, back, token, uploadProgress } from "../forms.ts";
import { completed } from "../completed.ts";
import { icon } from "../icons.ts";
import { avatar } from "../channels/person.ts";

export type ComposerState = { typed: Fields | undefined; fault: Fault | undefined };

/** What a text would look like. */
export type LaidOutDraft = { html: string; attach: string };

type Options = ComposerState & {
  preview: LaidOutDraft | undefined;
  own: OwnComposer;
  /** Where the form is sent. */
  action: string;
  /** Undefined on the wall of somebody else: the wall decides. */
  audience: AudienceChoice | undefined;
  /** Whose wall it is. */
  wallOf?: string;
};

/** What Enter in a line of text presses: the first button of a form, which must do no harm. */
const enterButton = html`<button name="do" value="look" formnovalidate hidden>Preview</button>`;

/** The form for a new post. It works without scripts: files that came with it stand in it when it is shown again. */
export function composer(
  context: MemberContext,
  { action, audience, wallOf, own, typed, fault, preview }: Options,
): Html {
  const { channel } = context.member;
  const prompt = wallOf ? `Write on the wall of ${wallOf}` : "What's on your mind?";
  return html`<form
    class="card composer upload"
    id="composer"
    method="post"
    action="${action}"
    enctype="multipart/form-data"
    aria-label="New post"
  >
    ${token(context)} ${alert(fault)}
    <input type="hidden" name="sketch" value="${own.sketch}" />
    ${enterButton}
    <div class="composer-top">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/m/${channel.channel_id}`)}
      <label class="unseen" for="f-body">Text of the post</label>
      ${completed(
        html`<textarea
          id="f-body"
          name="body"
          rows="${typed ? 6 : 2}"
          placeholder="${prompt}"
          ${fault?.field === "body" ? html`aria-invalid="true"` : ""}
        >
${typed?.text("body") ?? ""}</textarea>`,
      )}
    </div>
    <hub-look>${preview ? lookPart(context, preview) : ""}</hub-look>
    ${audience ? mediaField(own, typed) : ""}
    <div class="composer-extras">
      ${composerExtras(context, { posts: audience !== undefined, format: own.format, typed, fault })}
    </div>
    ${uploadProgress(context)}
    <div class="composer-foot">
      ${audience ? audiencePicker(audience, fault?.field === "audience" || fault?.field === "group_allow") : html`<p class="hint">Visible to everybody who can see this wall.</p>`}
      ${counter(context)}
      <span class="composer-ways">
        <button class="button quiet small" name="do" value="look" formnovalidate>Preview</button>
        <button class="button quiet small" name="do" value="keep" formnovalidate>Save draft</button>
        <button class="button primary" name="do" value="post">Post</button>
      </span>
    </div>
    ${sketchKeeper(context, action)} ${waitingLinks(own)}
  </form>`;
}

/** What the text will look like. */
function lookPart(context: MemberContext, { html: words, attach }: LaidOutDraft): Html {
  return html`<section class="preview" id="preview" aria-label="Preview">
    <p class="meta">This is how it will look.</p>
    <div class="body">${body(context, words, viewerOf(context))}</div>
    ${attachments(attach)}
  </section>`;
}

/** Photos and files of a post. On a wall of somebody else there are none: nobody there could see them. */
function mediaField({ media }: OwnComposer, typed: Fields | undefined): Html {
  return html`<hub-media data-address="/uploads" data-broken="The connection broke off. Remove it and choose it again.">
    ${chosenMediaList(media, typed)}
    <template>${mediaOnItsWay}</template>
    <div class="field composer-media">
      <label for="f-media">${icon("picture")} Photos and files</label
      ><input id="f-media" type="file" name="media" multiple />
    </div>
  </hub-media>`;
}

/** How long the text is; browsers without scripts show nothing of it. */
function counter({ hub }: MemberContext): Html {
  return html`<hub-count class="meta" data-most="${hub.config.limits.body}" hidden
    ><span>0</span> characters<span class="field-fault" hidden> are too many</span></hub-count
  >`;
}

/** Keeps drafts while one types. */
function sketchKeeper({ member }: MemberContext, place: string): Html {
  return html`<hub-sketch data-owner="${member.channel.channel_id}" data-place="${place}"
    ><span class="meta" role="status" hidden>Your draft is saved.</span></hub-sketch
  >`;
}

/** What else the member has begun. */
function waitingLinks({ sketches, delayed }: OwnComposer): Html {
  if (sketches + delayed === 0) return html``;
  return html`<p class="composer-waiting meta">
    ${sketches > 0 ? html`<a href="/drafts">Drafts (${sketches})</a>` : ""}
    ${delayed > 0 ? html`<a href="/scheduled">Waiting for their date (${delayed})</a>` : ""}
  </p>`;
}

/**
 * The form for a comment. At the end of its page the new comment is added to those above; under the comment or post that it
 * answers (`under`, its anchor) it takes the place of the form.
 */
export function commentForm(
  context: MemberContext,
  action: string,
  { typed, fault, answered, under }: ComposerState & { answered: string | undefined; under?: string },
): Html {
  const { channel } = context.member;
  const prompt = answered === undefined ? "Write a comment" : `Answer ${answered}`;
  const id = under === undefined ? "comment" : `comment-${under}`;
  return html`<form
    class="card composer comment-form"
    id="${id}"
    method="post"
    action="${action}"
    aria-label="${under === undefined ? "New comment" : prompt}"
    ${addedInPlace(action, under === undefined ? { target: "#comments", part: "li", way: "beforeend" } : { target: "this", part: ".comment", way: "outerHTML" })}
  >
    ${token(context)}${back(context)} ${alert(fault)}
    <div class="composer-top">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/m/${channel.channel_id}`, "small")}
      <label class="unseen" for="f-${id}">Your comment</label>
      <textarea
        id="f-${id}"
        name="body"
        rows="2"
        required
        ${under === undefined ? "" : "autofocus"}
        placeholder="${prompt}"
        ${fault?.field === "body" ? html`aria-invalid="true"` : ""}
      >
${typed?.text("body") ?? ""}</textarea>
    </div>
    <div class="composer-foot">
      <p class="hint">Everybody who sees the post sees your comment.</p>
      <button class="button primary">Comment</button>
    </div>
  </form>`;
}
