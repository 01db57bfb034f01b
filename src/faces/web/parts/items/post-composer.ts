import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { box } from "../forms.ts";
import { audiencePicker } from "./audience.ts";
import type { AudienceChoice } from "./audience.ts";
import { composer, quotedWords } from "./composer.ts";
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
  const { say } = context;
  return composer(context, {
    ...options,
    id: "composer",
    name: say("composer.new-post"),
    kind: "post-form",
    text: {
      label: say("composer.post-text"),
      prompt: wallOf ? say("composer.on-wall-of", { name: wallOf }) : say("composer.on-your-mind"),
      face: "medium",
      value: typed?.text("body") ?? "",
      rows: typed ? 6 : 2,
      autofocus: own.quoted !== undefined,
    },
    quoted: quotedPart(context, own),
    files: audience !== undefined,
    extras: composerExtras(context, { place: audience ? "own wall" : "wall", format: own.format, typed, fault }),
    foot: audience
      ? audiencePicker(context, audience, fault?.field === "audience" || fault?.field === "group_allow")
      : html`<p class="hint">${say("composer.seen-on-wall")}</p>`,
    send: say("composer.post"),
    behind: waitingLinks(context, own),
  });
}

/** What the post quotes, as long as the box is ticked. */
function quotedPart(context: MemberContext, { quoted }: OwnPostComposer): Html {
  if (!quoted) return html``;
  const label = context.say("composer.quote-it");
  return quotedWords(context, quoted.html, box({ label, name: "quote", value: String(quoted.id), checked: true }));
}

/** What else the member has begun. */
function waitingLinks({ say }: MemberContext, { sketches, delayed }: OwnPostComposer): Html {
  if (sketches + delayed === 0) return html``;
  return html`<p class="composer-waiting meta">
    ${sketches > 0 ? html`<a href="/drafts">${say("composer.drafts", { count: sketches })}</a>` : ""}
    ${delayed > 0 ? html`<a href="/scheduled">${say("composer.delayed", { count: delayed })}</a>` : ""}
  </p>`;
}
