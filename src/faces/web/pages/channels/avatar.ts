import { avatarOf } from "../../../../domain/photos/avatar.ts";
import type { AvatarSize } from "../../../../domain/photos/avatar.ts";
import { isKnownVersion } from "../../../../http/file-answer.ts";
import type { Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";

/** Profile photos: always public, the drawn one where there is none. */
export const avatarPages: Page[] = [{ path: "/photo/profile/:size{[lms]}/:id", access: "anybody", get: picture }];

async function picture(context: PageContext): Promise<Response> {
  const size = context.params["size"] as AvatarSize;
  const { bytes, mimetype, version } = await avatarOf(context.hub, idOf(context.params["id"]), size);
  const headers = {
    etag: `"${version}"`,
    // The address stays when the picture changes, so it is asked for again after a while.
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'",
    "x-request-id": context.id,
  };
  if (isKnownVersion(context.ifNoneMatch, headers.etag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers: { ...headers, "content-type": mimetype } });
}
