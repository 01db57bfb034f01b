import { editPost, writtenParts } from "../../../../domain/cloud/edit-post.ts";
import type { WrittenParts } from "../../../../domain/cloud/edit-post.ts";
import { splitCategories } from "../../../../domain/bodies/tags.ts";
import { entryOf } from "../../../../domain/events/events.ts";
import { loadTerms } from "../../../../domain/items/assemble.ts";
import { findOwnItem, findVisibleItem } from "../../../../domain/items/find.ts";
import { pollOf } from "../../../../domain/items/poll.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { termTypes } from "../../../../domain/items/vocabulary.ts";
import { missing } from "../../../../errors.ts";
import { storedMoment } from "../../../../http/dates.ts";
import { redirect, show } from "../../answers.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { eventPath } from "../../parts/events/when.ts";
import { textField } from "../../parts/forms.ts";
import { anchorOf, displayPath } from "../../parts/item-paths.ts";
import { descriptionsOf, mediaIdsOf } from "../../parts/items/chosen-media.ts";
import { composer, quotedWords } from "../../parts/items/composer.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { draftIn, layOutQuoted, loadComposer } from "../../parts/items/load-composer.ts";
import { changedPollFields, pollAsTyped, readChangedPoll } from "../../parts/items/poll-fields.ts";
import { summaryField } from "../../parts/items/summary.ts";
import { takeWriting } from "../../parts/items/take-writing.ts";

/** Changing what one has written: a post, a comment, an article. */
export const itemEditPages: Page[] = [
  {
    path: "/item/:id/edit",
    access: "member",
    onlyForm: true,
    get: (context) => form(context),
    post: take,
    again: (context, typed, fault) => form(context, { typed, fault }),
    files: ["media"],
  },
];

async function take(context: MemberContext, sent: Fields): Promise<Response> {
  const item = await editable(context);
  const { hub, member } = context;
  return takeWriting(context, sent, {
    files: true,
    format: () => item.mimetype,
    async text(typed) {
      const { share } = await writtenParts(hub, member.channel, item);
      return { body: `${typed.text("body")}\n\n${share}`, mimetype: item.mimetype };
    },
    again: (typed, more) => form(context, { typed, ...more }),
    async send(typed) {
      const before = await writtenParts(hub, member.channel, item);
      const files = mediaIdsOf(typed);
      const descriptions = descriptionsOf(typed);
      const former = pollOf(item);
      const poll = former && readChangedPoll(context.say, typed, openFrom(context, item), former);
      const sameFiles = files.join() === before.mediaIds.join();
      await editPost(hub, member.channel, item.id, {
        text: typed.text("body"),
        sharesFiles: true,
        ...(!sameFiles && { mediaIds: files }),
        ...(sameFiles && descriptions.size > 0 && { descriptions }),
        ...(item.item_thread_top === 1 && {
          title: typed.word("title"),
          categories: splitCategories(typed.text("category")),
        }),
        summary: typed.word("summary"),
        ...(poll && { poll }),
      });
      return redirect(context, wayBack(context, item), "edited");
    },
  });
}

async function form(context: MemberContext, state: ComposerState = {}): Promise<Response> {
  const item = await editable(context);
  const event = item.resource_type === "event" ? await entryOf(context.hub, item.uid, item.resource_id) : undefined;
  if (event) return redirect(context, `${eventPath(event.event_hash)}/edit`);
  const { fault, preview } = state;
  const before = await writtenParts(context.hub, context.member.channel, item);
  const typed = state.typed ?? (await draftIn(context)) ?? (await writtenBefore(context, item, before));
  const top = item.item_thread_top === 1;
  const { say } = context;
  const title = top ? say("composer.edit-post") : say("composer.edit-comment");
  const main = html`<section class="writing-page">
    <h1>${title}</h1>
    ${composer(context, {
      typed,
      fault,
      preview,
      own: await loadComposer(context, typed),
      id: "edit",
      name: title,
      action: context.path,
      format: item.mimetype,
      before: html`${top ? textField(context, { label: say("composer.title"), name: "title", value: typed.text("title"), fault }) : ""}
      ${summaryField(context, typed.text("summary"), { kind: item.item_kind })}`,
      text: { label: say("composer.text"), value: typed.text("body"), rows: 10 },
      ...(before.share !== "" && { quoted: quotedWords(context, await layOutQuoted(context, before.share)) }),
      files: true,
      ...(pollOf(item) && { extras: changedPollFields(context, typed, fault) }),
      foot: top ? categoriesField(context, typed.text("category")) : html``,
      ways: html`<a href="${wayBack(context, item)}">${say("forms.leave-as-is")}</a>`,
      send: say("forms.save"),
    })}
  </section>`;
  return show(context, { title: say("forms.edit"), main, status: fault?.status ?? 200 });
}

function categoriesField(context: MemberContext, value: string): Html {
  return textField(context, {
    label: context.say("composer.categories"),
    name: "category",
    value,
    hint: context.say("composer.categories-hint"),
  });
}

/** The item as its form would have it. */
async function writtenBefore({ hub }: MemberContext, item: Item, { text, mediaIds }: WrittenParts): Promise<Fields> {
  const terms = await loadTerms(hub, [item.message_id], 0);
  const categories = (terms.get(item.message_id) ?? []).filter((term) => term.ttype === termTypes.category);
  const poll = pollOf(item);
  return new Fields([
    ["title", item.title],
    ["summary", item.summary],
    ["body", text],
    ["category", categories.map(({ term }) => term).join(", ")],
    ...mediaIds.map((id) => ["media_id", String(id)] as const),
    ...(poll ? pollAsTyped(poll) : []),
  ]);
}

/** From when a poll is open for as long as is chosen now: from the date of a post that waits for it. */
function openFrom({ now }: MemberContext, item: Item): Date {
  return item.item_delayed === 1 ? storedMoment(item.created) : now;
}

/** Where an edit leads to: one that waits for its date has no page yet. */
function wayBack(context: MemberContext, item: Item): string {
  return item.item_delayed === 1 ? "/scheduled" : `${displayPath(context, item)}#${anchorOf(item)}`;
}

/** The member's own item, which it wrote itself. */
async function editable({ hub, observer, params, member }: MemberContext): Promise<Item> {
  const id = idOf(params["id"]);
  const own = await findOwnItem(hub, member.channel.channel_id, { id });
  const waits = own?.item_delayed === 1 && own.item_deleted === 0;
  const item = waits ? own : await findVisibleItem(hub, observer, { id });
  if (item.author_id !== member.channel.xchan_id || item.uid !== member.channel.channel_id) throw missing("Page");
  return item;
}
