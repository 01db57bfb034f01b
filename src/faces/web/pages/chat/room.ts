import type { Chatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { changeRoom, deleteRoom } from "../../../../domain/messages/room-change.ts";
import { findRoom, say as sayInRoom } from "../../../../domain/messages/rooms.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show, showPart } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { isMember } from "../../page.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { loadLines, roomLines, roomLinesId } from "../../parts/chat/lines.ts";
import { readRoom, roomFields } from "../../parts/chat/room-fields.ts";
import { roomPath } from "../../parts/chat/room-path.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, inPlace, textArea, token } from "../../parts/forms.ts";
import { loadOwner } from "../../parts/pages/page-owner.ts";
import { beforeOf, pager } from "../../parts/pager.ts";

/** A chatroom: what was said stands there, and who may enter adds to it; its owner changes and closes it. */
export const chatroomPages: Page[] = [
  {
    path: "/chat/:nick/:id",
    access: "reader",
    get: (context) => page(context),
    post: take,
    again: (context, typed, fault) => shown(context, typed, fault),
  },
];

type RoomView = { owner: Channel; room: Chatroom };

async function load(context: PageContext): Promise<RoomView> {
  const owner = await loadOwner(context);
  return { owner, room: await findRoom(context.hub, context.observer, owner, idOf(context.params["id"])) };
}

/** Its owner, who can change it. */
function isOwn(context: PageContext, { owner }: RoomView): context is MemberContext {
  return owner.channel_moved === "" && context.member?.channel.channel_id === owner.channel_id;
}

async function page(context: PageContext): Promise<Response> {
  const wanted = context.query.text("show");
  if (wanted !== "settings" && wanted !== "delete") return shown(context);
  const view = await load(context);
  if (!isOwn(context, view)) return shown(context);
  return wanted === "settings" ? settings(context, view) : confirm(context, view);
}

async function shown(context: PageContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const view = await load(context);
  const { owner, room } = view;
  const lines = await loadLines(context, room, beforeOf(context).before);
  const main = html`<section class="card chat">
    <header class="title-row">
      <h1>${room.cr_name}</h1>
      <a href="/chat/${owner.channel_address}">${say("chat.all-rooms-of", { name: owner.channel_name })}</a>
      ${isOwn(context, view) ? html`<a href="${roomPath(owner, room.cr_id)}?show=settings">${say("chat.settings")}</a>` : ""}
    </header>
    <p class="hint">${lifetime(context, room)}</p>
    ${pager(context, lines.next)}
    <div class="chat-window" role="log" tabindex="0" aria-label="${say("chat.said-here")}">
      ${roomLines(context, room, lines)}
    </div>
    ${isMember(context) ? form(context, view, typed, fault) : html`<p><a class="button" href="/login?next=${encodeURIComponent(context.path)}">${say("chat.log-in-to-write")}</a></p>`}
  </section>`;
  return show(context, {
    title: say("chat.room-title", { room: room.cr_name, name: owner.channel_name }),
    main,
    status: fault?.status ?? 200,
  });
}

function lifetime({ say }: PageContext, { cr_expire: minutes }: Chatroom): string {
  if (minutes <= 0) return say("chat.said-stays");
  if (minutes % 1440 === 0) return say("chat.said-goes-days", { days: minutes / 1440 });
  return minutes % 60 === 0 ? say("chat.said-goes-hours", { hours: minutes / 60 }) : say("chat.said-goes", { minutes });
}

function form(context: MemberContext, { owner, room }: RoomView, typed?: Fields, fault?: Fault): Html {
  const { say } = context;
  const path = roomPath(owner, room.cr_id);
  return html`<form
    method="post"
    action="${path}"
    class="chat-form"
    ${inPlace(path, `#${roomLinesId(room)}`)}
    hx-sync="this:drop"
    data-emptied
  >
    ${token(context)} ${alert(fault)}
    ${textArea(context, { label: say("chat.say-something"), name: "body", value: typed?.text("body") ?? "", rows: 2, required: true, fault })}
    <p class="submit"><button class="button primary">${say("chat.say-it")}</button></p>
  </form>`;
}

async function settings(context: MemberContext, view: RoomView, typed?: Fields, fault?: Fault): Promise<Response> {
  const { say } = context;
  const { owner, room } = view;
  const path = roomPath(owner, room.cr_id);
  const main = html`<section class="card form-page">
    <p class="crumbs"><a href="${path}">${room.cr_name}</a></p>
    <h1>${say("chat.settings")}</h1>
    <form method="post" action="${path}">
      ${token(context)} ${alert(fault)} <input type="hidden" name="act" value="settings" />
      ${await roomFields(context, room, typed, fault)}
      <p class="submit">
        <button class="button primary">${say("forms.save")}</button> <a href="${path}">${say("forms.leave-as-is")}</a>
        <a class="danger-link" href="${path}?show=delete">${say("chat.delete-the-room")}</a>
      </p>
    </form>
  </section>`;
  return show(context, { title: say("chat.settings"), main, status: fault?.status ?? 200 });
}

function confirm(context: MemberContext, { owner, room }: RoomView): Promise<Response> {
  return deleteQuestion(context, {
    question: context.say("chat.delete-room", { name: room.cr_name }),
    consequence: context.say("chat.gone-room"),
    wayBack: roomPath(owner, room.cr_id),
    fields: html`<input type="hidden" name="act" value="delete" />`,
  });
}

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  const view = await load(context);
  const act = typed.text("act");
  if (act === "") return write(context, view, typed);
  if (!isOwn(context, view)) throw missing("Page");
  return act === "delete" ? remove(context, view) : change(context, view, typed);
}

async function write(context: MemberContext, { owner, room }: RoomView, typed: Fields): Promise<Response> {
  return tryForm(
    context,
    async () => {
      await sayInRoom(context.hub, context.member.channel, owner, room.cr_id, typed.text("body"));
      if (!context.inPlace) return redirect(context, roomPath(owner, room.cr_id));
      return showPart(context, roomLines(context, room, await loadLines(context, room)));
    },
    (fault) => shown(context, typed, fault),
  );
}

async function change(context: MemberContext, view: RoomView, typed: Fields): Promise<Response> {
  const { owner, room } = view;
  return tryForm(
    context,
    async () => {
      await changeRoom(context.hub, owner, room.cr_id, await readRoom(context, typed, room));
      return redirect(context, roomPath(owner, room.cr_id), "saved");
    },
    (fault) => settings(context, view, typed, fault),
  );
}

async function remove(context: MemberContext, { owner, room }: RoomView): Promise<Response> {
  await deleteRoom(context.hub, owner, room.cr_id);
  return redirect(context, `/chat/${owner.channel_address}`, "deleted");
}
