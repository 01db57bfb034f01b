import type { Chatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import { listLines } from "../../../../domain/messages/rooms.ts";
import type { ChatLine } from "../../../../domain/messages/rooms.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { avatar, personUrl } from "../channels/person.ts";
import { time } from "../times.ts";

const perPage = 50;

/** Some lines of a chatroom, newest first, and who said them; `next` leads to the older ones. */
export type Lines = { lines: ChatLine[]; users: Map<number, User>; next: number | undefined };

/** The newest lines of a room, or those before one. */
export async function loadLines({ hub, observer }: PageContext, room: Chatroom, before?: number): Promise<Lines> {
  const { lines, next } = await listLines(hub, room, { ...(before !== undefined && { before }), count: perPage });
  const users = await loadUsers(hub, observer, [...new Set(lines.map((line) => line.author_id))]);
  return { lines, users, next };
}

/** The element in which the lines of the room stand, which open pages renew (hub-live.js). */
export function roomLinesId({ cr_id }: Chatroom): string {
  return `room-${cr_id}`;
}

/** Lines as they were said, the newest last. */
export function roomLines(context: PageContext, room: Chatroom, { lines, users }: Lines): Html {
  return html`<ol class="room chat-lines" id="${roomLinesId(room)}">
    ${lines.toReversed().map((line) => lineOf(context, line, users.get(line.author_id)))}
    ${lines.length === 0 ? html`<li class="empty">${context.say("chat.nothing-said")}</li>` : ""}
  </ol>`;
}

function lineOf(context: PageContext, { id, body, created }: ChatLine, author: User | undefined): Html {
  return html`<li class="chat-line" id="line-${id}">
    ${avatar(context, author?.xchan_photo_m, "small")}
    <div>
      <p class="meta">
        ${author ? html`<a class="name" href="${personUrl(context, author)}">${author.xchan_name}</a>` : context.say("chat.somebody")}
        ${time(context, created)}
      </p>
      <p class="chat-words">${body}</p>
    </div>
  </li>`;
}
