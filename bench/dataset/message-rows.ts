import { termKey } from "../../src/domain/items/save.ts";
import { foundBy } from "../../src/domain/items/save.ts";
import { termTypes } from "../../src/domain/items/vocabulary.ts";
import { withValues } from "./example-rows.ts";
import type { Examples, ExampleRow } from "./example-rows.ts";
import type { Event } from "./history.ts";
import { stored } from "./moments.ts";
import type { Person } from "./people.ts";
import type { Texts } from "./texts.ts";

/** What rows are made from. */
export type Sources = { people: Person[]; texts: Texts; examples: Examples; baseUrl: string };

/** The message of an event and its terms. */
export function messageRow(event: Event, sources: Sources): { message: ExampleRow; terms: ExampleRow[] } {
  const { thread, target, kind } = event;
  const mid = midOf(event, sources);
  const created = stored(event.at);
  const example = sources.examples.messages.get(`${thread.audience} ${kind}`)!;
  const message = withValues(example, {
    id: event.id,
    mid,
    uuid: event.uuid,
    author_id: sources.people[event.author]!.channel.xchan_id,
    parent_mid: midOf(thread.top, sources),
    thr_parent: midOf(target ?? event, sources),
    created,
    edited: created,
    plink: mid,
    ...(kind === "like" ? likeContent(event, example, sources) : textContent(event, sources)),
  });
  if (kind === "like") return { message, terms: [] };
  const terms = termRows(event, sources);
  return { message: { ...message, words: foundBy(message as never, terms as never) }, terms };
}

function midOf(event: Event, { baseUrl }: Sources): string {
  return `${baseUrl}/item/${event.uuid}`;
}

function textOf(event: Event, { texts }: Sources) {
  const pool = event.mentions < 0 ? texts.plain : texts.mentioning;
  return pool[event.text % pool.length]!;
}

function textContent(event: Event, sources: Sources): ExampleRow {
  const { lang, ...text } = textOf(event, sources);
  const body = text.body + moreOf(event);
  const html = text.html + moreOf(event);
  const plain = text.plain + moreOf(event);
  if (event.mentions < 0) return { body, html, plain, lang };
  const mentioned = sources.people[event.mentions]!;
  const { owner } = sources.examples;
  const name = (text: string): string =>
    text.replaceAll(owner.url, mentioned.url).replaceAll(owner.name, mentioned.name);
  return { body: name(body), html: name(html), plain: name(plain), lang };
}

/** Words for those who search: all that is not public has the first one, and very little has the second one. */
export const closedWord = "behindthehedge";
export const rareWord = "zeppelin";

function moreOf({ thread, id }: Event): string {
  return (thread.audience === "public" ? "" : ` ${closedWord}`) + (id % 5000 === 7 ? ` ${rareWord}` : "");
}

/** "Ann likes Bob's post", with the people and the post of this like in place of the example's. */
function likeContent(event: Event, example: ExampleRow, sources: Sources): ExampleRow {
  const { people, examples } = sources;
  const target = event.target!;
  const actor = people[event.author]!;
  const writer = people[target.author]!;
  const link = midOf(target, sources);
  const named = (column: string): string =>
    String(example[column])
      .replaceAll(examples.owner.url, writer.url)
      .replaceAll(examples.owner.name, writer.name)
      .replaceAll(examples.other.url, actor.url)
      .replaceAll(examples.other.name, actor.name)
      .replaceAll(String(example["thr_parent"]), link);
  const content = textContent(target, sources)["body"]!;
  const created = stored(target.at);
  const object = JSON.parse(named("obj")) as Record<string, unknown>;
  return {
    body: named("body"),
    html: named("html"),
    plain: named("plain"),
    obj: JSON.stringify({
      ...object,
      parent: midOf(target.target ?? target, sources),
      content,
      created,
      edited: created,
    }),
  };
}

function termRows(event: Event, sources: Sources): ExampleRow[] {
  const terms = textOf(event, sources).terms.map((term) => {
    const example = sources.examples.terms.get(term.ttype);
    if (!example) throw new Error(`The examples have no term of the type ${term.ttype}`);
    return withValues(example, { ...term, message_id: event.id, term_key: termKey(term.term) });
  });
  if (event.mentions < 0) return terms;
  const { name, url } = sources.people[event.mentions]!;
  return terms.map((term) =>
    term["ttype"] === termTypes.mention ? { ...term, term: name, url, term_key: termKey(name) } : term,
  );
}
