/** Exports of other programs, as they begin; each with what people call it. */
const formats: readonly [begins: RegExp, name: string][] = [
  [/^PK\x03\x04[^]*(?:outbox|actor)\.json/, "an archive of Mastodon (ZIP)"],
  [/^PK\x03\x04[^]*(?:data\/[\w-]+\.js|Your archive\.html)/, "an archive of Twitter (ZIP)"],
  [/^PK\x03\x04/, "a ZIP archive"],
  [/^(?:Account address|#domain|#uri|List name)\b[^\n]*|^[^\s,;"]+@[\w.-]+,(?:true|false)/i, "a CSV list of Mastodon"],
  [/^\s*window\.YTD\./, "a part of an archive of Twitter"],
  [/^\s*<(?:\?xml|!--|rss)[^]*(?:wordpress\.org\/export|generator="WordPress)/i, "an export of WordPress (WXR)"],
  [/^\s*\{[^]*"@context"[^]*(?:activitystreams|orderedItems)/, "a part of an archive of Mastodon"],
  [/^\s*\{(?=[^]*"baseurl")(?=[^]*"(?:schema|user|contact)")(?![^]*"compatibility")/, "an export of Friendica"],
  [/^\s*</, "XML or HTML"],
];

/** What the file is, if it is known to be the export of another program; `start` is how it begins. */
export function foreignFormat(start: Buffer): string | undefined {
  const text = start.toString("latin1").replace(/^\xef\xbb\xbf/, "");
  return formats.find(([begins]) => begins.test(text))?.[1];
}

/** The same of an archive, by the name of one of its entries. */
export function foreignArchive(name: string): string | undefined {
  return /(?:^|\/)(?:outbox|actor)\.json$/.test(name) ? "an archive of Mastodon" : undefined;
}
