import { describeParameters, formatsOf } from "./describe.ts";
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
  const path = face.places(row)[0]?.path;
  const formats = formatsOf(face, row);
  const facts = [
    `\`${path}\`${row.pathId ? ` or \`${path}/{${row.pathId}}\`` : ""}`,
    accessTo(row),
    ...(row.permission ? [`an application needs \`${row.permission}\``] : []),
    ...(formats.length > 1 ? [formats.join(", ")] : []),
    ...(row.ownForm ? [row.ownForm.type.split(";")[0]!] : []),
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

function accessTo(row: Endpoint): string {
  if (row.givesToken) return "signed by an application";
  if (row.access === "public") return "no login needed";
  return row.ownPassword ? "needs the account's own password" : "needs a login";
}

function printParameters(parameters: readonly DescribedParameter[], row: Endpoint): string[] {
  if (parameters.length === 0 && !row.files) return [];
  const lines = parameters.map(({ name, otherNames, schema, required }) => {
    const names = [name, ...otherNames].map((other) => `\`${other}\``).join(", ");
    const type = row.files?.includes(name) ? "file, or base64" : typeOf(schema);
    return `| ${names} | ${type} | ${required ? "yes" : "no"} | ${String(schema["description"])} |`;
  });
  const isText = (name: string): boolean => parameters.some((parameter) => parameter.name === name);
  const files = (row.files ?? []).flatMap((name) => (isText(name) ? [] : [`| \`${name}\` | file | no | A file. |`]));
  return [["| Parameter | Type | Required | Meaning |", "|---|---|---|---|", ...lines, ...files].join("\n") + "\n"];
}

function typeOf(schema: Record<string, unknown>): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => `\`${String(value)}\``).join(", ");
  if (schema["format"] === "moment") return "date";
  const { type } = schema;
  if (type === "array") return "list";
  return typeof type === "string" ? type : "text";
}
