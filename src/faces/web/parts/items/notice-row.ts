import type { NoticeGroup } from "../../../../domain/items/timelines/notice-groups.ts";
import { layOutWorded } from "../../../../domain/notifications/worded.ts";
import { html } from "../../html.ts";
import type { Html, MemberContext } from "../../page.ts";
import { avatar } from "../channels/person.ts";
import { time } from "../times.ts";
import { noticeSentence, plainNoticeSentence, quotedWords } from "./notice-sentence.ts";

/** What stands in a row of notices: `line` is the whole sentence as plain text, `link` leads to what it is about. */
export type NoticeRow = { group: NoticeGroup; line: string; link: Html };

/** The rows of groups of notices. */
export async function noticeRows(context: MemberContext, groups: readonly NoticeGroup[]): Promise<NoticeRow[]> {
  const worded = await layOutWorded(
    context.hub,
    groups.map(({ newest }) => newest),
  );
  return groups.map((group) => rowOf(context, group, worded.get(group.newest.id)?.plain));
}

/** `sentence` is what a notice says that came with its own words. */
function rowOf(context: MemberContext, group: NoticeGroup, sentence: string | undefined): NoticeRow {
  const { newest, unseen, first, said, about } = group;
  const told = [context.say, group, context.member.channel.xchan_id] as const;
  const link = html`<a href="/notify/view/${first}">
    ${faces(context, group)}
    <span class="notice-words"
      >${sentence ?? noticeSentence(...told)}${
        unseen > 0 ? html`<span class="dot"></span><span class="unseen">${context.say("items.new")}</span>` : ""
      }${quote("notice-said", quotedWords(said))}${quote("notice-about", quotedWords(about))}<small
        >${time(context, newest.created)}</small
      ></span
    >
  </a>`;
  return { group, line: sentence ?? plainNoticeSentence(...told), link };
}

/** The newest two of those who did it, in the place of one. */
function faces(context: MemberContext, { newest, others }: NoticeGroup): Html {
  const photos = [
    newest.kind === "worded" ? newest.words.photo : newest.actor.photo,
    ...others.map(({ photo }) => photo),
  ];
  const size = photos.length > 1 ? "small" : "medium";
  return html`<span class="faces">${photos.slice(0, 2).map((photo) => avatar(context, photo, size))}</span>`;
}

function quote(name: string, words: string): Html {
  return words === "" ? html`` : html`<span class="snippet ${name}">${words}</span>`;
}
