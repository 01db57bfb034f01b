import { createRequire } from "node:module";

type Guess = { lang: string; accuracy: number };
type Detector = { detectAll: (text: string) => Guess[] };

const shortest = 128;
/** Longer samples take longer and do not change the result. */
const longest = 300;
const sureEnough = 0.2;
const clearLead = 1.4;

let detector: Detector | undefined;

/** The language of a text as ISO 639-1 code, or '' when the text is short or the guess unsure. */
export function detectLanguage(plain: string): string {
  const sample = words(plain);
  if ([...sample].length < shortest) return "";
  // Its tables are only loaded when the first text needs them.
  detector ??= createRequire(import.meta.url)("tinyld/light") as Detector;
  const [first, second] = detector.detectAll(sample);
  if (first === undefined || first.accuracy < sureEnough) return "";
  return second === undefined || first.accuracy >= second.accuracy * clearLead ? first.lang : "";
}

/** Addresses, mentions and hashtags say nothing about the language. */
function words(plain: string): string {
  const sample = plain.slice(0, longest * 4).replace(/(?:https?:\/\/|[@#])\S+/g, " ");
  return sample.replace(/\s+/g, " ").trim().slice(0, longest).toWellFormed();
}
