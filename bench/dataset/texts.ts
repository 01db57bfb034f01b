import { prepareContent } from "../../src/domain/items/content.ts";
import type { Content } from "../../src/domain/items/content.ts";
import type { Hub } from "../../src/hub.ts";
import type { Person } from "./people.ts";
import type { Random } from "./random.ts";

const words = (
  "the a of and to in it that we they this with for on at by from up out over under after before about into through " +
  "garden bicycle morning bread river window letter music winter village kitchen street question answer story weather " +
  "mountain coffee library train summer island paper bridge forest market evening server photo walk friend neighbour " +
  "see find make bring think know want give tell ask work seem feel try leave call read write cook build repair plant " +
  "small large old new quiet bright slow early late warm cold open good strange simple green blue long short wide"
).split(" ");

const tags = "garden music bread winter photo selfhosting cycling books coffee trains".split(" ");

export type Texts = { plain: Content[]; /** Each mentions the same person at its beginning. */ mentioning: Content[] };

/** Some hundred bodies, prepared by the domain as those of a real post are: few are long, some have tags or links. */
export async function makeTexts(hub: Hub, author: Person, mentioned: Person, random: Random): Promise<Texts> {
  const prepare = (body: string) => prepareContent(hub, author.channel, { body });
  const texts: Texts = { plain: [], mentioning: [] };
  for (let n = 0; n < 400; n++) texts.plain.push(await prepare(makeBody(random)));
  for (let n = 0; n < 30; n++)
    texts.mentioning.push(await prepare(`@${mentioned.channel.channel_address} ${makeBody(random)}`));
  return texts;
}

function makeBody(random: Random): string {
  const paragraphs = 1 + random.longTail(0.4, 5);
  let body = Array.from({ length: paragraphs }, () => makeParagraph(random)).join("\n\n");
  if (random.chance(0.15)) body += ` #${random.pick(tags)}`;
  if (random.chance(0.1))
    body += ` [url=https://example.org/${random.pick(words)}]a page about ${random.pick(words)}[/url]`;
  if (random.chance(0.05)) body += `\n[quote]${makeParagraph(random)}[/quote]`;
  return body;
}

function makeParagraph(random: Random): string {
  return Array.from({ length: 1 + random.longTail(1.2, 8) }, () => makeSentence(random)).join(" ");
}

function makeSentence(random: Random): string {
  const text = Array.from({ length: 4 + random.below(14) }, () => random.pick(words)).join(" ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
