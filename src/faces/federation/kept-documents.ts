import { placeOf, shelf } from "../../http/kept-answers.ts";
import { watched } from "../../lasting.ts";
import type { Address, Question } from "./address.ts";
import type { Document } from "./document.ts";

const mostBytes = 64 * 1024;

export const shelves = shelf<Document>(8 * 1024 * 1024);

/**
 * The document of an address. Where it follows from address, database and moment alone (`kept` in its row) and nobody had to ask
 * who reads it, it is kept for all who ask the same until something is committed (decisions 34 and 57). Where all have to sign, who
 * reads it matters for everything.
 */
export async function documentAt(address: Address, question: Question, target: string): Promise<Document> {
  const { hub, forSigners } = question;
  const place = address.kept && !forSigners && (await placeOf(hub, shelves, target, hub.clock().getTime()));
  if (!place) return address.get(question);
  if (place.known) return place.known;
  let until = Infinity;
  const lasts = (end: number): void => void (until = Math.min(until, end));
  const observer: Question["observer"] = () => {
    lasts(0);
    return question.observer();
  };
  const document = await address.get({ ...question, hub: watched(hub, lasts), observer });
  if (document.bytes.length <= mostBytes) await place.keep(document, until);
  return document;
}
