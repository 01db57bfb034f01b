import { listMessages, partnerOf } from "../../../../domain/messages/messages.ts";
import type { Mail, MailPage } from "../../../../domain/messages/messages.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { icon } from "../../parts/icons.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { shorten } from "../../parts/shorten.ts";
import { avatar } from "../../parts/channels/person.ts";
import { time } from "../../parts/times.ts";
import type { Say } from "../../languages/say.ts";

const perPage = 30;
const before = 60;
const longest = 160;

/** Looks for words in the member's messages. */
export function mailSearchForm(say: Say, words: string): Html {
  return html`<form class="mail-search" action="/mail/search" role="search">
    <label for="mail-search">${say("messages.search-label")}</label>
    <div class="row">
      <input id="mail-search" name="search" type="search" value="${words}" required /><button class="button">
        ${icon("lens")} ${say("messages.search")}
      </button>
    </div>
  </form>`;
}

/** Messages that hold the words, newest first; each leads to its place in the conversation. */
export async function searchMail(context: MemberContext): Promise<Response> {
  const { say } = context;
  const words = context.query.word("search");
  const { page, next } = await find(context, words);
  const main = html`<p class="crumbs"><a href="/mail">${say("messages.title")}</a></p>
    <h1>${words === "" ? say("messages.search-title") : say("messages.found-with", { words })}</h1>
    ${mailSearchForm(say, words)}
    ${
      page.messages.length > 0
        ? html`<ol class="card notices">
            ${page.messages.map((mail) => row(context, page, mail, words))}
          </ol>`
        : html`<p class="empty">${words === "" ? say("messages.search-type") : say("messages.search-none")}</p>`
    }
    ${pager(context, next)}`;
  return show(context, { title: say("messages.search-title"), main });
}

async function find(context: MemberContext, search: string): Promise<{ page: MailPage; next: number | undefined }> {
  if (search === "") return { page: { messages: [], people: new Map() }, next: undefined };
  const { before } = beforeOf(context);
  const { messages, people } = await listMessages(context.hub, context.member.channel, {
    box: "all",
    search,
    maxId: before === undefined ? undefined : before - 1,
    count: perPage + 1,
  });
  const shown = messages.slice(0, perPage);
  return { page: { messages: shown, people }, next: messages.length > perPage ? shown.at(-1)!.id : undefined };
}

function row(context: MemberContext, { people }: MailPage, mail: Mail, words: string): Html {
  const { say } = context;
  const partner = people.get(partnerOf(context.member.channel, mail));
  const mine = mail.from_xchan === context.member.channel.channel_hash;
  return html`<li class="${mail.mail_seen === 0 ? "unseen-notice" : ""}">
    <a href="/mail/${mail.id}?before=${mail.id + 1}#m${mail.id}">
      ${avatar(context, partner?.xchan_photo_m)}
      <span class="notice-words"
        ><strong>${partner?.xchan_name ?? say("messages.somebody")}</strong>
        ${mail.title ? html`<span class="subject">${mail.title}</span>` : ""}
        <small class="snippet"
          >${mine ? say.html("messages.you", { words: around(mail.plain, words) }) : around(mail.plain, words)}</small
        >
        <small>${time(context, mail.created)}</small></span
      >
    </a>
  </li>`;
}

/** The place of the text where the words are, with them marked; its beginning when only its markup holds them. */
function around(plain: string, words: string): Html {
  const text = plain.replace(/\s+/g, " ");
  const folded = text.toLowerCase();
  const at = folded.length === text.length ? folded.indexOf(words.toLowerCase().replace(/\s+/g, " ")) : -1;
  if (at < 0) return html`${cut(text, 0, longest)}`;
  const start = Math.max(0, at - before);
  const end = at + words.length;
  return html`${start > 0 ? "…" : ""}${text.slice(start, at)}<mark>${text.slice(at, end)}</mark>${cut(text, end, longest)}`;
}

function cut(text: string, from: number, length: number): string {
  return shorten(text.slice(from), length);
}
