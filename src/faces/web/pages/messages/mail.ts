import { html } from "hono/html";
import {
  deleteConversation,
  deleteMessage,
  findMessage,
  listConversations,
  listMessages,
  listRecipients,
  markMessagesSeen,
  partnerOf,
  readConversation,
  recallMessage,
  sendMessage,
  setMessageSeen,
} from "../../../../domain/messages/messages.ts";
import type { ConversationSummary, Mail } from "../../../../domain/messages/messages.ts";
import { withUploads } from "../../../../domain/photos/uploads.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { redirect, show } from "../../answers.ts";
import { fault as faultIn, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { alert, choice, fileField, textArea, textField, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { messageList } from "../../parts/messages/messages.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { shorten } from "../../parts/shorten.ts";
import { avatar, personUrl } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import { mailSearchForm, searchMail } from "./mail-search.ts";

/** Direct messages. Nobody but the two people concerned gets anything here. */
export const mailPages: Page[] = [
  { path: "/mail", access: "member", get: list },
  { path: "/mail/search", access: "member", get: searchMail },
  {
    path: "/mail/new",
    access: "member",
    get: (context) => newForm(context),
    post: begin,
    again: newForm,
    files: ["media"],
  },
  { path: "/mail/:id", access: "member", get: (context) => page(context), post: answer, again: page, files: ["media"] },
  { path: "/mail/:id/act", access: "member", post: act },
  { path: "/mail/:id/delete", access: "member", get: confirm, post: remove },
];

const conversationsShown = 30;
const messagesShown = 50;

async function list(context: MemberContext): Promise<Response> {
  const { conversations, next } = await listConversations(context.hub, context.member.channel, {
    before: context.query.word("before"),
    count: conversationsShown,
  });
  const main = html`<div class="title-row">
      <h1>Messages</h1>
      <a class="button primary" href="/mail/new">${icon("pencil")} New message</a>
    </div>
    ${conversations.length > 0 ? mailSearchForm("") : ""}
    ${
      conversations.length > 0
        ? html`<ol class="card notices">
            ${conversations.map((one) => row(context, one))}
          </ol>`
        : html`<p class="empty">No messages yet. Only you and the other person can read what you write here.</p>`
    }
    ${pager(context, next)}`;
  return show(context, { title: "Messages", main });
}

function row(context: MemberContext, { conversation, newest, partner, unseen }: ConversationSummary): Html {
  const mine = newest.from_xchan === context.member.channel.channel_hash;
  return html`<li class="${unseen > 0 ? "unseen-notice" : ""}">
    <a href="/mail/${newest.id}">
      ${avatar(context, partner?.xchan_photo_m)}
      <span class="notice-words"
        ><strong>${partner?.xchan_name ?? "Somebody"}</strong>
        ${unseen > 0 ? html`<span class="badge">${unseen}<span class="unseen"> unread</span></span>` : ""}
        ${conversation.subject ? html`<span class="subject">${conversation.subject}</span>` : ""}
        <small class="snippet">${mine ? "You: " : ""}${snippet(newest)}</small>
        <small>${time(context, newest.created)}</small></span
      >
    </a>
  </li>`;
}

function snippet(mail: Mail): string {
  if (mail.mail_recalled === 1) return "This message was taken back.";
  const text = mail.plain.replace(/\s+/g, " ");
  return shorten(text, 120);
}

async function page(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const { hub, member } = context;
  const read = await readConversation(hub, member.channel, idOf(context.params["id"]), {
    ...beforeOf(context),
    count: messagesShown,
  });
  const partner = read.people.get(partnerOf(member.channel, read.of));
  const name = partner?.xchan_name ?? "Somebody";
  const subject = read.messages.find((mail) => mail.title !== "")?.title ?? "";
  const main = html`<p class="crumbs"><a href="/mail">Messages</a></p>
    <div class="title-row">
      <h1>
        ${subject || "Conversation"}
        <small class="with">with ${partner ? html`<a href="${personUrl(context, partner)}">${name}</a>` : name}</small>
      </h1>
      <a class="danger-link" href="/mail/${read.of.id}/delete">Delete the conversation</a>
    </div>
    ${read.next === undefined ? "" : html`<p class="pager"><a class="button" href="${withParameter(context.path, "before", String(read.next))}">Older messages</a></p>`}
    ${messageList(context, read)}
    ${context.query.has("before") ? html`<p class="pager"><a class="button" href="${context.path}">Newest messages</a></p>` : ""}
    ${answerForm(context, name, typed, fault)}`;
  await markMessagesSeen(hub, member.channel, read.messages);
  return show(context, { title: `Messages with ${name}`, main, status: fault?.status ?? 200 });
}

function answerForm(context: MemberContext, name: string, typed?: Fields, fault?: Fault): Html {
  return html`<form class="card form-page" id="answer" method="post" enctype="multipart/form-data">
    ${token(context)} ${alert(fault)}
    ${textArea({ label: `Answer ${name}`, name: "body", value: typed?.text("body") ?? "", rows: 3, optional: false, fault })}
    ${mediaField(fault)}
    <p class="submit"><button class="button primary">Send</button></p>
  </form>`;
}

async function answer(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const of = await findMessage(hub, member.channel, idOf(context.params["id"]));
  return tryForm(
    async () => {
      const message = { to: partnerOf(member.channel, of), body: typed.text("body"), replyTo: of.id };
      const sent = await withUploads(hub, member.channel, typed.files("media"), (media) =>
        sendMessage(hub, member.channel, { ...message, media }),
      );
      return redirect(context, `/mail/${sent.id}#m${sent.id}`, "sent");
    },
    (fault) => page(context, typed, fault),
  );
}

async function newForm(context: MemberContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const asked = typed?.text("to") ?? context.query.word("to");
  const people = await recipients(context, asked);
  const main = html`<p class="crumbs"><a href="/mail">Messages</a></p>
    <h1>New message</h1>
    ${
      people.length > 0
        ? html`<form class="card form-page" method="post" enctype="multipart/form-data">
            ${token(context)} ${alert(fault)}
            ${choice({ label: "To", name: "to", value: asked, choices: [["", "Choose somebody"], ...people], fault })}
            ${textField({ label: "Subject", name: "title", value: typed?.text("title") ?? "", fault })}
            ${textArea({ label: "Text", name: "body", value: typed?.text("body") ?? "", rows: 8, optional: false, hint: "You can use BBCode such as [b]bold[/b].", fault })}
            ${mediaField(fault)}
            <p class="submit"><button class="button primary">Send</button> <a href="/mail">Leave it</a></p>
          </form>`
        : html`<p class="empty">
            None of your connections takes messages from you yet. <a href="/directory">Find people</a>
          </p>`
    }`;
  return show(context, { title: "New message", main, status: fault?.status ?? 200 });
}

/** Connections that take messages; somebody else who was asked for is tried all the same. */
async function recipients(context: MemberContext, asked: string): Promise<(readonly [string, string])[]> {
  const { hub, member } = context;
  const people = await listRecipients(hub, member.channel);
  const isNew = asked !== "" && people.every((one) => one.xchan_hash !== asked);
  const other = isNew ? await findKnown(hub, member.channel.channel_id, { hash: asked }) : undefined;
  return [...(other ? [other] : []), ...people].map(
    (one) => [one.xchan_hash, `${one.xchan_name} (${one.xchan_addr})`] as const,
  );
}

async function begin(context: MemberContext, typed: Fields): Promise<Response> {
  return tryForm(
    async () => {
      const to = typed.text("to");
      if (to === "") throw faultIn("to", "Choose to whom you write.");
      const message = { to, title: typed.word("title"), body: typed.text("body") };
      const sent = await withUploads(context.hub, context.member.channel, typed.files("media"), (media) =>
        sendMessage(context.hub, context.member.channel, { ...message, media }),
      );
      return redirect(context, `/mail/${sent.id}`, "sent");
    },
    (fault) => newForm(context, typed, fault),
  );
}

/** What can be done with one message: removing the own copy, or taking it back. */
async function act(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member } = context;
  const id = idOf(context.params["id"]);
  if (form.text("act") === "recall") {
    await recallMessage(hub, member.channel, id);
    return redirect(context, `/mail/${id}#m${id}`, "recalled");
  }
  if (form.text("act") === "unread") {
    await setMessageSeen(hub, member.channel, id, false);
    // The conversation itself would mark it as read again.
    return redirect(context, "/mail", "unread");
  }
  if (form.text("act") !== "delete") throw faultIn("act", "This button is not known.");
  const { conv_guid: conversation } = await deleteMessage(hub, member.channel, id);
  const { messages } = await listMessages(hub, member.channel, { box: "all", conversation, count: 1 });
  return redirect(context, messages[0] ? `/mail/${messages[0].id}` : "/mail", "removed");
}

async function confirm(context: MemberContext): Promise<Response> {
  const { id } = await findMessage(context.hub, context.member.channel, idOf(context.params["id"]));
  return deleteQuestion(context, {
    question: "Delete this conversation?",
    consequence:
      "All its messages disappear for you. The other person keeps theirs; to take back a message, open its menu.",
    wayBack: `/mail/${id}`,
  });
}

async function remove(context: MemberContext): Promise<Response> {
  await deleteConversation(context.hub, context.member.channel, idOf(context.params["id"]));
  return redirect(context, "/mail", "deleted");
}

function mediaField(fault?: Fault): Html {
  return fileField({ label: "Files", name: "media", multiple: true, fault });
}
