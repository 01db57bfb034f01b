/** A hashtag, given without its sign, and where what has it is found. */
export function hashtagOf(tag: string, href: string): object {
  return { type: "Hashtag", href, name: `#${tag}` };
}
