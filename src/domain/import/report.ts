/** What an import did, section by section. */

export type SectionReport = {
  found: number;
  imported: number;
  /** It was here already, and is no older here. */
  there: number;
  /** How many stayed behind, by reason: words, or a refusal as `keptForm` has it. */
  left: Record<string, Counted>;
  /** What is to be said of some that came over; absent when nothing is. */
  remarks?: Record<string, Counted>;
};

/** How many, with the first few of them. */
export type Counted = { count: number; examples: string[] };

export type Report = {
  sections: Record<string, SectionReport>;
  warnings: string[];
  /** Why the whole import was given up: words, or a refusal as `keptForm` has it. */
  failure?: string;
};

const mostExamples = 3;

/** A report with nothing in it. */
export function emptyReport(): Report {
  return { sections: {}, warnings: [] };
}

/**
 * What became of one record: taken over, maybe with something to be said about it, here already, or left behind for a
 * reason that people can read.
 */
export type Outcome = "imported" | "there" | { imported: string; example: string } | { left: string; example: string };

/** Did the record come over? */
export function isImported(outcome: Outcome): boolean {
  return outcome === "imported" || (typeof outcome === "object" && "imported" in outcome);
}

/** Notes what became of a record. */
export function note(report: Report, section: string, outcome: Outcome): void {
  const entry = sectionOf(report, section);
  entry.found += 1;
  if (isImported(outcome)) entry.imported += 1;
  if (outcome === "there") entry.there += 1;
  if (typeof outcome !== "object") return;
  if ("left" in outcome) count(entry.left, outcome.left, outcome.example);
  else remark(report, section, outcome.imported, outcome.example);
}

/** Names the records of an export that this hub has no place for, by kind and number. */
export function reportUnknown(report: Report, unknown: ReadonlyMap<string, number>): void {
  for (const [section, count] of unknown) {
    const entry = sectionOf(report, section);
    entry.found = count;
    entry.left = { "this hub has no place for it": { count, examples: [] } };
  }
}

/** Says something about a record that came over. */
export function remark(report: Report, section: string, sentence: string, example: string): void {
  count((sectionOf(report, section).remarks ??= {}), sentence, example);
}

function count(reasons: Record<string, Counted>, reason: string, example: string): void {
  const counted = (reasons[reason] ??= { count: 0, examples: [] });
  counted.count += 1;
  if (counted.examples.length < mostExamples && example !== "") counted.examples.push(plain(example));
}

/** Names come from the export, and reports go to terminals. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ").slice(0, 200);
}

/** The entry of a section, made when there is none. */
export function sectionOf(report: Report, section: string): SectionReport {
  return (report.sections[section] ??= { found: 0, imported: 0, there: 0, left: {} });
}

/** How many records stayed behind. */
export function leftBehind(entry: SectionReport): number {
  return Object.values(entry.left).reduce((sum, { count }) => sum + count, 0);
}

/** Says something about the import as a whole, once. */
export function warn(report: Report, sentence: string): void {
  if (!report.warnings.includes(sentence)) report.warnings.push(sentence);
}

/** Takes back what was said about the import as a whole. */
export function unwarn(report: Report, sentence: string): void {
  report.warnings = report.warnings.filter((one) => one !== sentence);
}

/** The report with words in place of the refusals that it keeps; `say` makes them. */
export function inWords({ sections, warnings, failure }: Report, say: (kept: string) => string): Report {
  const said = Object.entries(sections).map(([section, entry]) => {
    const left = Object.entries(entry.left).map(([kept, counted]) => [say(kept).replace(/\.$/, ""), counted] as const);
    return [section, { ...entry, left: Object.fromEntries(left) }] as const;
  });
  return {
    sections: Object.fromEntries(said),
    warnings,
    ...(failure !== undefined && { failure: say(failure) }),
  };
}
