import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findAnswerable } from "../../../domain/items/media/photo-thread.ts";
import { readAddressLine } from "../../../domain/items/address-line.ts";
import { meetAddressed } from "../../../domain/items/posting/meet-mentioned.ts";
import { quoteWith } from "../../../domain/items/posting/quote.ts";
import { originalSeen } from "../../../domain/items/posting/reshares.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { postOnce } from "../../../domain/items/posting/post-once.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import type { Draft, Item } from "../../../domain/items/types.ts";
import { ownPreferences } from "../../../domain/people/appearance.ts";
import { missing } from "../../../errors.ts";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { storedMoment } from "../../../http/dates.ts";
import type { Exchange } from "../../../http/exchange.ts";
import {
  date,
  decidingNumber,
  invalid,
  objects,
  optionalFlag,
  optionalId,
  optionalTexts,
  text,
} from "../parameters.ts";
import { audienceInput, audienceOf, answerTo } from "./audience.ts";
import { answerMail, mailNamed } from "./mails.ts";
import { pollIn } from "./polls.ts";
import { dateToCome } from "./scheduled.ts";
import { checkLength, formatIn, languageIn, mediaIdsIn, quotersIn, titleIn } from "./post-input.ts";

export const postInput = z.object({
  status: text("What the post says; BBCode works."),
  media_ids: optionalTexts("Ids of up to 32 uploads."),
  poll: objects("A poll: `options`, `expires_in` in seconds, `multiple`."),
  language: text("Code of its language; left out, the caller's usual one, or what the text looks like."),
  quoted_status_id: optionalId("Id of a public post that it quotes."),
  quote_id: optionalId("The same under its older name."),
  in_reply_to_id: optionalId("Id of the post that it answers."),
  sensitive: optionalFlag("It is not for every eye; left out, as the caller has chosen for posts with files."),
  spoiler_text: text("A content warning."),
  ...audienceInput,
  scheduled_at: date("When to post it, with its zone: between 5 minutes and 5 years from now."),
  expires_in: decidingNumber("Expires in", "After so many seconds it is deleted, at least 3,600."),
  content_type: text("Format of the text; `text/bbcode` when left out."),
  title: text("Its title."),
  friendica: objects("The `title` where programs for Friendica put it."),
  quote_approval_policy: text(
    "Who may quote it, where everybody may see it: `public`, `followers` or `nobody`; left out, as the caller has chosen for all posts.",
  ),
});

type PostInput = z.output<typeof postInput>;

/** What posting has made. */
export type Made = { item: Item } | { mail: Mail };

/** Posts what an application has sent, or sends it to whom it answers by a message (mastodon contract 6 and 13.3). */
export async function postStatus(hub: Hub, caller: Caller, input: PostInput, exchange: Exchange): Promise<Made> {
  if (exchange.idempotencyKey.length > 255) throw invalid("Idempotency-Key is too long");
  const mail = input.in_reply_to_id === undefined ? undefined : mailNamed(input.in_reply_to_id);
  if (mail === undefined) return { item: await postIt(hub, caller, input, exchange) };
  if (input.poll || input.scheduled_at || input.quoted_status_id || input.quote_id)
    throw invalid("Not possible for this message");
  checkLength(hub, input.status);
  const said = { text: input.status ?? "", mediaIds: mediaIdsIn(input.media_ids ?? []) };
  return { mail: await answerMail(hub, caller, mail, said, exchange) };
}

async function postIt(hub: Hub, caller: Caller, input: PostInput, exchange: Exchange): Promise<Item> {
  const { idempotencyKey: key, bearer } = exchange;
  const draft = await draftOf(hub, caller, input, exchange);
  if (key === "" || !bearer) return postItem(hub, caller.channel, draft);
  return postOnce(hub, caller.channel, draft, { tokenId: bearer.id, key });
}

async function draftOf(hub: Hub, caller: Caller, input: PostInput, { application }: Exchange): Promise<Draft> {
  const created = input.scheduled_at === undefined ? undefined : dateToCome(hub, input.scheduled_at);
  if (created !== undefined && input.in_reply_to_id !== undefined) throw invalid("Scheduled at Answers cannot wait");
  const mediaIds = mediaIdsIn(input.media_ids ?? []);
  const wait = created === undefined ? 0 : storedMoment(created).getTime() - hub.clock().getTime();
  const poll = pollIn(hub, input.poll, wait);
  if (poll && mediaIds.length > 0) throw invalid("A post has files or a poll");
  const parent = input.in_reply_to_id === undefined ? undefined : await parentOf(hub, caller, input.in_reply_to_id);
  const addressed = await readAddressLine(hub, caller.channel, input.status ?? "");
  if (parent && addressed) throw invalid("Answers go to everybody in the thread");
  const typed = addressed ? addressed.text : (input.status ?? "");
  const text = { body: typed, mimetype: formatIn(input.content_type) };
  const { body, mimetype } = await withQuoted(hub, caller, input, text);
  if (body.trim() === "" && mediaIds.length === 0 && !poll) throw invalid("Text can't be blank");
  const usual = await ownPreferences(hub, caller.channel.channel_id);
  const lang = languageIn(input.language) ?? (usual.language || undefined);
  const summary = input.spoiler_text ?? "";
  checkLength(hub, input.status, summary);
  if (input.visibility === "direct") await meetAddressed(hub, caller.channel, { body, mimetype });
  const quoters = quotersIn(input.quote_approval_policy, "Quote approval policy");
  return {
    body,
    mimetype,
    title: titleIn(input) ?? "",
    summary,
    app: application,
    nsfw: input.sensitive ?? (summary !== "" || (usual.sensitive && mediaIds.length > 0)),
    mediaIds,
    sharesFiles: true,
    ownNicks: true,
    allowEmpty: mediaIds.length > 0 || poll !== undefined,
    ...(created !== undefined && { created, waits: true }),
    ...(input.expires_in !== undefined && { expires: expiryIn(hub, input.expires_in, wait) }),
    ...(poll && { poll }),
    ...(quoters && { quoters }),
    ...(lang !== undefined && { lang }),
    ...(parent ? await answerTo(hub, caller, parent, body, input) : await audienceOf(hub, caller, input, addressed)),
  };
}

type Text = Required<Pick<Draft, "body" | "mimetype">>;

async function withQuoted(hub: Hub, caller: Caller, input: PostInput, text: Text): Promise<Text> {
  const quoted = input.quoted_status_id ?? input.quote_id;
  if (quoted === undefined) return text;
  if (input.visibility === "direct") throw invalid("A direct post cannot quote another one");
  return quoteWith(hub, caller.channel, { id: quoted }, text);
}

const shortestLife = 3600;

/** When a post goes, so many seconds after it is published. Throws invalid. */
function expiryIn(hub: Hub, seconds: number, wait: number): string {
  if (seconds < shortestLife) throw invalid("Expires in is too soon");
  return momentIn(hub, wait + seconds * 1000);
}

async function parentOf(hub: Hub, { observer }: Caller, id: number): Promise<Item> {
  const parent = await findAnswerable(hub, observer, { id });
  if (parent.item_notshown === 1) throw missing("Item");
  return originalSeen(hub, observer, parent);
}
