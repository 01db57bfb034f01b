import { proxiedBy } from "../../../../domain/proxy/addresses.ts";
import { openMedia } from "../../../../domain/proxy/open-media.ts";
import { missing } from "../../../../errors.ts";
import { fileResponse } from "../../../../http/file-answer.ts";
import { rateLimits } from "../../../../http/rate-limits.ts";
import type { Page, PageContext } from "../../page.ts";

/** Pictures, films and sounds of other sites, at our own addresses (federation contract 14). */
export const proxyPages: Page[] = [{ path: "/proxy/:signature/:address", access: "anybody", get: media }];

/** What browsers may keep without asking again, in seconds. */
const lasting = 24 * 3600;

async function media(context: PageContext): Promise<Response> {
  const { hub, params, member } = context;
  if (!member) rateLimits(hub).count("media", context.address);
  const signed = proxiedBy(hub, params["signature"] ?? "", params["address"] ?? "");
  if (!signed) throw missing("File");
  const found = await openMedia(hub, signed, { mayFetch: member !== undefined });
  if (!found) return new Response(null, { status: 502, headers: { "x-request-id": context.id } });
  return fileResponse(context, {
    ...found,
    isPublic: !member,
    headers: { "x-request-id": context.id, "cache-control": `${member ? "private" : "public"}, max-age=${lasting}` },
  });
}
