import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { addedInPlace } from "../forms.ts";
import { composer } from "./composer.ts";
import type { ComposerState } from "./composer.ts";
import { composerExtras } from "./composer-extras.ts";
import { draftIn, loadComposer } from "./load-composer.ts";

type Options = ComposerState & {
  /** Who wrote the comment that it answers. */
  answered: string | undefined;
  /** The anchor of what it stands under, where that is not the end of the page. */
  under: string | undefined;
};

/**
 * The form for a comment. At the end of its page the new comment is added to those above; under the comment or post that it
 * answers it takes the place of the form.
 */
export async function commentForm(context: MemberContext, options: Options): Promise<Html> {
  const { answered, under, fault, preview } = options;
  const { say } = context;
  const typed = options.typed ?? (await draftIn(context));
  const own = await loadComposer(context, typed);
  const prompt = answered === undefined ? say("composer.write-comment") : say("composer.answer-to", { name: answered });
  const added =
    under === undefined
      ? { target: "#comments", part: "li", way: "beforeend" }
      : { target: "this", part: ".comment", way: "outerHTML" };
  const id = under === undefined ? "comment" : `comment-${under}`;
  return composer(context, {
    typed,
    fault,
    preview,
    own,
    id,
    name: under === undefined ? say("composer.new-comment") : prompt,
    kind: "comment-form",
    action: context.path,
    inPlace: addedInPlace(context.path, added),
    text: {
      label: say("composer.comment-text"),
      prompt,
      face: "small",
      value: typed?.text("body") ?? "",
      rows: 2,
      autofocus: under !== undefined,
    },
    files: true,
    extras: composerExtras(context, { place: "comment", id, format: own.format, typed, fault }),
    foot: html`<p class="hint">${say("composer.seen-in-thread")}</p>`,
    send: say("composer.comment"),
  });
}
