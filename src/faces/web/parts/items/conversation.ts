import { isClosed } from "../../../../domain/items/posting/close-comments.ts";
import { mayAnswer } from "../../../../domain/items/posting/open-thread.ts";
import type { ThreadPart } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, PageContext } from "../../page.ts";
import { commentForm } from "./comment-form.ts";
import type { ComposerState } from "./composer.ts";
import type { Feed } from "./feed.ts";
import { pager } from "../pager.ts";
import { statusCard } from "./status.ts";
import { isMember } from "../../page.ts";

/** What stands below something that can be answered: a post, a photo, an event. */

/** Where there are more comments than a page shows; and the one that the page is about. */
type Around = Pick<ThreadPart, "older" | "newer"> & { linked?: Item | undefined };

/** The comments of a page, oldest first, between the ways to older and to newer ones; the one that the page is about is marked. */
export function commentList(
  context: PageContext,
  feed: Feed,
  comments: Item[],
  { older, newer, linked }: Around,
): Html {
  const { say } = context;
  const growing = { list: "#comments", place: "closest li" };
  const before = pager(context, older, say("items.older-comments"), { ...growing, except: ".newer" });
  const after = pager(context, newer, say("items.newer-comments"), { ...growing, except: ".older" }, "after");
  return html`<ol class="comments" id="comments" aria-label="${say("items.comments-list")}">
    ${older === undefined ? "" : html`<li class="older">${before}</li>`}
    ${comments.map((item) => html`<li>${statusCard(context, feed, item, { linked: item === linked })}</li>`)}
    ${newer === undefined ? "" : html`<li class="newer">${after}</li>`}
  </ol>`;
}

/** A comment that has just been written, for the page on which it was. */
export function newComment(context: PageContext, feed: Feed, item: Item): Html {
  return html`<ol>
    <li>${statusCard(context, feed, item, { linked: true, focused: true })}</li>
  </ol>`;
}

/**
 * The form for a comment, or why there is none; nothing for whose channel has moved away. It is sent to the page that shows it; on
 * a comment's own page it answers that comment, `answered` being who wrote it; `under` is the anchor of what it stands under.
 */
export async function answerForm(
  context: PageContext,
  top: Item,
  { answered, under, ...state }: ComposerState & { answered?: string | undefined; under?: string },
): Promise<Html> {
  if (!isMember(context))
    return html`<p class="empty">
      ${context.say.html("items.log-in-to-comment", { in: linkTo(`/login?next=${encodeURIComponent(context.here)}`) })}
    </p>`;
  if (context.member.channel.channel_moved !== "") return html``;
  const refused = await whyNoAnswer(context, top);
  if (refused !== undefined) return html`<p class="empty" id="comment">${refused}</p>`;
  return commentForm(context, { ...state, answered, under });
}

/** Why a member may not answer in this thread; undefined where they may. */
export async function whyNoAnswer(context: MemberContext, top: Item): Promise<string | undefined> {
  return (await mayAnswer(context.hub, context.member.channel, top)) ? undefined : whyNot(context, top);
}

/** In threads of elsewhere the word of their owner decides (federation contract 17). */
function whyNot({ hub, say }: PageContext, top: Item): string {
  if (isClosed(hub, top)) return say("items.no-more-comments");
  if (top.item_wall === 1) return say("items.no-comment");
  return say(top.comment_policy === "self" ? "items.nobody-answers" : "items.followers-answer");
}
