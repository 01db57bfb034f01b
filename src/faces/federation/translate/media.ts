import type { Node } from "./node.ts";

/** One address of something, with what is known of what is there. */
export type Link = {
  href: string;
  mediaType: string | undefined;
  rel: string | undefined;
  width: number | undefined;
  height: number | undefined;
};

/** A picture, film, sound or file, or a link to a page. */
export type Media = {
  type: string;
  links: Link[];
  /** What is said for those who do not see it. */
  description: string | undefined;
  width: number | undefined;
  height: number | undefined;
  blurhash: string | undefined;
  /** What its bytes are known by, as it came. */
  digest?: string | undefined;
  /** The point that stays in sight where it is cropped, from -1 to 1 across and up. */
  focus?: readonly [number, number] | undefined;
  /** Of a link to a page, what it is about. */
  page?: PageWords | undefined;
};

/** What somebody says of a page, with a picture of it. */
export type PageWords = { title: string; description: string; language: string; picture: Media | undefined };

/** The links of a property: addresses by themselves, and links with more about them. */
export function linksOf(node: Node, property: string): Link[] {
  return node.members(property).flatMap((member) => {
    const href = typeof member === "string" ? member : (member.address ?? member.id);
    if (href === undefined) return [];
    if (typeof member === "string")
      return [{ href, mediaType: undefined, rel: undefined, width: undefined, height: undefined }];
    return [{ href, mediaType: member.text("mediaType"), rel: member.text("rel"), ...sizeOf(member) }];
  });
}

/** What a property shows or attaches; without an address it is not there. */
export function mediaOf(node: Node, property: string): Media[] {
  return node.members(property).flatMap((member) => {
    if (typeof member !== "string") return readMedia(member);
    const link = { href: member, mediaType: undefined, rel: undefined, width: undefined, height: undefined };
    return [{ type: "Link", links: [link], description: undefined, ...none }];
  });
}

const none = { width: undefined, height: undefined, blurhash: undefined };

function readMedia(node: Node): Media[] {
  const own = node.address;
  const links = own === undefined ? linksOf(node, "url") : linksOf(node, "href");
  if (links.length === 0) return [];
  // What is said of the file beside its address holds for an address that says nothing itself.
  const mediaType = node.text("mediaType");
  return [
    {
      type: node.types[0] ?? "Document",
      links: links.map((link) => ({ ...link, mediaType: link.mediaType ?? mediaType })),
      description: node.text("name") ?? node.text("summary"),
      blurhash: node.text("blurhash"),
      digest: node.text("digestMultibase"),
      focus: focusOf(node),
      page: pageOf(node),
      ...sizeOf(node),
    },
  ];
}

function pageOf(node: Node): PageWords | undefined {
  const title = node.text("name");
  if (!node.types.includes("Link") || title === undefined) return undefined;
  const [picture] = ["preview", "image", "icon"].flatMap((property) => mediaOf(node, property));
  return { title, description: node.text("summary") ?? "", language: node.text("hreflang") ?? "", picture };
}

function focusOf(node: Node): readonly [number, number] | undefined {
  const [x, y] = node.numbers("focalPoint");
  return x === undefined || y === undefined ? undefined : [x, y];
}

function sizeOf(node: Node): { width: number | undefined; height: number | undefined } {
  return { width: node.number("width"), height: node.number("height") };
}
