import { leftBehind } from "../domain/import/report.ts";
import type { Counted } from "../domain/import/report.ts";
import type { ImportAnswer } from "./channel-import.ts";
import { table } from "./table.ts";

/** What an import did, for the operator: a line for each section, and what stayed behind with the reasons. */
export function reportText({ nick, dry_run, report }: ImportAnswer): string {
  const rows = Object.entries(report.sections).map(([section, entry]) => ({
    section,
    found: entry.found,
    imported: entry.imported,
    here_before: entry.there,
    left_out: leftBehind(entry),
  }));
  const reasons = Object.entries(report.sections).flatMap(([section, { remarks = {}, left }]) => [
    ...Object.entries(remarks).flatMap(([words, found]) => lines(section, words, found)),
    ...Object.entries(left).flatMap(([words, found]) => lines(section, `left out because ${words}`, found)),
  ]);
  const ending = dry_run ? "Nothing was written." : `Channel ${nick} is here.`;
  return [
    table(rows, ["section", "found", "imported", "here_before", "left_out"]),
    ...report.warnings,
    ...reasons,
    report.failure ?? ending,
  ].join("\n");
}

function lines(section: string, words: string, { count, examples }: Counted): string[] {
  return [`${section}: ${count} ${words}`, ...examples.map((example) => `    ${example}`)];
}
