import { writeElement, XmlText } from "../../../http/xml.ts";
import type { Element } from "../../../http/xml.ts";
import { contentOf, namespaces } from "../xml.ts";
import type { ListedPhotoObject, PhotoObject } from "./present-photo.ts";

const types: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
};

/** A photo in XML: `links` in place of `link`. */
export function photoXml(photo: PhotoObject): XmlText {
  return new XmlText(writeElement({ ...photoElement(photo), attributes: namespaces }));
}

/** The photos of an album. */
export function photosXml(photos: readonly PhotoObject[]): XmlText {
  const attributes = { ...namespaces, type: "array" };
  return new XmlText(writeElement({ name: "photos", attributes, children: photos.map(photoElement) }));
}

function photoElement({ link, data, ...fields }: PhotoObject): Element {
  const children: (Element | XmlText)[] = [new XmlText(contentOf("photo", fields))];
  if (link) children.push({ name: "links", attributes: { type: "array" }, children: fields.scales.map(linkElement) });
  if (data !== undefined) children.push({ name: "data", attributes: { encode: "base64" }, text: data });
  return { name: "photo", children };
}

function linkElement({ scale, link = "" }: PhotoObject["scales"][number]): Element {
  const extension = link.slice(link.lastIndexOf(".") + 1);
  return { name: "link", attributes: { type: types[extension] ?? "image/jpeg", scale: String(scale), href: link } };
}

/** The photo list in XML: attributes, and the thumbnail as text. */
export function photoListXml(photos: readonly ListedPhotoObject[]): Element {
  return {
    name: "photos",
    attributes: { type: "array" },
    children: photos.map(({ id, album, filename, type, thumb }) => ({
      name: "photo",
      attributes: { id, album, filename, type },
      text: thumb,
    })),
  };
}
