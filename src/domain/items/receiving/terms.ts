import type { Hub } from "../../../hub.ts";
import { plainLine } from "../../bodies/names.ts";
import { tagAddress } from "../content.ts";
import type { NewTerm } from "../content.ts";
import { termTypes } from "../vocabulary.ts";
import { peopleMentioned, unmatchedIn } from "./mentioned.ts";
import type { Unmatched } from "./mentioned.ts";
import type { ReceivedPost } from "./received.ts";

/** So many tags and names of one post are kept of each kind; people of this hub come first. */
const most = 100;
const longest = 255;

/**
 * The hashtags and mentions of a post. People who are known here are called by the names that they have here; of others it answers who
 * can be asked for.
 */
export async function termsOf(hub: Hub, post: ReceivedPost): Promise<{ terms: NewTerm[]; unmatched: Unmatched[] }> {
  const { hashtags, mentions } = post;
  const tags = [...new Set(hashtags.map((tag) => plainLine(tag, longest)).filter((tag) => tag !== ""))];
  const people = await peopleMentioned(hub, post);
  const named = mentions.map((mention) => {
    const { href, name } = mention;
    const known = people.get(mention);
    const term = plainLine(known?.name ?? (name || href), longest);
    return { ttype: termTypes.mention, term, url: known?.url ?? href, isHere: known?.isHere ?? false };
  });
  const here = [...named.filter(({ isHere }) => isHere), ...named.filter(({ isHere }) => !isHere)].slice(0, most);
  const terms = [
    ...here.map(({ ttype, term, url }) => ({ ttype, term, url })),
    ...tags.slice(0, most).map((term) => ({
      ttype: termTypes.hashtag,
      term,
      url: tagAddress(hub, term),
    })),
  ];
  return { terms, unmatched: unmatchedIn(hub, post, people) };
}
