/** Rows as aligned columns with a heading, for people. */
export function table<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): string {
  const lines = [
    columns.map((column) => column.replaceAll("_", " ")),
    ...rows.map((row) => columns.map((column) => cell(row[column]))),
  ];
  const widths = columns.map((_, place) => Math.max(...lines.map((line) => line[place]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, place) => text.padEnd(widths[place]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
