import type { Chatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { createRoom } from "../../../../domain/messages/room-change.ts";
import { listRooms } from "../../../../domain/messages/rooms.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { isMember } from "../../page.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { channelLinks } from "../../parts/channels/channel-preview.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { readRoom, roomFields } from "../../parts/chat/room-fields.ts";
import { roomPath } from "../../parts/chat/room-path.ts";
import { alert, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { loadOwner } from "../../parts/pages/page-owner.ts";

/** The chatrooms of a channel that the visitor may enter; its owner opens more. */
export const chatroomsPages: Page[] = [
  { path: "/chat/:nick", access: "reader", get: (context) => list(context), post: open },
];

async function list(context: PageContext, typed = new Fields(), fault?: Fault): Promise<Response> {
  const { say } = context;
  const owner = await loadOwner(context);
  const rooms = await listRooms(context.hub, context.observer, owner);
  const own = context.member?.channel.channel_id === owner.channel_id;
  if (!own && rooms.length === 0) throw missing("Page");
  const view = await loadChannel(context, owner.channel_address);
  const main = html`${await channelHeader(context, view, "chat")}
  ${
    rooms.length > 0
      ? html`<ul class="card plain-list">
          ${rooms.map((one) => row(owner, one))}
        </ul>`
      : html`<p class="empty">${say(own && owner.channel_moved === "" ? "chat.none-own" : "chat.none")}</p>`
  }
  ${own && isMember(context) ? await newRoom(context, typed, fault) : ""}`;
  return show(context, {
    title: say("chat.rooms-of", { name: owner.channel_name }),
    main,
    status: fault?.status ?? 200,
    ...(await channelLinks(context, view)),
  });
}

function row(owner: Channel, room: Chatroom): Html {
  return html`<li>
    <a href="${roomPath(owner, room.cr_id)}"
      >${icon(isClosed(room) ? "lock" : "letter")} <span>${room.cr_name}</span></a
    >
  </li>`;
}

function isClosed({ allow_cid, allow_gid, deny_cid, deny_gid }: Chatroom): boolean {
  return `${allow_cid}${allow_gid}${deny_cid}${deny_gid}` !== "";
}

async function newRoom(context: MemberContext, typed: Fields, fault?: Fault): Promise<Html> {
  const { say } = context;
  return html`<form class="card form-page" method="post">
    <h2>${say("chat.new-room")}</h2>
    ${token(context)} ${alert(fault)} ${await roomFields(context, undefined, fault && typed, fault)}
    <p class="submit"><button class="button primary">${say("chat.open-room")}</button></p>
  </form>`;
}

async function open(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const owner = await loadOwner(context);
  if (member.channel.channel_id !== owner.channel_id) throw missing("Page");
  return tryForm(
    context,
    async () => {
      const room = await createRoom(hub, member.channel, await readRoom(context, typed));
      return redirect(context, roomPath(owner, room.cr_id), "made");
    },
    (fault) => list(context, typed, fault),
  );
}
