import { cache } from "../../../../caches.ts";
import { isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import { canPin } from "../../../../domain/items/pins.ts";
import { originalOf } from "../../../../domain/items/posting/reshares.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { objectTypes, reactionPicture } from "../../../../domain/items/vocabulary.ts";
import { html } from "../../html.ts";
import type { Html, Member, PageContext } from "../../page.ts";
import type { Feed } from "./feed.ts";
import { back, inPlace, token } from "../forms.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import { anchorOf, displayPath, footOf } from "../item-paths.ts";
import { reactionShown, reactions } from "./reactions.ts";
import type { Say } from "../../languages/say.ts";
import { hyphened } from "../connections/permission-labels.ts";

type Action = { act: string; label: string; icon: IconName; count?: number; pressed?: boolean; title?: string };

/**
 * What stands below the words of an item, and is made anew where somebody acts: what one may do with it, and what others think.
 * One that is `elsewhere` takes its place where the page has it, whatever else was acted on.
 */
export function statusFoot(context: PageContext, feed: Feed, item: Item, elsewhere = false): Html {
  return html`<div class="status-foot" id="${footOf(item)}" ${elsewhere ? html`hx-swap-oob="outerMorph"` : ""}>
    ${actions(context, feed, item)} ${reactions(context, feed, item)}
  </div>`;
}

/** What a member may do with an item; visitors only see how many did, and so does whose channel has moved away. */
function actions(context: PageContext, feed: Feed, item: Item): Html {
  if (context.member?.channel.channel_moved === "") return memberActions(context, context.member, feed, item);
  return feed.comments.has(item.id) ? html`<p class="actions">${commentCount(context, feed, item)}</p>` : html``;
}

function memberActions(context: PageContext, member: Member, feed: Feed, item: Item): Html {
  const top = item.item_thread_top === 1;
  const lasting = [...(canShare(item) ? [shareAction(context, feed, item)] : []), starAction(context, feed, item)];
  const path = `/item/${item.id}/act`;
  return html`<form class="actions" method="post" action="${path}" ${inPlace(path, `#${footOf(item)}`)}>
    ${token(context)}${back(context)}
    ${item.obj_type === objectTypes.event ? attending(context, member, feed, item) : ""}
    ${reactionActions(context, member, feed, item).map(button)} ${commentLink(context, feed, item)}
    ${top ? lasting.map(button) : ""} ${menu(context, member, feed, item, top ? [] : lasting)}
  </form>`;
}

function starAction({ say }: PageContext, feed: Feed, item: Item): Action {
  const pressed = feed.starred.has(item.message_id);
  return {
    act: pressed ? "unstar" : "star",
    label: say("items.star"),
    icon: "star",
    pressed,
    title: say("items.star-title"),
  };
}

function shareAction({ say }: PageContext, feed: Feed, item: Item): Action {
  const { count, mine: pressed } = feed.shares.get(originalOf(item)) ?? { count: 0, mine: false };
  return { act: pressed ? "unshare" : "share", label: say("items.share"), icon: "share", count, pressed };
}

function reactionActions({ say }: PageContext, member: Member, feed: Feed, item: Item): Action[] {
  return [
    toggle(member, feed, item, { act: "like", label: say("items.like"), icon: "heart" }),
    toggle(member, feed, item, {
      act: "dislike",
      label: say("items.dislike"),
      icon: "down",
      title: say("items.dislike"),
    }),
  ];
}

/** A question of its own, because it is answered before anything else. */
function attending({ say }: PageContext, member: Member, feed: Feed, item: Item): Html {
  const answers: Action[] = [
    { act: "attendyes", label: say("items.yes"), icon: "check" },
    { act: "attendmaybe", label: say("items.maybe"), icon: "help" },
    { act: "attendno", label: say("items.no"), icon: "cross" },
  ];
  return html`<div class="attending" role="group" aria-label="${say("items.will-you-come")}" data-one>
    <span>${say("items.will-you-come")}</span> ${answers.map((answer) => button(toggle(member, feed, item, answer)))}
  </div>`;
}

function toggle(member: Member, feed: Feed, item: Item, action: Action): Action {
  const people = feed.reactions.get(item.id)?.[action.act] ?? [];
  const pressed = people.includes(member.channel.xchan_id);
  return { ...action, act: pressed ? `un${action.act}` : action.act, pressed, count: people.length };
}

function canShare(item: Item): boolean {
  return item.item_private === 0 && item.body !== "";
}

function button({ act, label, icon: name, count, pressed, title }: Action): Html {
  return html`<button
    class="act act-${name}"
    name="act"
    value="${act}"
    ${pressed === undefined ? "" : html`aria-pressed="${String(pressed)}"`}
    ${title ? html`title="${title}"` : ""}
  >
    ${icon(name)}<span class="act-label">${label}</span>${count === undefined ? "" : countOf(count)}
  </button>`;
}

/** Its place is kept where there is none yet, so that nothing moves when there is. */
function countOf(count: number): Html {
  return html`<span class="count">${count === 0 ? "" : count}</span>`;
}

/** Leads to the form; that of a comment's own page answers the comment. Where comments are off, it leads to those that are there. */
function commentLink(context: PageContext, feed: Feed, item: Item): Html {
  if (feed.closed.has(item.parent)) return commentCount(context, feed, item);
  const label = context.say(item.item_thread_top === 1 ? "items.comment" : "items.answer");
  const count = feed.comments.get(item.id) ?? 0;
  const page = displayPath(context, item);
  return html`<a
    class="act"
    href="${page}#comment"
    hx-get="${page}?under=${anchorOf(item)}"
    hx-target="closest .status"
    hx-select="form"
    hx-swap="beforeend"
    hx-sync="this:drop"
    >${icon("reply")}<span class="act-label">${label}</span>${countOf(count)}</a
  >`;
}

/** Rarer and graver things stand behind one more step. */
function menu(context: PageContext, member: Member, feed: Feed, item: Item, more: Action[]): Html {
  const { channel, account } = member;
  const { say } = context;
  const written = item.author_id === channel.xchan_id;
  const owned = item.owner_id === channel.xchan_id;
  const own = item.uid === channel.channel_id;
  return html`<details class="menu">
    <summary class="act" aria-label="${say("items.more-actions")}">${icon("dots")}</summary>
    <div class="menu-sheet">
      ${more.map(button)} ${emojiRow(context, member, feed, item)}
      ${canShare(item) ? html`<a class="act" href="/network?quote=${item.id}">${icon("quote")} ${say("items.quote")}</a>` : ""}
      <a class="act" href="/item/${item.id}/folders">${icon("folder")} ${say("items.save-to-folder")}</a>
      <a class="act" href="/item/${item.id}/tags">${icon("tag")} ${say("items.add-tag")}</a>
      ${written && own ? html`<a class="act" href="/item/${item.id}/edit">${icon("pencil")} ${say("forms.edit")}</a>` : ""}
      ${written && own ? html`<a class="act" href="/item/${item.uuid}/deliveries">${icon("share")} ${say("items.deliveries")}</a>` : ""}
      ${written && own && item.item_private === 0 ? html`<a class="act" href="/item/${item.uuid}/quotations">${icon("share")} ${say("items.quotations")}</a>` : ""}
      ${canPin(channel, item) ? button(pinAction(context, feed, item)) : ""}
      ${owned && own && !written ? button({ act: "block", label: say("items.hide"), icon: "lock", title: say("items.hide-title") }) : ""}
      ${written || owned || own ? html`<a class="act" href="/item/${item.id}/delete">${icon("bin")} ${say(written || owned ? "forms.delete" : "items.remove-from-stream")}</a>` : ""}
      ${written ? "" : html`<a class="act" href="/report?item=${item.id}">${icon("flag")} ${say("items.report")}</a>`}
      ${!written && !owned && isAdministrator(account) ? html`<a class="act" href="/item/${item.id}/delete?as=administrator">${icon("shield")} ${say("items.delete-for-everybody")}</a>` : ""}
    </div>
  </details>`;
}

function pinAction({ say }: PageContext, feed: Feed, item: Item): Action {
  return feed.pinned.has(item.message_id)
    ? { act: "unpin", label: say("items.unpin"), icon: "pin" }
    : { act: "pin", label: say("items.pin"), icon: "pin" };
}

/** The emoji that are one step away, and those that somebody has given already. */
const usualEmoji = ["heart", "joy", "open_mouth", "cry", "tada", "thinking", "fire", "clap"] as const;
const usualReactions: readonly string[] = usualEmoji.map((name) => `react#${name}`);

function emojiRow(context: PageContext, member: Member, feed: Feed, item: Item): Html {
  const people = feed.reactions.get(item.id) ?? {};
  const given = Object.keys(people).filter((name) => name.startsWith("react#"));
  return html`<div class="emoji-row" role="group" aria-label="${context.say("items.emoji-row")}">
    ${
      given.length === 0
        ? usualButtons(context)
        : [...new Set([...usualReactions, ...given])].map((name) =>
            emojiButton(context, name, people[name]?.includes(member.channel.xchan_id) ?? false),
          )
    }
    ${anyEmoji(context, item)}
  </div>`;
}

/** Buttons that say the same in every menu of a post to which nobody has given an emoji, by the language. */
const usualIn = cache<string, Html>(50);

function usualButtons(context: PageContext): Html {
  const { hub, language } = context;
  const known = usualIn(hub).get(language.tag);
  if (known) return known;
  const made = html`${usualReactions.map((name) => emojiButton(context, name, false))}`;
  usualIn(hub).set(language.tag, made);
  return made;
}

/** All other emoji: chosen where there are scripts, else typed on a page of its own. */
function anyEmoji({ say }: PageContext, item: Item): Html {
  return html`<hub-emoji data-label="${say("items.choose-emoji")}" data-close="${say("items.close")}"
    ><a class="emoji" href="/item/${item.id}/react"
      >${icon("plus")}<span class="unseen">${say("items.another-emoji")}</span></a
    ></hub-emoji
  >`;
}

function labelOf(say: Say, name: string): string {
  const code = reactionPicture(name)?.code ?? name.slice(6);
  const usual = usualEmoji.find((one) => one === code);
  return usual ? say(`items.emoji-${hyphened(usual)}`) : code;
}

function emojiButton(context: PageContext, name: string, pressed: boolean): Html {
  const emoji = reactionShown(context, name);
  const act = pressed ? `un${name}` : name;
  const label = labelOf(context.say, name);
  return emoji === undefined
    ? html``
    : html`<button class="emoji" name="act" value="${act}" aria-pressed="${String(pressed)}" title="${label}">
        ${emoji}
      </button>`;
}

function commentCount(context: PageContext, feed: Feed, item: Item): Html {
  const comments = feed.comments.get(item.id) ?? 0;
  if (item.item_thread_top === 0 || comments === 0) return html``;
  return html`<a class="act" href="${displayPath(context, item)}"
    >${icon("reply")} ${context.say("items.comments", { count: comments })}</a
  >`;
}
