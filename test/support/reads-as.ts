import type { Answer, Client } from "./client.ts";
import { cavageRequest } from "./signed-requests.ts";

/** Reads a document as somebody elsewhere, whose main key is Ann's of the signed requests. */
export function readsAs(
  client: Client,
  path: string,
  actorId: string,
  accept = "application/activity+json",
): Promise<Answer> {
  const { rawHeaders } = cavageRequest({
    method: "GET",
    target: path,
    parameters: { keyId: `"${actorId}#main-key"` },
    headers: { Accept: accept },
  });
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]!]] : []));
  return client.get(path, {}, { headers: Object.fromEntries(pairs) as Record<string, string> });
}
