import { proxiedBy } from "../../../../domain/proxy/addresses.ts";
import { openEmoji } from "../../../../domain/proxy/emoji.ts";
import { openMedia } from "../../../../domain/proxy/open-media.ts";
import type { Media } from "../../../../domain/proxy/open-media.ts";
import { missing } from "../../../../errors.ts";
import { fileResponse } from "../../../../http/file-answer.ts";
import { rateLimits } from "../../../../http/rate-limits.ts";
import type { Page, PageContext } from "../../page.ts";

/** Pictures, films and sounds of other sites, at our own addresses (federation contract 14). */
export const proxyPages: Page[] = [
  { path: "/proxy/:signature/:address", access: "anybody", get: media },
  { path: "/proxy/emoji/:host/:code", access: "anybody", get: emoji },
];

/** What browsers may keep without asking again, in seconds. */
const lasting = 24 * 3600;

async function media(context: PageContext): Promise<Response> {
  const { hub, params, member } = context;
  countVisitor(context);
  const signed = proxiedBy(hub, params["signature"] ?? "", params["address"] ?? "");
  if (!signed) throw missing("File");
  const found = await openMedia(hub, signed, member?.channel);
  if (!found) return new Response(null, { status: 502, headers: { "x-request-id": context.id } });
  return answer(context, found, member !== undefined || signed.keeping === "private");
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
