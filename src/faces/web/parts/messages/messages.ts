import type { Item } from "../../../../domain/items/types.ts";
import type { Mail, MailPage } from "../../../../domain/messages/messages.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { addedInPlace, token } from "../forms.ts";
import type { Fields } from "../../fields.ts";
import { icon } from "../icons.ts";
import { anchorOf } from "../item-paths.ts";
import { attachments } from "../items/attachments.ts";
import { body } from "../items/body.ts";
import { composer } from "../items/composer.ts";
import type { ComposerState } from "../items/composer.ts";
import { draftIn, loadComposer } from "../items/load-composer.ts";
import { takeWriting } from "../items/take-writing.ts";
import type { Feed } from "../items/feed.ts";
import { viewerOf } from "../items/status.ts";
import { folded } from "../items/summary.ts";
import { avatar } from "../channels/person.ts";
import { time } from "../times.ts";
import type { Say } from "../../languages/say.ts";

/** What somebody said, whether it came as a message or as a post to a few. */
type Said = {
  /** Its name on the page. */
  id: string;
  mine: boolean;
  fresh: boolean;
  name: string;
  photo: string | undefined;
  created: string;
  words: Html;
  menu: Html | string;
};

/** What is said in a conversation, oldest first; the own words stand apart. */
export function bubbles(say: Say, all: readonly Html[]): Html {
  return html`<ol class="messages" id="said-here" aria-label="${say("messages.title")}">
    ${all}
  </ol>`;
}

function bubble(context: MemberContext, { id, mine, fresh, name, photo, created, words, menu }: Said): Html {
  const { say } = context;
  const who = mine ? say("messages.you-alone") : name;
  return html`<li class="message ${mine ? "mine" : ""} ${fresh ? "fresh" : ""}" id="${id}">
    ${avatar(context, photo, "small")}
    <article class="card bubble" aria-label="${who}">
      <header class="meta"><strong>${who}</strong> ${time(context, created)} ${menu}</header>
      ${words}
    </article>
  </li>`;
}

/** A message to or from one person. */
export function mailBubble(context: MemberContext, { people }: MailPage, mail: Mail): Html {
  const { say } = context;
  const mine = mail.from_xchan === context.member.channel.channel_hash;
  const writer = people.get(mail.from_xchan);
  return bubble(context, {
    id: `m${mail.id}`,
    mine,
    fresh: mail.mail_seen === 0,
    name: writer?.xchan_name ?? say("messages.somebody"),
    photo: writer?.xchan_photo_m,
    created: mail.created,
    words: html`${text(context, mail, mine)} ${attachments(context, mail.attach)}`,
    menu: menu(context, mail, mine),
  });
}

/** A post or comment of a direct thread. */
export function itemBubble(context: MemberContext, feed: Feed, item: Item): Html {
  const { say } = context;
  const { channel } = context.member;
  const author = feed.users.get(item.author_id);
  const words = html`<div class="body">${body(context, item.html, viewerOf(context), feed)}</div>
    ${attachments(context, item.attach)}`;
  return bubble(context, {
    id: anchorOf(item),
    mine: item.author_id === channel.xchan_id,
    fresh: item.item_unseen === 1 && item.author_id !== channel.xchan_id,
    name: author?.xchan_name ?? say("messages.somebody"),
    photo: author?.xchan_photo_m,
    created: item.created,
    words: item.summary ? folded(context, item.summary, words) : words,
    menu: "",
  });
}

/** The form that goes on with a conversation; what is sent stands there at once, and the form is as before. */
export async function talkForm(context: MemberContext, label: string, state: ComposerState, begun = ""): Promise<Html> {
  const { say } = context;
  const typed = state.typed ?? (await draftIn(context));
  return composer(context, {
    ...state,
    typed,
    own: await loadComposer(context, typed),
    id: "answer",
    name: label,
    kind: "talk-form",
    action: context.path,
    format: messageFormat,
    inPlace: addedInPlace(context.path, { target: "#said-here", part: "li", way: "beforeend" }),
    text: { label, prompt: label, face: "small", value: typed?.text("body") ?? begun, rows: 2 },
    files: true,
    send: say("messages.send"),
  });
}

/** All messages are written in the same signs. */
export const messageFormat = "text/bbcode";

/** What the form for a message does. */
export function takeMessage(
  context: MemberContext,
  sent: Fields,
  { again, send }: Pick<Parameters<typeof takeWriting>[2], "again" | "send">,
): Promise<Response> {
  return takeWriting(context, sent, { files: true, format: () => messageFormat, again, send });
}

function text(context: MemberContext, mail: Mail, mine: boolean): Html {
  const { say } = context;
  if (mail.mail_recalled === 1)
    return html`<p class="gone">${mine ? say("messages.you-took-back") : say("messages.taken-back")}</p>`;
  return html`<div class="body">${body(context, mail.html)}</div>`;
}

function menu(context: MemberContext, mail: Mail, mine: boolean): Html {
  const { say } = context;
  return html`<details class="menu">
    <summary class="act" aria-label="${say("messages.more-actions")}">${icon("dots")}</summary>
    <form class="menu-sheet" method="post" action="/mail/${mail.id}/act">
      ${token(context)}
      <button class="act" name="act" value="delete">${icon("bin")} ${say("messages.remove-for-me")}</button>
      ${mine || mail.mail_recalled === 1 ? "" : html`<button class="act" name="act" value="unread">${icon("letter")} ${say("messages.mark-unread")}</button>`}
      ${mine && mail.mail_recalled === 0 ? html`<button class="act" name="act" value="recall">${icon("cross")} ${say("messages.take-back")}</button>` : ""}
    </form>
  </details>`;
}
