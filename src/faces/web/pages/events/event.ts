import {
  addToCalendar,
  deleteEvent,
  findEvent,
  itemOf,
  madeEvent,
  saveEvent,
  setDismissed,
} from "../../../../domain/events/events.ts";
import type { CalendarEvent, EventView } from "../../../../domain/events/events.ts";
import { findChannelByHash } from "../../../../domain/identity/channels/find-channel.ts";
import { findXchan } from "../../../../domain/identity/xchans/xchans.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { threadPart } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultIn, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { partOfChannel } from "../../parts/channels/channel-preview.ts";
import { loadAudience } from "../../parts/items/audience.ts";
import type { AudienceChoice } from "../../parts/items/audience.ts";
import { body } from "../../parts/items/body.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { takeComment } from "../../parts/items/take-comment.ts";
import { beginningOf } from "../../parts/preview.ts";
import type { Preview } from "../../parts/preview.ts";
import { answerForm, commentList } from "../../parts/items/conversation.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import {
  eventForm,
  fieldsOf,
  readEventForm,
  readSharing,
  repetition,
  taskState,
} from "../../parts/events/event-form.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { buttonForm } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { windowOf } from "../../parts/pager.ts";
import { anchorOf } from "../../parts/item-paths.ts";
import { statusCard, viewerOf } from "../../parts/items/status.ts";
import { eventPath, happeningOf, when } from "../../parts/events/when.ts";

/** One event: its page, with what people say about it, and its forms. */
export const eventPages: Page[] = [
  {
    path: "/events/new",
    access: "member",
    onlyForm: true,
    get: (context) => newForm(context),
    post: make,
    again: newForm,
  },
  {
    path: "/event/:hash",
    access: "reader",
    mayBeStale: true,
    get: (context) => page(context),
    post: comment,
    again: (context, typed, fault) => page(context, { typed, fault }),
    files: ["media"],
  },
  { path: "/event/:hash/act", access: "member", post: act },
  {
    path: "/event/:hash/edit",
    access: "member",
    onlyForm: true,
    get: (context) => editForm(context),
    post: edit,
    again: editForm,
  },
  { path: "/event/:hash/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

function load(context: PageContext): Promise<EventView> {
  return findEvent(context.hub, context.observer, context.params["hash"] ?? "");
}

async function page(context: PageContext, state: ComposerState = {}): Promise<Response> {
  const { event, item } = await load(context);
  const main = html`${context.member ? html`<p class="crumbs"><a href="/events?month=${event.dtstart.slice(0, 7)}">${context.say("events.calendar")}</a></p>` : ""}
    <section class="card event-head">
      <h1>${event.summary}</h1>
      <p class="when">${icon("calendar")} ${when(context, event)}</p>
      ${facts(context, event)} ${item ? "" : details(context, event)}
      <div class="event-actions">${buttons(context, event)}</div>
    </section>
    ${item ? await thread(context, item, state) : ""}`;
  return show(context, {
    title: event.summary,
    main,
    status: state.fault?.status ?? 200,
    preview: () => eventPreview(context, event),
  });
}

/** What others show of an event; programs that keep calendars read when and where it is. */
async function eventPreview(context: PageContext, event: CalendarEvent): Promise<Preview> {
  const maker = await findChannelByHash(context.hub, event.event_xchan);
  const happening = event.etype === "event" ? { happening: happeningOf(event) } : {};
  return {
    ...(maker ? await partOfChannel(context, maker) : await byStranger(context, event)),
    description: beginningOf(event.html),
    published: event.created,
    ...happening,
  };
}

/** Such an event is at home elsewhere. */
async function byStranger(
  { hub }: PageContext,
  event: CalendarEvent,
): Promise<Pick<Preview, "kind" | "unlisted" | "author">> {
  const maker = await findXchan(hub, { hash: event.event_xchan });
  return { kind: "article", unlisted: true, author: maker && { name: maker.xchan_name, url: maker.xchan_url } };
}

function facts(context: PageContext, event: CalendarEvent): Html {
  const { say } = context;
  const words = [
    ...(event.event_repeat === "" ? [] : [repetition(context, event)]),
    ...(event.etype === "task" ? [say("events.task", { state: taskState(context, event) })] : []),
    ...(event.dismissed === 1 ? [say("events.hidden")] : []),
  ];
  return html`${words.map((line) => html`<p class="meta">${line}</p>`)}`;
}

/** What the post would say, for an event that has none. */
function details(context: PageContext, event: CalendarEvent): Html {
  return html`${event.location ? html`<p>${event.location}</p>` : ""}
    <div class="body">${body(context, event.html, viewerOf(context))}</div>`;
}

function buttons(context: PageContext, event: CalendarEvent): Html {
  const { say } = context;
  const path = eventPath(event.event_hash);
  const file = html`<a class="button quiet" href="/events/ical/${encodeURIComponent(event.event_hash)}"
    >${say("events.save-file")}</a
  >`;
  if (!context.member) return file;
  const act = (name: string, label: string): Html =>
    buttonForm(context, `${path}/act`, label, { fields: { act: name } });
  const own = event.uid === context.member.channel.channel_id;
  if (!own) return html`${act("add", say("events.add"))} ${file}`;
  const made = event.event_xchan === context.member.channel.channel_hash;
  return html`${made ? html`<a class="button" href="${path}/edit">${icon("pencil")} ${say("forms.edit")}</a>` : act("remove", say("events.remove"))}
  ${event.dismissed === 1 ? act("restore", say("events.restore")) : act("dismiss", say("events.dismiss"))} ${file}
  ${made ? html`<a class="danger-link" href="${path}/delete">${say("forms.delete")}</a>` : ""}`;
}

async function thread(context: PageContext, item: Item, state: ComposerState): Promise<Html> {
  const part = await threadPart(context.hub, context.observer, { id: item.id }, windowOf(context));
  const { items } = part;
  const [top, ...comments] = items;
  const feed = await loadFeed(context, items);
  if (context.member) await markSeen(context.hub, context.member.channel, items);
  return html`<section class="thread whole">
      ${statusCard(context, feed, { ...top, title: "" })} ${commentList(context, feed, comments, part)}
    </section>
    ${await answerForm(context, top, state)}`;
}

async function comment(context: MemberContext, typed: Fields): Promise<Response> {
  const { event, item } = await load(context);
  if (!item) throw missing("Event");
  return takeComment(context, typed, {
    parent: () => Promise.resolve({ id: item.id }),
    done: (answer) => redirect(context, `${eventPath(event.event_hash)}#${anchorOf(answer)}`, "commented"),
    again: (kept, more) => page(context, { typed: kept, ...more }),
  });
}

async function act(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const { event } = await load(context);
  const path = eventPath(event.event_hash);
  switch (form.text("act")) {
    case "add":
      await addToCalendar(hub, member.channel, event.event_hash);
      return redirect(context, path, "noted");
    case "remove":
      if (event.event_xchan === member.channel.channel_hash) throw faultIn("act", context.say("forms.unknown-button"));
      await deleteEvent(hub, member.channel, event.event_hash);
      return redirect(context, "/events", "removed");
    case "dismiss":
    case "restore":
      await setDismissed(hub, member.channel, event.event_hash, form.text("act") === "dismiss");
      return redirect(context, path, "saved");
    default:
      throw faultIn("act", context.say("forms.unknown-button"));
  }
}

/** Posts are for the channel's usual audience at first; events for oneself. */
async function audienceFor(context: MemberContext, typed?: Fields): Promise<AudienceChoice> {
  const kinds = ["self", "public", "connections", "chosen"] as const;
  const choice = await loadAudience(context.hub, context.member.channel, typed);
  return { ...choice, kinds, kind: typed ? choice.kind : "self" };
}

async function newForm(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const start = new Fields([["start_date", context.query.word("date")]]);
  const main = html`<p class="crumbs"><a href="/events">${say("events.calendar")}</a></p>
    <h1>${say("events.new-event")}</h1>
    ${eventForm(context, { typed: typed ?? start, fault, audience: await audienceFor(context, typed), leave: "/events" })}`;
  return show(context, { title: say("events.new-event"), main, status: fault?.status ?? 200 });
}

async function make(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      const draft = { ...readEventForm(context, typed), ...(await readSharing(context, typed)) };
      const event = await saveEvent(context.hub, context.member.channel, draft);
      return redirect(context, eventPath(event.event_hash), "saved");
    },
    (fault) => newForm(context, typed, fault),
  );
}

/** The member's own event. Throws missing, also for one of somebody else. */
async function own(context: MemberContext): Promise<CalendarEvent> {
  const { event } = await load(context);
  if (event.event_xchan !== context.member.channel.channel_hash) throw missing("Event");
  return madeEvent(context.hub, context.member.channel, event.event_hash);
}

async function editForm(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const event = await own(context);
  const shared = await itemOf(context.hub, context.member.channel, event);
  const { say } = context;
  const path = eventPath(event.event_hash);
  const main = html`<p class="crumbs"><a href="${path}">${event.summary}</a></p>
    <h1>${say("forms.edit")}</h1>
    ${shared ? html`<p class="lead">${say("events.changes-seen")}</p>` : ""}
    ${eventForm(context, { typed: typed ?? fieldsOf(context, event), fault, event, leave: path, audience: shared ? undefined : await audienceFor(context, typed) })}`;
  return show(context, { title: say("forms.edit"), main, status: fault?.status ?? 200 });
}

async function edit(context: MemberContext, typed: Fields): Promise<Response> {
  const event = await own(context);
  return tryForm(
    context,
    async () => {
      const sharing = typed.has("audience") ? await readSharing(context, typed) : {};
      const draft = { ...readEventForm(context, typed, event), ...sharing };
      await saveEvent(context.hub, context.member.channel, draft, event.event_hash);
      return redirect(context, eventPath(event.event_hash), "saved");
    },
    (fault) => editForm(context, typed, fault),
  );
}

async function confirm(context: MemberContext): Promise<Response> {
  const event = await own(context);
  const shared = await itemOf(context.hub, context.member.channel, event);
  return deleteQuestion(context, {
    question: context.say("events.delete-question", { name: event.summary }),
    consequence: context.say(shared ? "events.delete-shared" : "events.delete-own"),
    wayBack: eventPath(event.event_hash),
  });
}

async function remove(context: MemberContext): Promise<Response> {
  const event = await own(context);
  await deleteEvent(context.hub, context.member.channel, event.event_hash);
  return redirect(context, "/events", "deleted");
}
