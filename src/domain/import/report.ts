/** What an import did, section by section. */

export type SectionReport = {
  found: number;
  imported: number;
  /** It was here already, and is no older here. */
  there: number;
  /** How many stayed behind, by reason, with the first few of them. */
  left: Record<string, { count: number; examples: string[] }>;
};

export type Report = {
  sections: Record<string, SectionReport>;
  warnings: string[];
  /** Why the whole import was given up. */
  failure?: string;
};

const mostExamples = 3;

/** A report with nothing in it. */
export function emptyReport(): Report {
  return { sections: {}, warnings: [] };
}

/** What became of one record: taken over, here already, or left behind for a reason that people can read. */
export type Outcome = "imported" | "there" | { left: string; example: string };

/** Notes what became of a record. */
export function note(report: Report, section: string, outcome: Outcome): void {
  const entry = sectionOf(report, section);
  entry.found += 1;
  if (outcome === "imported") entry.imported += 1;
  else if (outcome === "there") entry.there += 1;
  else leave(entry, outcome);
}

function leave(entry: SectionReport, { left, example }: { left: string; example: string }): void {
  const reason = (entry.left[left] ??= { count: 0, examples: [] });
  reason.count += 1;
  if (reason.examples.length < mostExamples && example !== "") reason.examples.push(plain(example));
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
