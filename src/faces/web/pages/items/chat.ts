import { html } from "hono/html";
import type { Chatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import { findRoom, listLines, listRooms, say } from "../../../../domain/messages/rooms.ts";
import type { ChatLine } from "../../../../domain/messages/rooms.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberVisit, Page, Visit } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { alert, textArea, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { loadOwner } from "../../parts/pages/page-owner.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { avatar, personUrl } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";

const perPage = 50;

/** The chatrooms of a channel: what was said stands there, and who may enter adds to it. */
export const chatPages: Page[] = [
  { path: "/chat/:nick", access: "anybody", get: list },
  { path: "/chat/:nick/:id", access: "reader", get: (visit) => room(visit), post: write, again: room },
];

async function list(visit: Visit): Promise<Response> {
  const owner = await loadOwner(visit);
  const rooms = await listRooms(visit.hub, visit.observer, owner);
  const own = visit.member?.channel.channel_id === owner.channel_id;
  if (!own && rooms.length === 0) throw missing("Page");
  const view = await loadChannel(visit, owner.channel_address);
  const main = html`${await channelHeader(visit, view, "chat")}
  ${
    rooms.length > 0
      ? html`<ul class="card plain-list">
          ${rooms.map(
            (one) =>
              html`<li>
                <a href="/chat/${owner.channel_address}/${one.cr_id}"
                  >${icon(isClosed(one) ? "lock" : "letter")} <span>${one.cr_name}</span></a
                >
              </li>`,
          )}
        </ul>`
      : html`<p class="empty">There are no chatrooms here.</p>`
  }`;
  return show(visit, { title: `Chatrooms of ${owner.channel_name}`, main });
}

function isClosed({ allow_cid, allow_gid, deny_cid, deny_gid }: Chatroom): boolean {
  return `${allow_cid}${allow_gid}${deny_cid}${deny_gid}` !== "";
}

async function room(visit: Visit, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, observer, member } = visit;
  const owner = await loadOwner(visit);
  const found = await findRoom(hub, observer, owner, idOf(visit.params["id"]));
  const { lines, next } = await listLines(hub, found, { ...beforeOf(visit), count: perPage });
  const users = await loadUsers(hub, member?.channel, [...new Set(lines.map((line) => line.author_id))]);
  const nick = owner.channel_address;
  const main = html`<section class="card chat">
    <header class="title-row">
      <h1>${found.cr_name}</h1>
      <a href="/chat/${nick}">All rooms of ${owner.channel_name}</a>
    </header>
    <p class="hint">${lifetime(found)}</p>
    ${pager(visit, next)}
    ${
      lines.length > 0
        ? html`<ol class="chat-lines">
            ${lines.toReversed().map((line) => lineOf(visit, line, users.get(line.author_id)))}
          </ol>`
        : html`<p class="empty">Nothing has been said here, or it has expired.</p>`
    }
    ${member ? form(visit as MemberVisit, typed, fault) : html`<p><a class="button" href="/login?next=${encodeURIComponent(visit.path)}">Log in to write</a></p>`}
  </section>`;
  return show(visit, {
    title: `${found.cr_name}: a chatroom of ${owner.channel_name}`,
    main,
    status: fault?.status ?? 200,
  });
}

function lifetime({ cr_expire: minutes }: Chatroom): string {
  if (minutes <= 0) return "What is said here stays.";
  return `What is said here goes after ${minutes} minute${minutes === 1 ? "" : "s"}. The page shows what is new when it is loaded again.`;
}

function lineOf(visit: Visit, { body, created }: ChatLine, author: User | undefined): Html {
  return html`<li class="chat-line">
    ${avatar(visit, author?.xchan_photo_m, "small")}
    <div>
      <p class="meta">
        ${author ? html`<a class="name" href="${personUrl(visit, author)}">${author.xchan_name}</a>` : "Somebody"}
        ${time(visit, created)}
      </p>
      <p class="chat-words">${body}</p>
    </div>
  </li>`;
}

function form(visit: MemberVisit, typed: Fields | undefined, fault: Fault | undefined): Html {
  return html`<form method="post" class="chat-form">
    ${token(visit)} ${alert(fault)}
    ${textArea({ label: "Say something", name: "body", value: typed?.text("body") ?? "", rows: 2, required: true, fault })}
    <p class="submit"><button class="button primary">Say it</button></p>
  </form>`;
}

async function write(visit: MemberVisit, typed: Fields): Promise<Response> {
  const owner = await loadOwner(visit);
  const id = idOf(visit.params["id"]);
  return tryForm(
    async () => {
      await say(visit.hub, visit.member.channel, owner, id, typed.text("body"));
      return redirect(visit, `/chat/${owner.channel_address}/${id}`);
    },
    (fault) => room(visit, typed, fault),
  );
}
