/** So many bytes may stand before the place where a page says in which charset it is. */
const prelude = 2048;

/**
 * The text of a page, in the charset that its mark, its header or the page itself names; where none of them does, or nobody knows the
 * name, in UTF-8 if it is that, else as most old pages are. Never throws.
 */
export function pageText(bytes: Buffer, contentType: string): string {
  const named = markOf(bytes) ?? /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? namedInside(bytes);
  const decoder = decoderOf(named);
  if (decoder) return decoder.decode(bytes);
  try {
    // The last character may have been cut in two.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

function namedInside(bytes: Buffer): string | undefined {
  const name = /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w:.-]+)/i.exec(bytes.toString("latin1", 0, prelude))?.[1];
  // A page in which that could be read is not in UTF-16.
  return name !== undefined && /^utf-?16/i.test(name) ? "utf-8" : name;
}

function decoderOf(name: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return name === undefined ? undefined : new TextDecoder(name);
  } catch {
    return undefined;
  }
}
