import { html } from "hono/html";
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
import { postItem } from "../../../../domain/items/posting/post.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { visibleThread } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultIn, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { Html, MemberVisit, Page, Visit } from "../../page.ts";
import { loadAudience } from "../../parts/items/audience.ts";
import type { AudienceChoice } from "../../parts/items/audience.ts";
import { body } from "../../parts/items/body.ts";
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
import { beforeOf } from "../../parts/pager.ts";
import { anchorOf } from "../../parts/item-paths.ts";
import { statusCard, viewerOf } from "../../parts/items/status.ts";
import { eventPath, when } from "../../parts/events/when.ts";

/** One event: its page, with what people say about it, and its forms. */
export const eventPages: Page[] = [
  { path: "/events/new", access: "member", get: (visit) => newForm(visit), post: make, again: newForm },
  { path: "/event/:hash", access: "reader", get: (visit) => page(visit), post: comment, again: page },
  { path: "/event/:hash/act", access: "member", post: act },
  { path: "/event/:hash/edit", access: "member", get: (visit) => editForm(visit), post: edit, again: editForm },
  { path: "/event/:hash/delete", access: "member", get: confirm, post: remove },
];

function load(visit: Visit): Promise<EventView> {
  return findEvent(visit.hub, visit.observer, visit.params["hash"] ?? "");
}

async function page(visit: Visit, typed?: Fields, fault?: Fault): Promise<Response> {
  const { event, item } = await load(visit);
  const main = html`${visit.member ? html`<p class="crumbs"><a href="/events?month=${event.dtstart.slice(0, 7)}">Calendar</a></p>` : ""}
    <section class="card event-head">
      <h1>${event.summary}</h1>
      <p class="when">${icon("calendar")} ${when(visit, event)}</p>
      ${facts(event)} ${item ? "" : details(visit, event)}
      <div class="event-actions">${buttons(visit, event)}</div>
    </section>
    ${item ? await thread(visit, item, typed, fault) : ""}`;
  return show(visit, { title: event.summary, main, status: fault?.status ?? 200 });
}

function facts(event: CalendarEvent): Html {
  const words = [
    ...(event.event_repeat === "" ? [] : [repetition(event)]),
    ...(event.etype === "task" ? [`Task: ${taskState(event)}`] : []),
    ...(event.dismissed === 1 ? ["Hidden in your calendar"] : []),
  ];
  return html`${words.map((line) => html`<p class="meta">${line}</p>`)}`;
}

/** What the post would say, for an event that has none. */
function details(visit: Visit, event: CalendarEvent): Html {
  return html`${event.location ? html`<p>${event.location}</p>` : ""}
    <div class="body">${body(event.html, viewerOf(visit))}</div>`;
}

function buttons(visit: Visit, event: CalendarEvent): Html {
  const path = eventPath(event.event_hash);
  const file = html`<a class="button quiet" href="/events/ical/${encodeURIComponent(event.event_hash)}"
    >Save as a file</a
  >`;
  if (!visit.member) return file;
  const act = (name: string, label: string): Html => buttonForm(visit, `${path}/act`, label, { fields: { act: name } });
  const own = event.uid === visit.member.channel.channel_id;
  if (!own) return html`${act("add", "Add to my calendar")} ${file}`;
  const made = event.event_xchan === visit.member.channel.channel_hash;
  return html`${made ? html`<a class="button" href="${path}/edit">${icon("pencil")} Edit</a>` : act("remove", "Take out of my calendar")}
  ${event.dismissed === 1 ? act("restore", "Show in my calendar") : act("dismiss", "Hide in my calendar")} ${file}
  ${made ? html`<a class="danger-link" href="${path}/delete">Delete</a>` : ""}`;
}

async function thread(visit: Visit, item: Item, typed?: Fields, fault?: Fault): Promise<Html> {
  const items = await visibleThread(visit.hub, visit.observer, { id: item.id }, beforeOf(visit).before);
  const [top, ...comments] = items;
  const feed = await loadFeed(visit, items);
  if (visit.member) await markSeen(visit.hub, visit.member.channel, items);
  return html`<section class="thread whole">
      ${statusCard(visit, feed, { ...top!, title: "" })} ${commentList(visit, feed, comments)}
    </section>
    ${await answerForm(visit, top!, undefined, typed, fault)}`;
}

async function comment(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { member, hub } = visit;
  const { event, item } = await load(visit);
  if (!item) throw missing("Event");
  return tryForm(
    async () => {
      const answer = await postItem(hub, member.channel, { body: typed.text("body"), parent: { id: item.id } });
      return redirect(visit, `${eventPath(event.event_hash)}#${anchorOf(answer)}`, "commented");
    },
    (fault) => page(visit, typed, fault),
  );
}

async function act(visit: MemberVisit, form: Fields): Promise<Response> {
  const { hub, member } = visit;
  const { event } = await load(visit);
  const path = eventPath(event.event_hash);
  switch (form.text("act")) {
    case "add":
      await addToCalendar(hub, member.channel, event.event_hash);
      return redirect(visit, path, "noted");
    case "remove":
      if (event.event_xchan === member.channel.channel_hash) throw faultIn("act", "This button is not known.");
      await deleteEvent(hub, member.channel, event.event_hash);
      return redirect(visit, "/events", "removed");
    case "dismiss":
    case "restore":
      await setDismissed(hub, member.channel, event.event_hash, form.text("act") === "dismiss");
      return redirect(visit, path, "saved");
    default:
      throw faultIn("act", "This button is not known.");
  }
}

/** Posts are for the channel's usual audience at first; events for oneself. */
async function audienceFor(visit: MemberVisit, typed?: Fields): Promise<AudienceChoice> {
  const kinds = ["self", "public", "connections", "chosen"] as const;
  const choice = await loadAudience(visit.hub, visit.member.channel, typed);
  return { ...choice, kinds, kind: typed ? choice.kind : "self" };
}

async function newForm(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const start = new Fields([["start_date", visit.query.word("date")]]);
  const main = html`<p class="crumbs"><a href="/events">Calendar</a></p>
    <h1>New event</h1>
    ${eventForm(visit, { typed: typed ?? start, fault, audience: await audienceFor(visit, typed), leave: "/events" })}`;
  return show(visit, { title: "New event", main, status: fault?.status ?? 200 });
}

async function make(visit: MemberVisit, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const draft = { ...readEventForm(visit, typed), ...readSharing(typed) };
      const event = await saveEvent(visit.hub, visit.member.channel, draft);
      return redirect(visit, eventPath(event.event_hash), "saved");
    },
    (fault) => newForm(visit, typed, fault),
  );
}

/** The member's own event. Throws missing, also for one of somebody else. */
async function own(visit: MemberVisit): Promise<CalendarEvent> {
  const { event } = await load(visit);
  if (event.event_xchan !== visit.member.channel.channel_hash) throw missing("Event");
  return madeEvent(visit.hub, visit.member.channel, event.event_hash);
}

async function editForm(visit: MemberVisit, typed?: Fields, fault?: Fault): Promise<Response> {
  const event = await own(visit);
  const shared = await itemOf(visit.hub, visit.member.channel, event);
  const path = eventPath(event.event_hash);
  const main = html`<p class="crumbs"><a href="${path}">${event.summary}</a></p>
    <h1>Edit</h1>
    ${shared ? html`<p class="lead">Everybody who sees this event sees the changes.</p>` : ""}
    ${eventForm(visit, { typed: typed ?? fieldsOf(visit, event), fault, event, leave: path, audience: shared ? undefined : await audienceFor(visit, typed) })}`;
  return show(visit, { title: "Edit", main, status: fault?.status ?? 200 });
}

async function edit(visit: MemberVisit, typed: Fields): Promise<Response> {
  const event = await own(visit);
  return tryForm(
    async () => {
      const sharing = typed.has("audience") ? readSharing(typed) : {};
      const draft = { ...readEventForm(visit, typed, event), ...sharing };
      await saveEvent(visit.hub, visit.member.channel, draft, event.event_hash);
      return redirect(visit, eventPath(event.event_hash), "saved");
    },
    (fault) => editForm(visit, typed, fault),
  );
}

async function confirm(visit: MemberVisit): Promise<Response> {
  const event = await own(visit);
  const shared = await itemOf(visit.hub, visit.member.channel, event);
  const whose = shared ? "It disappears for everybody, together with its comments." : "It is in your calendar alone.";
  return deleteQuestion(visit, {
    question: `Delete ${event.summary}?`,
    consequence: `${whose} This cannot be undone.`,
    wayBack: eventPath(event.event_hash),
  });
}

async function remove(visit: MemberVisit): Promise<Response> {
  const event = await own(visit);
  await deleteEvent(visit.hub, visit.member.channel, event.event_hash);
  return redirect(visit, "/events", "deleted");
}
