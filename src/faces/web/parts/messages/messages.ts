import { html } from "hono/html";
import type { Mail, MailPage } from "../../../../domain/messages/messages.ts";
import type { Html, MemberContext } from "../../page.ts";
import { token } from "../forms.ts";
import { icon } from "../icons.ts";
import { attachments } from "../items/attachments.ts";
import { body } from "../items/body.ts";
import { avatar } from "../channels/person.ts";
import { time } from "../times.ts";

/** The messages of a conversation, oldest first; the own ones stand apart. */
export function messageList(context: MemberContext, page: MailPage): Html {
  return html`<ol class="messages" aria-label="Messages">
    ${page.messages.map((mail) => message(context, page, mail))}
  </ol>`;
}

function message(context: MemberContext, { people }: MailPage, mail: Mail): Html {
  const mine = mail.from_xchan === context.member.channel.channel_hash;
  const writer = people.get(mail.from_xchan);
  return html`<li class="message ${mine ? "mine" : ""} ${mail.mail_seen === 0 ? "fresh" : ""}" id="m${mail.id}">
    ${avatar(context, writer?.xchan_photo_m, "small")}
    <article class="card bubble" aria-label="${mine ? "You" : (writer?.xchan_name ?? "Somebody")}">
      <header class="meta">
        <strong>${mine ? "You" : (writer?.xchan_name ?? "Somebody")}</strong> ${time(context, mail.created)}
        ${menu(context, mail, mine)}
      </header>
      ${text(context, mail, mine)} ${attachments(mail.attach)}
    </article>
  </li>`;
}

function text(context: MemberContext, mail: Mail, mine: boolean): Html {
  if (mail.mail_recalled === 1)
    return html`<p class="gone">${mine ? "You took this message back." : "This message was taken back."}</p>`;
  return html`<div class="body">${body(context, mail.html)}</div>`;
}

function menu(context: MemberContext, mail: Mail, mine: boolean): Html {
  return html`<details class="menu">
    <summary class="act" aria-label="More actions">${icon("dots")}</summary>
    <form class="menu-sheet" method="post" action="/mail/${mail.id}/act">
      ${token(context)}
      <button class="act" name="act" value="delete">${icon("bin")} Remove for me</button>
      ${mine || mail.mail_recalled === 1 ? "" : html`<button class="act" name="act" value="unread">${icon("letter")} Mark as unread</button>`}
      ${mine && mail.mail_recalled === 0 ? html`<button class="act" name="act" value="recall">${icon("cross")} Take back for both</button>` : ""}
    </form>
  </details>`;
}
