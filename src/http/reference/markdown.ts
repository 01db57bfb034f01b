import type { Endpoint } from "../endpoint.ts";
import type { Face } from "../face.ts";
import { accessTo } from "./access.ts";
import { bareName, schemasOf } from "./answers.ts";
import { fieldsOf } from "./fields.ts";
import { bareType, describeParameters, fileMeaning, formatsShown, inBraces, typeOf } from "./parameters.ts";
import type { DescribedParameter, JsonSchema } from "./parameters.ts";

/** The reference of each face as Markdown, by file name below `docs/api`. */
export async function printDocs(faces: readonly Face[]): Promise<Record<string, string>> {
  const files = faces.map(async (face): Promise<[string, string]> => [`${face.name}.md`, await printFace(face)]);
  return Object.fromEntries(await Promise.all(files));
}

async function printFace(face: Face): Promise<string> {
  const title = `# The ${face.name} API\n\nPrinted from the endpoint tables by \`npm run docs\`; do not edit. What the endpoints answer stands [below](#answers).\n`;
  const schemas = await schemasOf(face);
  const areas = (await face.areas()).flatMap((area) => [
    `## ${area.title}\n`,
    ...area.rows.map((row) => printRow(face, row)),
  ]);
  const answers = Object.entries(schemas).map(([name, schema]) => printSchema(face, name, schema));
  return [title, ...areas, "## Answers\n", ...answers].join("\n");
}

function printRow(face: Face, row: Endpoint): string {
  const methods = row.methods === "*" ? "any method" : row.methods.join(", ");
  const [path = "", ...others] = face.paths(row).map((place) => inBraces(place.path));
  const formats = formatsShown(face, row);
  const facts = [
    `\`${path}\`${row.pathId ? ` or \`${path}/{${row.pathId}}\`` : ""}`,
    accessTo(row),
    ...(row.scope === undefined
      ? []
      : [
          `scope ${[row.scope]
            .flat()
            .map((scope) => `\`${scope}\``)
            .join(" or ")}`,
        ]),
    ...(row.permission ? [`an application needs \`${row.permission}\``] : []),
    ...(formats.length > 1 ? [formats.join(", ")] : []),
    ...(row.ownForm ? [bareType(row.ownForm.type)] : []),
  ];
  return [
    `### ${inBraces(row.path)} — ${methods}\n`,
    `${facts.join(" · ")}\n`,
    `${row.summary}\n`,
    `Answer: ${linked(row.answer)}.\n`,
    ...printParameters(describeParameters(row, face), row),
    ...(others.length > 0 ? [`Also: ${others.map((other) => `\`${other}\``).join(", ")}\n`] : []),
  ].join("\n");
}

function linked(answer: string): string {
  const names = answer.split(" | ").map((name) => {
    const [bare = "", list] = name.split("[");
    return `${list === undefined ? "" : "list of "}[${bare}](#${bare.toLowerCase()})`;
  });
  return names.join(", or ");
}

function printParameters(parameters: readonly DescribedParameter[], row: Endpoint): string[] {
  if (parameters.length === 0 && !row.files) return [];
  const lines = parameters.map(({ name, otherNames, schema, meaning, required }) => {
    const names = [name, ...otherNames].map((other) => `\`${other}\``).join(", ");
    const type = row.files?.includes(name) ? "file, or base64" : typeOf(schema);
    return `| ${names} | ${type} | ${required ? "yes" : "no"} | ${meaning} |`;
  });
  const isText = (name: string): boolean => parameters.some((parameter) => parameter.name === name);
  const files = (row.files ?? []).flatMap((name) =>
    isText(name) ? [] : [`| \`${name}\` | file | no | ${fileMeaning} |`],
  );
  return [["| Parameter | Type | Required | Meaning |", "|---|---|---|---|", ...lines, ...files].join("\n") + "\n"];
}

function printSchema(face: Face, name: string, schema: JsonSchema): string {
  const bare = bareName(face, name);
  const fields = fieldsOf(face, schema);
  const lines = fields.map((field) => `| \`${field.name}\` | ${field.type} | ${field.meaning} |`);
  return [
    `### ${bare}\n`,
    ...(fields.length > 0
      ? [["| Field | Type | Meaning |", "|---|---|---|", ...lines].join("\n") + "\n"]
      : [`${schema.description}\n`]),
  ].join("\n");
}
