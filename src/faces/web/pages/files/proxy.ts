import { findChannelById } from "../../../../domain/identity/channels/channels.ts";
import { channelShowing } from "../../../../domain/messages/visible-media.ts";
import { proxiedBy } from "../../../../domain/proxy/addresses.ts";
import { openEmoji } from "../../../../domain/proxy/emoji.ts";
import { openMedia } from "../../../../domain/proxy/open-media.ts";
import type { Media } from "../../../../domain/proxy/open-media.ts";
import { missing } from "../../../../errors.ts";
import { fileResponse } from "../../../../http/file-answer.ts";
import { rateLimits } from "../../../../http/rate-limits.ts";
import type { Page, PageContext } from "../../page.ts";
import { askedBy } from "../../parts/asked-by.ts";

/** Pictures, films and sounds of other sites, at our own addresses (federation contract 14). */
export const proxyPages: Page[] = [
  { path: "/proxy/:signature/:address", access: "anybody", get: media },
  { path: "/proxy/item/:item/:signature/:address", access: "anybody", get: mediaForSome },
  { path: "/proxy/emoji/:host/:code", access: "anybody", get: emoji },
];

/** What browsers may keep without asking again, in seconds. */
const lasting = 24 * 3600;

async function media(context: PageContext): Promise<Response> {
  const { hub, params, member } = context;
  countVisitor(context);
  const source = proxiedBy(hub, params);
  if (!source) throw missing("File");
  const found = await openMedia(hub, source, member?.channel);
  return found ? answer(context, found, member !== undefined) : notHad(context);
}

/** What an item or a message for some shows, for those who see that. */
async function mediaForSome(context: PageContext): Promise<Response> {
  const { hub, params } = context;
  countVisitor(context);
  const source = proxiedBy(hub, params);
  if (source?.shownIn === undefined) throw missing("File");
  const observer = await askedBy(context, params["signature"] ?? "");
  const holder = await channelShowing(hub, observer, source.shownIn);
  if (holder === undefined) throw missing("File");
  const viewer = observer.channelId > 0 ? await findChannelById(hub, holder) : undefined;
  const found = await openMedia(hub, source, viewer);
  return found ? answer(context, found, true) : notHad(context);
}

function notHad({ id }: PageContext): Response {
  return new Response(null, { status: 502, headers: { "x-request-id": id } });
}

async function emoji(context: PageContext): Promise<Response> {
  countVisitor(context);
  const { host = "", code = "" } = context.params;
  const found = await openEmoji(context.hub, host, code);
  if (!found) throw missing("File");
  return answer(context, found, context.member !== undefined);
}

function countVisitor({ hub, member, address }: PageContext): void {
  if (!member) rateLimits(hub).count("media", address);
}

function answer(context: PageContext, media: Media, isPrivate: boolean): Promise<Response> {
  const kept = isPrivate ? "private" : "public";
  return fileResponse(context, {
    ...media,
    isPublic: !isPrivate,
    headers: { "x-request-id": context.id, "cache-control": `${kept}, max-age=${lasting}` },
  });
}
