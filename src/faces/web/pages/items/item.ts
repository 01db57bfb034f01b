import { isAdministrator } from "../../../../domain/identity/accounts/accounts.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { fetchMissing } from "../../../../domain/items/receiving/thread-fetch.ts";
import { closeComments } from "../../../../domain/items/posting/close-comments.ts";
import { deleteAsAdministrator, deleteItem } from "../../../../domain/items/posting/delete.ts";
import { findVisibleItem } from "../../../../domain/items/find.ts";
import { followThread } from "../../../../domain/items/posting/follow.ts";
import { blockItem } from "../../../../domain/items/posting/moderation.ts";
import { setPinned } from "../../../../domain/items/posting/pin.ts";
import { react, unreact } from "../../../../domain/items/posting/react.ts";
import { reshare, showingTheSame, takeReshareBack } from "../../../../domain/items/posting/reshares.ts";
import { setStarred } from "../../../../domain/items/posting/star.ts";
import { visibleThread } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { reactionSet, reactionWith } from "../../../../domain/items/vocabulary.ts";
import { unlessMissing } from "../../../../errors.ts";
import type { Hub } from "../../../../hub.ts";
import { redirect, show, showPart, takeOff, without } from "../../answers.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { localPath } from "../../local-path.ts";
import { doneHere } from "../../live/done-here.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { statusFoot } from "../../parts/items/actions.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { body } from "../../parts/items/body.ts";
import { token } from "../../parts/forms.ts";
import { anchorOf, displayPath, threadOf } from "../../parts/item-paths.ts";

/** What can be done with one item; `/item/<uuid>` is its permanent address. */
export const itemPages: Page[] = [
  { path: "/item/:uuid", access: "anybody", mayBeStale: true, get: permanent },
  { path: "/item/:id/act", access: "member", post: act },
  { path: "/item/:id/delete", access: "member", onlyForm: true, get: confirmDelete, post: takeAway },
];

async function permanent(context: PageContext): Promise<Response> {
  const uuid = context.params["uuid"] ?? "";
  return redirect(context, displayPath(context, await findVisibleItem(context.hub, context.observer, { uuid })));
}

/** One button of the card: a reaction, a star, a share, and what the owner of a thread does with it. */
async function act(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, params } = context;
  const ref = { id: idOf(params["id"]) };
  const name = form.text("act");
  const item = await findVisibleItem(hub, context.observer, ref);
  const way = localPath(form.text("back"), displayPath(context, item)).replace(/#.*$/, "");
  const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined;
  if (name === "unshare") return unshare(context, item, way);
  // One's own share is no new post that waits above the stream.
  if (deed) await deed.run(name === "share" ? doneHere(context) : hub, member.channel, ref);
  else await reactWith(context, ref, name);
  if (name === "block") return leaveHidden(context, item, way);
  if (context.inPlace && !deed?.ofThread)
    return showPart(context, await actedFeet(context, item, way, name === "share"), deed?.done);
  return deed ? redirect(context, way, deed.done) : redirect(context, `${way}#${anchorOf(item)}`);
}

/** What stands below an item from now on and, where it was shared or is no more, below all that shows the same and counts that, too. */
async function actedFeet(context: MemberContext, { id }: Item, way: string, recounts: boolean): Promise<Html> {
  const item = await findVisibleItem(context.hub, context.observer, { id });
  const alike = recounts ? await showingTheSame(context.hub, context.member.channel, item) : [];
  return feet(context, [item, ...alike.filter(({ message_id }) => message_id !== item.message_id)], way, id);
}

/** What stands below these items; `acted` is the id of the one whose button was pressed. */
async function feet(context: MemberContext, items: Item[], way: string, acted = 0): Promise<Html> {
  const { hub, observer } = context;
  const below = items.filter((item) => item.parent !== item.id);
  const around = await Promise.all(below.map((item) => findVisibleItem(hub, observer, { id: item.parent })));
  const feed = await loadFeed(context, [...items, ...around]);
  return html`${items.map((item) => statusFoot({ ...context, here: way }, feed, item, item.id !== acted))}`;
}

/** Takes a share back, and its card off the page, whether the button was its own or another's. */
async function unshare(context: MemberContext, pressed: Item, way: string): Promise<Response> {
  const { hub, member } = context;
  const taken = await unlessMissing(takeReshareBack(hub, member.channel, { id: pressed.id }));
  const gone = taken?.share.message_id === pressed.message_id;
  // It has no page of its own any more.
  if (gone && way === displayPath(context, pressed)) return redirect(context, "/network", "unshared");
  if (!context.inPlace) return redirect(context, way, "unshared");
  if (gone) {
    const alike = await showingTheSame(hub, member.channel, pressed);
    return takeOff(context, `#${threadOf(pressed)}`, "unshared", await feet(context, alike, way));
  }
  const card = taken ? without(threadOf(taken.share)) : html``;
  return showPart(context, html`${await actedFeet(context, pressed, way, true)}${card}`, "unshared");
}

/** What is hidden has no page of its own any more. */
async function leaveHidden(context: MemberContext, item: Item, way: string): Promise<Response> {
  if (item.item_thread_top === 1) return redirect(context, "/network", "hidden");
  return context.inPlace
    ? takeOff(context, `li:has(> #${anchorOf(item)})`, "hidden")
    : redirect(context, way, "hidden");
}

/** `ofThread`: its button belongs to the thread as a whole. */
type Deed = {
  run: (hub: Hub, channel: Channel, ref: { id: number }) => Promise<unknown>;
  done: string;
  ofThread?: true;
};

const deeds: Readonly<Record<string, Deed>> = {
  share: { run: reshare, done: "shared" },
  follow: { run: (hub, channel, ref) => followThread(hub, channel, ref, true), done: "follows", ofThread: true },
  unfollow: { run: (hub, channel, ref) => followThread(hub, channel, ref, false), done: "unfollowed", ofThread: true },
  close: { run: (hub, channel, ref) => closeComments(hub, channel, ref, true), done: "closed", ofThread: true },
  open: { run: (hub, channel, ref) => closeComments(hub, channel, ref, false), done: "opened", ofThread: true },
  pin: { run: (hub, channel, ref) => setPinned(hub, channel, ref, true), done: "pinned" },
  unpin: { run: (hub, channel, ref) => setPinned(hub, channel, ref, false), done: "unpinned" },
  fetch: { run: fetchMissing, done: "fetching", ofThread: true },
  block: { run: blockItem, done: "hidden" },
};

async function reactWith(context: MemberContext, ref: { id: number }, name: string): Promise<void> {
  const hub = doneHere(context);
  const { channel } = context.member;
  const plain = name.replace(/^un/, "");
  // A picker knows emoji, not the names of those that have one.
  const reaction = reactionWith(/^react#(.*)$/s.exec(plain)?.[1] ?? "") ?? plain;
  if (plain === "star") await setStarred(hub, channel, ref, name === "star");
  else if (!reactionSet(reaction)) throw fault("act", context.say("forms.unknown-button"));
  else if (name === plain) await react(hub, channel, ref, reaction, "stays");
  else await unreact(hub, channel, ref, plain);
}

/** An administrator deletes for everybody what others wrote here. */
function asAdministrator({ query, member }: MemberContext): boolean {
  return query.text("as") === "administrator" && isAdministrator(member.account);
}

async function confirmDelete(context: MemberContext): Promise<Response> {
  const item = await findVisibleItem(context.hub, context.observer, { id: idOf(context.params["id"]) });
  const forAll = [item.author_id, item.owner_id].includes(context.member.channel.xchan_id) || asAdministrator(context);
  const top = item.item_thread_top === 1;
  const { say } = context;
  const what = !forAll ? "items.remove-this" : top ? "items.delete-post" : "items.delete-comment";
  const main = html`<section class="card form-page">
    <h1>${say(what)}</h1>
    <p>${say(`${what === "items.remove-this" ? "items.remove" : what}-hint`)}</p>
    <blockquote class="body">${body(context, item.html)}</blockquote>
    <form method="post">
      ${token(context)}
      <p class="submit">
        <button class="button danger">${say(forAll ? "forms.delete" : "items.remove")}</button>
        <a href="${displayPath(context, item)}">${say("items.keep-it")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("forms.delete"), main });
}

async function takeAway(context: MemberContext): Promise<Response> {
  const remove = asAdministrator(context) ? deleteAsAdministrator : deleteItem;
  const item = await remove(context.hub, context.member.channel, { id: idOf(context.params["id"]) });
  if (item.item_thread_top === 1) return redirect(context, "/network", "deleted");
  const [top] = await visibleThread(context.hub, context.observer, { mid: item.parent_mid });
  return redirect(context, displayPath(context, top), "deleted");
}
