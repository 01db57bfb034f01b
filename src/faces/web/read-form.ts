import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Arrival } from "../../http/arrival.ts";
import { mediaType, readAll, streamOf } from "../../http/body.ts";
import { readMultipart } from "../../http/multipart.ts";
import type { Form } from "../../http/multipart.ts";
import { tooManyParameters } from "../../http/refusals.ts";
import { Fields } from "./fields.ts";

/** More than any honest form has. */
const mostFields = 10_000;

/**
 * Reads the form of a request; parts of the names in `fileNames` are staged in the blob store, those in
 * `dropped` are not kept. Nothing is kept of a form that is over the limits; what had come of its texts is in `texts`.
 * Throws too-large, unsupported, invalid.
 */
export async function readForm(
  hub: Hub,
  arrival: Arrival,
  fileNames: readonly string[],
  { dropped = [], texts = [] }: { dropped?: readonly string[] | undefined; texts?: Form["texts"] } = {},
): Promise<Fields> {
  const stream = streamOf(arrival);
  if (!stream) return new Fields();
  const contentType = arrival.request.headers.get("content-type") ?? "";
  switch (mediaType(contentType)) {
    case "application/x-www-form-urlencoded":
      return new Fields(pairsOf((await readAll(stream, hub.config.limits.request)).toString()));
    case "multipart/form-data": {
      const { files } = await readMultipart(hub, stream, contentType, fileNames, undefined, { dropped, texts });
      return fieldsOf(texts, files);
    }
    default:
      throw refusal("not_a_form");
  }
}

/** What texts of a form say. */
export function fieldsOf(texts: Form["texts"], files: Form["files"] = []): Fields {
  return new Fields(
    texts.map(({ name, bytes }) => [name, bytes.toString()] as const),
    files,
  );
}

function pairsOf(text: string): URLSearchParams {
  if (text.split("&", mostFields + 1).length > mostFields) throw tooManyParameters();
  return new URLSearchParams(text);
}
