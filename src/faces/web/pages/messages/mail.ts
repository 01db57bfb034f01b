import {
  answerMessage,
  deleteConversation,
  deleteMessage,
  findMessage,
  listMessages,
  listRecipients,
  recipientsAmong,
  listTalks,
  markMessagesSeen,
  peopleOf,
  readConversation,
  recallMessage,
  sendMessage,
  setMessageSeen,
  notBlocked,
  stillThere,
  subjectOf,
  takingPart,
} from "../../../../domain/messages/messages.ts";
import type { Mail, Talk } from "../../../../domain/messages/messages.ts";
import type { StatusItem } from "../../../../domain/items/columns.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { findKnown } from "../../../../domain/people/known-person.ts";
import { redirect, show, showPart } from "../../answers.ts";
import { fault as faultIn, sentenceAt } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { deleteQuestion } from "../../parts/delete-question.ts";
import { textField } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { bubbles, mailBubble, takeMessage, talkForm, messageFormat } from "../../parts/messages/messages.ts";
import { mediaIdsOf } from "../../parts/items/chosen-media.ts";
import { composer } from "../../parts/items/composer.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { draftIn, loadComposer } from "../../parts/items/load-composer.ts";
import { namesOf, recipient } from "../../parts/messages/people.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { shorten } from "../../parts/shorten.ts";
import { chosenFirst, peopleChoice, peopleOnPage, readPeople } from "../../parts/connections/people-choice.ts";
import type { PeopleChoice } from "../../parts/connections/people-choice.ts";
import { avatar, personUrl } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import { mailSearchForm, searchMail } from "./mail-search.ts";
import { linkTo } from "../../languages/say.ts";

/** Direct messages, and what is said to a few (talk.ts). Nobody but the people concerned gets anything here. */
export const mailPages: Page[] = [
  { path: "/mail", access: "member", get: list },
  { path: "/mail/search", access: "member", get: searchMail },
  {
    path: "/mail/new",
    access: "member",
    onlyForm: true,
    get: (context) => newForm(context),
    post: begin,
    again: (context, typed, fault) => newForm(context, { typed, fault }),
    files: ["media"],
  },
  {
    path: "/mail/:id",
    access: "member",
    get: (context) => page(context),
    post: answer,
    again: (context, typed, fault) => page(context, { typed, fault }),
    files: ["media"],
  },
  { path: "/mail/:id/act", access: "member", post: act },
  { path: "/mail/:id/delete", access: "member", onlyForm: true, get: confirm, post: remove },
];

const talksShown = 30;
const messagesShown = 50;

async function list(context: MemberContext): Promise<Response> {
  const { hub, member, observer, query, say } = context;
  const [, below] = /^(\d{1,16})$/.exec(query.word("before")) ?? [];
  const { talks, more } = await listTalks(hub, member.channel, {
    count: talksShown,
    below: below === undefined ? undefined : Number(below),
  });
  const people = await loadUsers(hub, observer, [...new Set(talks.flatMap((talk) => talk.people))]);
  const main = html`<div class="title-row">
      <h1>${say("messages.title")}</h1>
      <a class="button primary" href="/mail/new">${icon("pencil")} ${say("messages.new")}</a>
    </div>
    <div id="talks">
      ${talks.length > 0 ? mailSearchForm(say, "") : ""}
      ${
        talks.length > 0
          ? html`<ol class="card notices">
              ${talks.map((talk) => row(context, people, talk))}
            </ol>`
          : html`<p class="empty">${say("messages.none")}</p>`
      }
      ${pager(context, more ? talks.at(-1)?.key : undefined)}
    </div>
    ${below === undefined ? html`<hub-renew data-count="messages" data-part="#talks" hidden></hub-renew>` : ""}`;
  return show(context, { title: say("messages.title"), main });
}

function row(context: MemberContext, people: Map<number, User>, talk: Talk): Html {
  const { say } = context;
  const { last, unseen } = talk;
  const { subject, mine, words, created, path } = last.mail ? ofMail(context, last.mail) : ofItem(context, last.item);
  const beginning = shorten(words.replace(/\s+/g, " "), 120);
  return html`<li class="${unseen ? "unseen-notice" : ""}">
    <a href="${path}">
      <span class="faces"
        >${talk.people.slice(0, 2).map((id) => avatar(context, people.get(id)?.xchan_photo_m, talk.people.length > 1 ? "small" : "medium"))}</span
      >
      <span class="notice-words"
        ><strong>${namesOf(say, people, talk.people)}</strong
        >${unseen ? html`<span class="dot"></span><span class="unseen">${say("messages.is-new")}</span>` : ""}
        ${subject ? html`<span class="subject">${subject}</span>` : ""}
        <small class="snippet">${mine ? say("messages.you", { words: beginning }) : beginning}</small>
        <small>${time(context, created)}</small></span
      >
    </a>
  </li>`;
}

/** What the list shows of what was said last. */
type Last = { subject: string; mine: boolean; words: string; created: string; path: string };

function ofMail({ member, say }: MemberContext, mail: Mail): Last {
  return {
    subject: subjectOf(mail),
    mine: mail.from_xchan === member.channel.channel_hash,
    words: mail.mail_recalled === 1 ? say("messages.taken-back") : mail.plain,
    created: mail.created,
    path: `/mail/${mail.id}`,
  };
}

/** Whatever stands behind a warning stays there. */
function ofItem({ member }: MemberContext, item: StatusItem): Last {
  return {
    subject: item.title,
    mine: item.author_id === member.channel.xchan_id,
    words: item.summary || item.plain,
    created: item.created,
    path: `/mail/talk/${item.parent}`,
  };
}

async function page(context: MemberContext, state: ComposerState = {}): Promise<Response> {
  const { hub, member, say } = context;
  const read = await readConversation(hub, member.channel, idOf(context.params["id"]), {
    ...beforeOf(context),
    count: messagesShown,
  });
  const others = await takingPart(hub, member.channel, read.of.conv_guid);
  const people = new Map(others.map((one) => [one.xchan_id, one]));
  const name = others.length > 0 ? namesOf(say, people, [...people.keys()]) : say("messages.somebody");
  // An answer goes to those whom it names: all of them, unless its writer leaves somebody out.
  const there = await notBlocked(hub, member.channel, stillThere(others));
  const begun = there.length > 1 ? there.map(({ xchan_addr }) => `@${xchan_addr} `).join("") : "";
  const subject = read.messages.map(subjectOf).find((title) => title !== "") ?? "";
  const main = html`<p class="crumbs"><a href="/mail">${say("messages.title")}</a></p>
    <div class="title-row">
      <h1>
        ${subject || say("messages.conversation")}
        <small class="with"
          >${say.html("messages.with", { name: others.length === 1 ? html`<a href="${personUrl(context, others[0]!)}">${name}</a>` : name })}</small
        >
      </h1>
      <a class="danger-link" href="/mail/${read.of.id}/delete">${say("messages.delete-conversation")}</a>
    </div>
    ${read.next === undefined ? "" : html`<p class="pager"><a class="button" href="${withParameter(context.path, "before", String(read.next))}">${say("messages.older")}</a></p>`}
    <div id="talk">
      ${bubbles(
        say,
        read.messages.map((mail) => mailBubble(context, read, mail)),
      )}
    </div>
    ${context.query.has("before") ? html`<p class="pager"><a class="button" href="${context.path}">${say("messages.newest")}</a></p>` : ""}
    ${await talkForm(context, say("messages.answer", { name }), state, begun)}
    ${context.query.has("before") ? "" : html`<hub-renew data-count="messages" data-part="#talk" hidden></hub-renew>`}`;
  await markMessagesSeen(hub, member.channel, read.messages);
  return show(context, { title: say("messages.messages-with", { name }), main, status: state.fault?.status ?? 200 });
}

async function answer(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  const of = await findMessage(hub, member.channel, idOf(context.params["id"]));
  return takeMessage(context, typed, {
    async send(typed) {
      const words = { body: typed.text("body"), mediaIds: mediaIdsOf(typed) };
      const sent = await answerMessage(hub, member.channel, of.id, words);
      if (context.inPlace) return inItsPlace(context, sent);
      return redirect(context, `/mail/${sent.id}#m${sent.id}`, "sent");
    },
    again: (kept, more) => page(context, { typed: kept, ...more }),
  });
}

async function inItsPlace(context: MemberContext, sent: Mail): Promise<Response> {
  const page = { messages: [sent], people: await peopleOf(context.hub, [sent]) };
  return showPart(
    context,
    html`<ol>
      ${mailBubble(context, page, sent)}
    </ol>`,
    "sent",
  );
}

async function newForm(context: MemberContext, state: ComposerState = {}): Promise<Response> {
  const { say } = context;
  const { fault } = state;
  const typed = state.typed ?? (await draftIn(context));
  const choice = await recipients(context, typed);
  const main = html`<p class="crumbs"><a href="/mail">${say("messages.title")}</a></p>
    <h1>${say("messages.new")}</h1>
    ${
      choice.people.length > 0
        ? composer(context, {
            ...state,
            typed,
            own: await loadComposer(context, typed),
            id: "message",
            name: say("messages.new"),
            action: context.path,
            format: messageFormat,
            before: recipientsField(context, choice, fault),
            text: { label: say("messages.text"), value: typed?.text("body") ?? "", rows: 8 },
            files: true,
            extras: html`<details class="extras" ${typed?.text("title") ? "open" : ""}>
              <summary>${say("messages.subject")}</summary>
              ${textField(context, { label: say("messages.subject"), name: "title", value: typed?.text("title") ?? "", fault })}
            </details>`,
            ways: html`<a href="/mail">${say("forms.leave-it")}</a>`,
            send: say("messages.send"),
          })
        : html`<p class="empty">${say.html("messages.takes-none", { directory: linkTo("/directory") })}</p>`
    }`;
  return show(context, { title: say("messages.new"), main, status: fault?.status ?? 200 });
}

/** Connections that take messages; others who were asked for are tried all the same. */
async function recipients(context: MemberContext, typed: Fields | undefined): Promise<PeopleChoice> {
  const { hub, member, query } = context;
  const asked = typed?.all("to") ?? query.all("to");
  const [taking, { people, more }] = await Promise.all([
    recipientsAmong(hub, member.channel, asked),
    listRecipients(hub, member.channel, { count: peopleOnPage }),
  ]);
  const rest = asked.filter((hash) => taking.every((one) => one.xchan_hash !== hash)).slice(0, peopleOnPage);
  const others = await Promise.all(rest.map((hash) => findKnown(hub, member.channel.channel_id, { hash })));
  const chosen = [...others.filter((one) => one !== undefined), ...taking];
  return {
    name: "to",
    list: "messages",
    people: chosenFirst(chosen.map(recipient), people.map(recipient)),
    chosen: new Set(asked),
    more,
    typed: typed?.text("to_named"),
  };
}

function recipientsField(context: MemberContext, choice: PeopleChoice, fault: Fault | undefined): Html {
  const { say } = context;
  const wrong = sentenceAt(fault, "to");
  return html`<fieldset class="field ${wrong === undefined ? "" : "wrong"}">
    <legend>${say("messages.to")}</legend>
    ${choice.people.length > 1 ? html`<p class="hint">${say("messages.to-hint")}</p>` : ""}
    ${wrong === undefined ? "" : html`<p class="field-fault">${wrong}</p>`} ${peopleChoice(context, choice)}
  </fieldset>`;
}

async function begin(context: MemberContext, sent: Fields): Promise<Response> {
  const { say } = context;
  return takeMessage(context, sent, {
    async send(typed) {
      const [to, ...others] = await readPeople(context, typed, { name: "to", field: "to" });
      if (to === undefined) throw faultIn("to", say("messages.choose-whom"));
      if (others.length > 0) return beginTalk(context, [to, ...others], typed);
      const { hub, member } = context;
      const words = { title: typed.word("title"), body: typed.text("body"), mediaIds: mediaIdsOf(typed) };
      const { id } = await sendMessage(hub, member.channel, { ...words, to, goesOn: words.title === "" });
      return redirect(context, `/mail/${id}`, "sent");
    },
    again: (typed, more) => newForm(context, { typed, ...more }),
  });
}

/** What can be done with one message: removing the own copy, or taking it back. */
async function act(context: MemberContext, form: Fields): Promise<Response> {
  const { hub, member, say } = context;
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
  if (form.text("act") !== "delete") throw faultIn("act", say("forms.unknown-button"));
  const { conv_guid: conversation } = await deleteMessage(hub, member.channel, id);
  const { messages } = await listMessages(hub, member.channel, { box: "all", conversation, count: 1 });
  return redirect(context, messages[0] ? `/mail/${messages[0].id}` : "/mail", "removed");
}

async function confirm(context: MemberContext): Promise<Response> {
  const { say } = context;
  const { id } = await findMessage(context.hub, context.member.channel, idOf(context.params["id"]));
  return deleteQuestion(context, {
    question: say("messages.delete-question"),
    consequence: say("messages.delete-means"),
    wayBack: `/mail/${id}`,
  });
}

async function remove(context: MemberContext): Promise<Response> {
  await deleteConversation(context.hub, context.member.channel, idOf(context.params["id"]));
  return redirect(context, "/mail", "deleted");
}

/** What is said to several is a direct thread: each of them reads all of it, and answers all. */
async function beginTalk(context: MemberContext, directTo: readonly string[], typed: Fields): Promise<Response> {
  const { hub, member, say } = context;
  const takers = await recipientsAmong(hub, member.channel, directTo);
  const named = directTo.map((hash) => takers.find((one) => one.xchan_hash === hash)?.xchan_addr);
  if (named.includes(undefined)) throw faultIn("to", say("messages.not-all-take"));
  if (typed.word("body") === "") throw faultIn("body", say("messages.write-first"));
  // Each of them sees by the names who else reads it.
  const body = `${named.map((address) => `@${address}`).join(" ")} ${typed.text("body")}`;
  const draft = { title: typed.word("title"), body, mediaIds: mediaIdsOf(typed), directTo };
  const { id } = await postItem(hub, member.channel, draft);
  return redirect(context, `/mail/talk/${id}`, "sent");
}
