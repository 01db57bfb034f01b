import { escapeXml } from "../../../http/xml.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument, textDocument } from "../document.ts";

/** Where people are looked up (RFC 6415), for those who still ask. */
export const hostMeta: readonly Address[] = [
  { path: "/.well-known/host-meta", open: true, forAll: true, get: xml },
  {
    path: "/.well-known/host-meta.json",
    open: true,
    forAll: true,
    get: (question) => jsonDocument({ links: [linkOf(question)] }, "application/jrd+json"),
  },
];

function linkOf({ hub }: Question) {
  const template = `${hub.config.baseUrl}/.well-known/webfinger?resource={uri}`;
  return { rel: "lrdd", type: "application/jrd+json", template };
}

function xml(question: Question) {
  const { rel, type, template } = linkOf(question);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="${rel}" type="${type}" template="${escapeXml(template)}"/>
</XRD>
`;
  return textDocument(text, "application/xrd+xml; charset=utf-8");
}
