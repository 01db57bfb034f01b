import { HubError } from "../../errors.ts";
import { Fields } from "./fields.ts";

const kinds = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Reads the form of a request; nothing is kept of one that is over the limit. Throws too-large, unsupported, invalid. */
export async function readForm(request: Request, most: number): Promise<Fields> {
  const type = request.headers.get("content-type") ?? "";
  if (!kinds.test(type)) throw new HubError("unsupported", "This page takes forms only.");
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge(most);
  const bytes = await readAll(request, most);
  try {
    const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
    return new Fields(form.entries());
  } catch (cause) {
    throw new HubError("invalid", "This form cannot be read.", { cause });
  }
}

async function readAll(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | undefined = request.body ?? undefined;
  if (!body) return new Uint8Array();
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(most: number): HubError {
  return new HubError("too-large", `That is more than ${Math.floor(most / 1024)} kB, the most that this page takes.`);
}
