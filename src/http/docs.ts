import { describeParameters } from "./describe.ts";
import type { DescribedParameter } from "./describe.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Face } from "./face.ts";

/** The reference of each face as Markdown, by file name below `docs/api`. */
export function printDocs(faces: readonly Face[]): Record<string, string> {
  return Object.fromEntries(faces.map((face) => [`${face.name}.md`, printFace(face)]));
}

function printFace(face: Face): string {
  const title = `# The ${face.name} API\n\nPrinted from the endpoint tables by \`npm run docs\`; do not edit.\n`;
  return [title, ...face.rows.map((row) => printRow(face, row))].join("\n");
}

function printRow(face: Face, row: Endpoint): string {
  const methods = row.methods === "*" ? "any method" : row.methods.join(", ");
  const others = face.places(row).slice(1);
  const facts = [
    `\`${face.places(row)[0]?.path}\`${row.pathId ? ` · path id: \`${row.pathId}\`` : ""}`,
    row.access === "public" ? "no login needed" : "needs a login",
    ...(row.permission ? [`an application needs \`${row.permission}\``] : []),
    ...((row.formats ?? face.formats).length > 1 ? [(row.formats ?? face.formats).join(", ")] : []),
  ];
  return [
    `## ${row.path} — ${methods}\n`,
    `${facts.join(" · ")}\n`,
    `${row.summary}\n`,
    ...(row.answer ? [`Answer: ${row.answer}.\n`] : []),
    ...printParameters(describeParameters(row, face), row),
    ...(others.length > 0 ? [`Also: ${others.map((place) => `\`${place.path}\``).join(", ")}\n`] : []),
  ].join("\n");
}

function printParameters(parameters: readonly DescribedParameter[], row: Endpoint): string[] {
  if (parameters.length === 0 && !row.files) return [];
  const lines = parameters.map(({ name, otherNames, schema, required }) => {
    const names = [name, ...otherNames].map((other) => `\`${other}\``).join(", ");
    return `| ${names} | ${typeOf(schema)} | ${required ? "yes" : "no"} |`;
  });
  const files = (row.files ?? []).map((name) => `| \`${name}\` | file | no |`);
  return [["| Parameter | Type | Required |", "|---|---|---|", ...lines, ...files].join("\n") + "\n"];
}

function typeOf(schema: Record<string, unknown>): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => `\`${String(value)}\``).join(", ");
  if (schema["format"] === "date-time") return "date";
  const { type } = schema;
  if (type === "array") return "list";
  return typeof type === "string" ? type : "text";
}
