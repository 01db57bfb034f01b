import { html } from "hono/html";
import type { Html, MemberContext } from "../../page.ts";
import { audiencePicker } from "./audience.ts";
import type { AudienceChoice } from "./audience.ts";
import { composer } from "./composer.ts";
import type { ComposerState } from "./composer.ts";
import { composerExtras } from "./composer-extras.ts";
import type { OwnPostComposer } from "./load-composer.ts";

type Options = ComposerState & {
  own: OwnPostComposer;
  /** Where the form is sent. */
  action: string;
  /** Undefined on the wall of somebody else: the wall decides. */
  audience: AudienceChoice | undefined;
  /** Whose wall it is. */
  wallOf?: string;
};

/** The form for a new post. On a wall of somebody else it has no files: nobody there could see them. */
export function postComposer(context: MemberContext, { audience, wallOf, ...options }: Options): Html {
  const { own, typed, fault } = options;
  return composer(context, {
    ...options,
    id: "composer",
    name: "New post",
    text: {
      label: "Text of the post",
      prompt: wallOf ? `Write on the wall of ${wallOf}` : "What's on your mind?",
      face: "medium",
      value: typed?.text("body") ?? "",
      rows: typed ? 6 : 2,
    },
    files: audience !== undefined,
    extras: composerExtras(context, { place: audience ? "own wall" : "wall", format: own.format, typed, fault }),
    foot: audience
      ? audiencePicker(audience, fault?.field === "audience" || fault?.field === "group_allow")
      : html`<p class="hint">Visible to everybody who can see this wall.</p>`,
    send: "Post",
    behind: waitingLinks(own),
  });
}

/** What else the member has begun. */
function waitingLinks({ sketches, delayed }: OwnPostComposer): Html {
  if (sketches + delayed === 0) return html``;
  return html`<p class="composer-waiting meta">
    ${sketches > 0 ? html`<a href="/drafts">Drafts (${sketches})</a>` : ""}
    ${delayed > 0 ? html`<a href="/scheduled">Waiting for their date (${delayed})</a>` : ""}
  </p>`;
}
