import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findXchans } from "../../../domain/identity/xchans/xchans.ts";
import { defaultAudience, nobody } from "../../../domain/items/audience.ts";
import { findAnswerable } from "../../../domain/items/media/photo-thread.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { postOnce } from "../../../domain/items/posting/post-once.ts";
import { loadStatusDetails } from "../../../domain/items/timelines/status-details.ts";
import type { Draft, Item } from "../../../domain/items/types.ts";
import type { HubError } from "../../../errors.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { flag, invalid, objects, optionalFlag, optionalId, optionalTexts, text } from "../parameters.ts";
import { pollIn } from "./polls.ts";
import { formatIn, languageIn, mediaIdsIn } from "./post-input.ts";

export const postInput = z.object({
  status: text("What the post says; BBCode works."),
  media_ids: optionalTexts("Ids of up to 32 uploads."),
  poll: objects("A poll: `options`, `expires_in` in seconds, `multiple`."),
  language: text("Code of its language; left out, what the text looks like."),
  in_reply_to_id: optionalId("Id of the post that it answers."),
  sensitive: optionalFlag("It is not for every eye."),
  spoiler_text: text("A content warning."),
  visibility: text(
    "`public`, `unlisted`, `private`, `direct`, `local`, or the id of one of the caller's groups; left out, the channel's default.",
  ),
  local_only: flag("Only for people of this hub."),
  scheduled_at: text("When to post it; not taken here yet."),
  content_type: text("Format of the text; `text/bbcode` when left out."),
  title: text("Its title."),
});

type PostInput = z.output<typeof postInput>;

/** Posts what an application has sent (mastodon contract 6 and 13.3). */
export async function postStatus(hub: Hub, caller: Caller, input: PostInput, exchange: Exchange): Promise<Item> {
  const { idempotencyKey: key, bearer } = exchange;
  if (key.length > 255) throw invalid("Idempotency-Key is too long");
  const draft = await draftOf(hub, caller, input, exchange);
  if (key === "" || !bearer) return postItem(hub, caller.channel, draft);
  return postOnce(hub, caller.channel, draft, { tokenId: bearer.id, key });
}

async function draftOf(hub: Hub, caller: Caller, input: PostInput, { application }: Exchange): Promise<Draft> {
  refuseLater(input);
  const mediaIds = mediaIdsIn(input.media_ids ?? []);
  const poll = pollIn(hub, input.poll);
  if (poll && mediaIds.length > 0) throw invalid("A post has files or a poll");
  const body = input.status ?? "";
  if (body.trim() === "" && mediaIds.length === 0 && !poll) throw invalid("Text can't be blank");
  const lang = languageIn(input.language);
  const summary = input.spoiler_text ?? "";
  const parent = input.in_reply_to_id === undefined ? undefined : await parentOf(hub, caller, input.in_reply_to_id);
  return {
    body,
    mimetype: formatIn(input.content_type),
    title: input.title ?? "",
    summary,
    app: application,
    nsfw: input.sensitive ?? summary !== "",
    mediaIds,
    sharesFiles: true,
    ownNicks: true,
    allowEmpty: mediaIds.length > 0 || poll !== undefined,
    ...(poll && { poll }),
    ...(lang !== undefined && { lang }),
    ...(parent ? await answerTo(hub, caller, parent, body, input) : audienceOf(hub, caller, input)),
  };
}

function refuseLater({ scheduled_at }: PostInput): void {
  if (scheduled_at) throw invalid("Posts cannot be scheduled here yet");
}

async function parentOf(hub: Hub, { observer }: Caller, id: number): Promise<Item> {
  const parent = await findAnswerable(hub, observer, { id });
  if (parent.item_notshown === 1) throw missing("Item");
  return parent;
}

type Whom = Partial<Pick<Draft, "body" | "parent" | "audience" | "publicPolicy" | "unlisted" | "directTo">>;

/** An answer is for whom its thread is for, and for nobody else (mastodon contract 6.4). */
async function answerTo(
  hub: Hub,
  { observer }: Caller,
  parent: Item,
  body: string,
  { visibility = "", local_only }: PostInput,
): Promise<Whom> {
  const answer = { parent: { id: parent.id } };
  const isPublic = parent.item_private === 0;
  if (isPublic && (local_only || visibility === "local")) throw tooNarrow();
  if (visibility === "" || visibility === "public" || visibility === "local") return answer;
  if (visibility === "unlisted") return isPublic ? { ...answer, unlisted: true } : answer;
  if (visibility === "direct") {
    const details = (await loadStatusDetails(hub, observer, [parent.id])).get(parent.id);
    return details?.direct === 1 ? answer : apart(hub, parent, body);
  }
  if (visibility !== "private" && groupOf(visibility) === undefined) throw unknownVisibility();
  if (isPublic) throw tooNarrow();
  if (visibility === "private") return answer;
  throw invalid("Answers go to everybody in the thread");
}

function tooNarrow(): HubError {
  return invalid("This thread is public, and so are answers in it");
}

/** Who answers somebody alone begins a direct thread, which says what it is about. */
async function apart(hub: Hub, { author_id, plink }: Item, body: string): Promise<Whom> {
  const [author] = await findXchans(hub, [author_id]);
  const about = plink === "" || body.includes(plink) ? body : `${body}\n\n${plink}`;
  return { body: about, directTo: author ? [author.xchan_hash] : [] };
}

/** For whom a new thread is: never wider than asked (mastodon contract 6.2). */
function audienceOf(hub: Hub, { channel }: Caller, { visibility = "", local_only }: PostInput): Whom {
  const isLocal = visibility === "local" || (local_only && (visibility === "public" || visibility === "unlisted"));
  if (isLocal) return { audience: { ...nobody }, publicPolicy: `site: ${hub.config.host}` };
  if (visibility === "") return {};
  if (visibility === "public") return { audience: { ...nobody } };
  if (visibility === "unlisted") return { audience: { ...nobody }, unlisted: true };
  if (visibility === "direct") return { directTo: [] };
  if (visibility === "private") {
    const isRestricted = Object.values(defaultAudience(channel)).some((list) => list.length > 0);
    return isRestricted ? {} : { audience: { ...nobody }, publicPolicy: "contacts" };
  }
  const group = groupOf(visibility);
  if (group === undefined) throw unknownVisibility();
  return { audience: { ...nobody, allow_gid: [group] } };
}

function groupOf(visibility: string): string | undefined {
  return /^(?:list:)?([1-9]\d{0,14})$/.exec(visibility)?.[1];
}

function unknownVisibility(): HubError {
  return invalid("Visibility is not included in the list");
}
