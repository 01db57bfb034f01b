import { html } from "hono/html";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext } from "../../page.ts";
import { audiencePicker } from "./audience.ts";
import type { AudienceChoice } from "./audience.ts";
import { alert, back, box, choice, textField, token } from "../forms.ts";
import { icon } from "../icons.ts";
import { avatar } from "../channels/person.ts";
import { commenterChoices, quoterChoices } from "./interaction.ts";
import { summaryField } from "./summary.ts";

export type ComposerState = { typed: Fields | undefined; fault: Fault | undefined };

type Options = ComposerState & {
  /** Where the form is sent. */
  action: string;
  /** Undefined on the wall of somebody else: the wall decides. */
  audience: AudienceChoice | undefined;
  /** Whose wall it is. */
  wallOf?: string;
};

/** What is folded up until somebody asks for it, or has filled it in. */
const extras = ["title", "summary", "category", "commenters", "quoters", "unlisted"];

/** The form for a new post. */
export function composer(context: MemberContext, { action, audience, wallOf, typed, fault }: Options): Html {
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
    <div class="composer-top">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/m/${channel.channel_id}`)}
      <label class="unseen" for="f-body">Text of the post</label>
      <textarea
        id="f-body"
        name="body"
        rows="2"
        placeholder="${prompt}"
        ${fault?.field === "body" ? html`aria-invalid="true"` : ""}
      >
${typed?.text("body") ?? ""}</textarea>
    </div>
    <details class="extras" ${extras.some((name) => typed?.has(name)) ? "open" : ""}>
      <summary>Title, content warning, who may answer and more</summary>
      ${textField({ label: "Title", name: "title", value: typed?.text("title") ?? "" })}
      ${summaryField(typed?.text("summary") ?? "")}
      ${textField({ label: "Categories", name: "category", value: typed?.text("category") ?? "", hint: "Separate several with commas." })}
      ${audience ? choice({ label: "Who may answer?", name: "commenters", value: typed?.text("commenters") ?? "", choices: commenterChoices, fault }) : ""}
      ${audience ? choice({ label: "Who may quote it?", name: "quoters", value: typed?.text("quoters") ?? "", choices: quoterChoices, hint: "Counts for posts that everybody may see.", fault }) : ""}
      ${audience ? box({ label: "Not in public lists", name: "unlisted", checked: typed?.has("unlisted") ?? false, hint: "Everybody may see a public post then, but it stands in no public timeline and is not found by words or hashtags." }) : ""}
      <p class="hint">You can use BBCode such as [b]bold[/b], #hashtags and @mentions.</p>
    </details>
    ${audience ? mediaField() : ""}
    <progress class="upload-progress" max="100" value="0" hidden>0 %</progress>
    <p class="upload-words" role="status" hidden></p>
    <div class="composer-foot">
      ${audience ? audiencePicker(audience, fault?.field === "audience" || fault?.field === "group_allow") : html`<p class="hint">Visible to everybody who can see this wall.</p>`}
      <button class="button primary">Post</button>
    </div>
  </form>`;
}

/** Photos and files of a post. On a wall of somebody else there are none: nobody there could see them. */
function mediaField(): Html {
  return html`<div class="field composer-media">
    <label for="f-media">${icon("picture")} Photos and files</label
    ><input id="f-media" type="file" name="media" multiple />
  </div>`;
}

/** The form for a comment. */
export function commentForm(
  context: MemberContext,
  action: string,
  { typed, fault, answered }: ComposerState & { answered: string | undefined },
): Html {
  const { channel } = context.member;
  const prompt = answered === undefined ? "Write a comment" : `Answer ${answered}`;
  return html`<form
    class="card composer comment-form"
    id="comment"
    method="post"
    action="${action}"
    aria-label="New comment"
  >
    ${token(context)}${back(context)} ${alert(fault)}
    <div class="composer-top">
      ${avatar(context, `${context.hub.config.baseUrl}/photo/profile/m/${channel.channel_id}`, "small")}
      <label class="unseen" for="f-comment">Your comment</label>
      <textarea
        id="f-comment"
        name="body"
        rows="2"
        required
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
