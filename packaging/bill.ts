import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Writes what the program is made of: a bill of materials (CycloneDX), and the licences of all packages in it with their texts. */

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "dist");

type Component = {
  name: string;
  version: string;
  scope?: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
};

const bill = execFileSync("npm", ["sbom", "--workspaces=false", "--omit=dev", "--sbom-format=cyclonedx"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
  stdio: ["ignore", "pipe", "ignore"],
});
const { components } = JSON.parse(bill) as { components: Component[] };
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "bill-of-materials.json"), bill);
writeFileSync(join(folder, "licences.txt"), components.map(entry).join(`\n${"=".repeat(78)}\n\n`));
const without = components.filter((one) => licenceOf(one) === "");
process.stdout.write(`${components.length} packages: dist/bill-of-materials.json, dist/licences.txt\n`);
for (const { name, version } of without) process.stdout.write(`${name} ${version} does not say its licence\n`);

function entry(component: Component): string {
  const { name, version } = component;
  return `${name} ${version}\n${licenceOf(component) || "see the text"}\n\n${textOf(name) || "The package has no text of its licence."}\n`;
}

function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "").join(", ");
}

/** Packages for other systems are named in the bill, and not here. */
function textOf(name: string): string {
  const place = join(root, "node_modules", name);
  try {
    const files = readdirSync(place).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    return files.map((file) => readFileSync(join(place, file), "utf8").trim()).join("\n\n");
  } catch {
    return "";
  }
}
