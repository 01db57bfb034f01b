import { HubError } from "../../../errors.ts";
import type { Arrival } from "../../../http/arrival.ts";
import { readAll, streamOf } from "../../../http/body.ts";
import { tooLarge, unreadable, unsupported } from "../../../http/refusals.ts";

const mostBytes = 1024 * 1024;
/** Nobody takes longer for so little, in milliseconds. */
const longest = 30_000;

const types = /^application\/(activity\+json|ld\+json|json)\s*(;|$)/i;

/**
 * The body of a delivery as it came: signatures cover these very bytes, so nothing is unpacked (federation contract 2.1).
 * Throws unsupported, too-large, and invalid for one that does not come, or not in time.
 */
export async function readBytes(arrival: Arrival): Promise<Buffer> {
  const { headers } = arrival.request;
  if (!types.test(headers.get("content-type") ?? "")) throw unsupported("Activities are JSON");
  if (!/^(identity)?$/i.test(headers.get("content-encoding") ?? ""))
    throw unsupported("Packed activities are not read");
  const announced = Number(headers.get("content-length") ?? 0);
  if (announced > mostBytes) throw tooLarge(mostBytes, announced);
  const stream = streamOf(arrival);
  if (!stream) throw unreadable("There is no body");
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timeout = setTimeout(() => reject(new HubError("invalid", "The body takes too long")), longest);
  try {
    return await Promise.race([readAll(stream, mostBytes), late]);
  } finally {
    clearTimeout(timeout);
  }
}
