import { html } from "hono/html";
import type { Chatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import { findRoom, listLines, listRooms, say as sayInRoom } from "../../../../domain/messages/rooms.ts";
import type { ChatLine } from "../../../../domain/messages/rooms.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { missing } from "../../../../errors.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { channelHeader, loadChannel } from "../../parts/channels/channel-header.ts";
import { alert, textArea, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { loadOwner } from "../../parts/pages/page-owner.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { avatar, personUrl } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import { isMember } from "../../page.ts";

const perPage = 50;

/** The chatrooms of a channel: what was said stands there, and who may enter adds to it. */
export const chatPages: Page[] = [
  { path: "/chat/:nick", access: "anybody", get: list },
  { path: "/chat/:nick/:id", access: "reader", get: (context) => room(context), post: write, again: room },
];

async function list(context: PageContext): Promise<Response> {
  const owner = await loadOwner(context);
  const rooms = await listRooms(context.hub, context.observer, owner);
  const own = context.member?.channel.channel_id === owner.channel_id;
  if (!own && rooms.length === 0) throw missing("Page");
  const view = await loadChannel(context, owner.channel_address);
  const main = html`${await channelHeader(context, view, "chat")}
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
      : html`<p class="empty">${context.say("items.no-rooms")}</p>`
  }`;
  return show(context, { title: context.say("items.rooms-of", { name: owner.channel_name }), main });
}

function isClosed({ allow_cid, allow_gid, deny_cid, deny_gid }: Chatroom): boolean {
  return `${allow_cid}${allow_gid}${deny_cid}${deny_gid}` !== "";
}

async function room(context: PageContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, observer, say } = context;
  const owner = await loadOwner(context);
  const found = await findRoom(hub, observer, owner, idOf(context.params["id"]));
  const { lines, next } = await listLines(hub, found, { ...beforeOf(context), count: perPage });
  const users = await loadUsers(hub, observer, [...new Set(lines.map((line) => line.author_id))]);
  const nick = owner.channel_address;
  const main = html`<section class="card chat">
    <header class="title-row">
      <h1>${found.cr_name}</h1>
      <a href="/chat/${nick}">${say("items.all-rooms-of", { name: owner.channel_name })}</a>
    </header>
    <p class="hint">${lifetime(context, found)}</p>
    ${pager(context, next)}
    ${
      lines.length > 0
        ? html`<ol class="chat-lines">
            ${lines.toReversed().map((line) => lineOf(context, line, users.get(line.author_id)))}
          </ol>`
        : html`<p class="empty">${say("items.nothing-said")}</p>`
    }
    ${isMember(context) ? form(context, typed, fault) : html`<p><a class="button" href="/login?next=${encodeURIComponent(context.path)}">${say("items.log-in-to-write")}</a></p>`}
  </section>`;
  return show(context, {
    title: say("items.room-title", { room: found.cr_name, name: owner.channel_name }),
    main,
    status: fault?.status ?? 200,
  });
}

function lifetime({ say }: PageContext, { cr_expire: minutes }: Chatroom): string {
  return minutes <= 0 ? say("items.said-stays") : say("items.said-goes", { minutes });
}

function lineOf(context: PageContext, { body, created }: ChatLine, author: User | undefined): Html {
  return html`<li class="chat-line">
    ${avatar(context, author?.xchan_photo_m, "small")}
    <div>
      <p class="meta">
        ${author ? html`<a class="name" href="${personUrl(context, author)}">${author.xchan_name}</a>` : context.say("items.somebody")}
        ${time(context, created)}
      </p>
      <p class="chat-words">${body}</p>
    </div>
  </li>`;
}

function form(context: MemberContext, typed: Fields | undefined, fault: Fault | undefined): Html {
  return html`<form method="post" class="chat-form">
    ${token(context)} ${alert(fault)}
    ${textArea(context, { label: context.say("items.say-something"), name: "body", value: typed?.text("body") ?? "", rows: 2, required: true, fault })}
    <p class="submit"><button class="button primary">${context.say("items.say-it")}</button></p>
  </form>`;
}

async function write(context: MemberContext, typed: Fields): Promise<Response> {
  const owner = await loadOwner(context);
  const id = idOf(context.params["id"]);
  return tryForm(
    context,
    async () => {
      await sayInRoom(context.hub, context.member.channel, owner, id, typed.text("body"));
      return redirect(context, `/chat/${owner.channel_address}/${id}`);
    },
    (fault) => room(context, typed, fault),
  );
}
