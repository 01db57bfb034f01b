import { emojiBeginning } from "../../../../domain/bodies/emoji-names.ts";
import { activeGroups } from "../../../../domain/groups/groups.ts";
import { suggestTags } from "../../../../domain/items/suggest-tags.ts";
import { suggestPeople } from "../../../../domain/people/suggest-people.ts";
import { fragment } from "../../answers.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext, Page } from "../../page.ts";

/** How a word may go on that somebody types, for scripts: a list to choose from. */
export const suggestionsPages: Page[] = [{ path: "/suggestions", access: "member", get: suggest }];

const count = 8;

/** `value` is what takes the place of what was typed. */
type Suggestion = { value: string; words: Html | string };

async function suggest(context: MemberContext): Promise<Response> {
  const { query } = context;
  const found = await suggestionsFor(context, query.text("key"), query.word("text"));
  const options = found.map(
    ({ value, words }, at) =>
      html`<li role="option" id="suggestion-${at}" data-value="${value}" aria-selected="false">${words}</li>`,
  );
  return fragment(
    context,
    html`<ul class="suggestions" role="listbox" aria-label="${context.say("composer.suggestions")}">
      ${options}
    </ul>`,
  );
}

async function suggestionsFor(context: MemberContext, key: string, text: string): Promise<Suggestion[]> {
  const { hub, member } = context;
  switch (key) {
    case "@":
      return [...(await groupsFor(context, text)), ...(await peopleFor(context, text))].slice(0, count);
    case "#":
      return (await suggestTags(hub, member.channel, text, count)).map((tag) => ({
        value: `#${tag}`,
        words: `#${tag}`,
      }));
    case ":":
      return emojiBeginning(text, count).map(({ name, emoji }) => ({
        value: emoji,
        words: html`${emoji} <small>${name}</small>`,
      }));
    default:
      return [];
  }
}

async function peopleFor({ hub, member, say }: MemberContext, text: string): Promise<Suggestion[]> {
  return (await suggestPeople(hub, member.channel, text, count)).map(({ xchan_name, xchan_addr, xchan_pubforum }) => ({
    value: `@${xchan_addr}`,
    words: html`<bdi>${xchan_name}</bdi>
      <small>${xchan_pubforum ? say("composer.suggested-group", { address: xchan_addr }) : xchan_addr}</small>`,
  }));
}

/** Own groups whose members may know of them: whoever is named so alone sees the post. */
async function groupsFor({ hub, member, say }: MemberContext, text: string): Promise<Suggestion[]> {
  const start = text.toLowerCase();
  if (start === "") return [];
  const groups = await activeGroups(hub, member.channel.channel_id);
  return groups
    .filter(({ gname, visible }) => visible === 1 && !gname.includes('"') && gname.toLowerCase().startsWith(start))
    .slice(0, 3)
    .map(({ gname }) => ({
      value: /^[\p{L}\d_-]+$/u.test(gname) ? `!!${gname}` : `!!"${gname}"`,
      words: html`<bdi>${gname}</bdi> <small>${say("composer.own-group")}</small>`,
    }));
}
