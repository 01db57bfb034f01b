import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";
import { allGroups } from "../src/cli/commands.ts";
import { completions } from "../src/cli/completion.ts";
import { manualPage } from "../src/cli/man.ts";

/** Writes the program without its types, as packages need it: below node_modules Node reads no TypeScript. */

const root = resolve(import.meta.dirname, "..");

/** What only tests, tools and editors read. */
const leftOut = ["**/*.test.ts", "**/*.d.ts", "**/*.sql", "**/tsconfig.json", "**/*.md"];

/** What names a module: an import, or the address of one that a thread begins with. */
const names = /(\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)"([^"\n]+)\.ts"/g;

/** Lines stay where they are, so what an error says of its place holds for the sources. */
export function withoutTypes(text: string): string {
  return stripTypeScriptTypes(text).replaceAll(names, '$1"$2.js"');
}

/** Writes all of `src` to the folder, in place of what is there. */
export function writeDist(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const source = join(root, "src");
  for (const entry of globSync("**/*", { cwd: source, withFileTypes: true, exclude: leftOut })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(folder, from.slice(source.length));
    mkdirSync(dirname(to), { recursive: true });
    if (entry.name.endsWith(".ts")) writeFileSync(to.replace(/\.ts$/, ".js"), withoutTypes(readFileSync(from, "utf8")));
    else cpSync(from, to);
  }
}

/** Writes the types of the one module that others may import (docs/extensions.md). */
export function writeTypes(folder: string): void {
  const settings =
    "--ignoreConfig --declaration --emitDeclarationOnly --module nodenext --target esnext --types node --skipLibCheck";
  const outDir = join(folder, "extensions");
  execFileSync(
    join(root, "node_modules/.bin/tsc"),
    [...settings.split(" "), "--outDir", outDir, join(root, "src/extensions/extension.ts")],
    { cwd: root },
  );
}

/** What shells and `man` read, made of what the commands say of themselves. */
async function writeManuals(folder: string): Promise<void> {
  const groups = await allGroups();
  writeFileSync(join(folder, "hubbub.1"), manualPage(groups));
  for (const [shell, script] of Object.entries(completions))
    writeFileSync(join(folder, `hubbub.${shell}`), script(groups));
}

if (import.meta.main) {
  const folder = join(root, "dist");
  writeDist(folder);
  writeTypes(folder);
  await writeManuals(folder);
}
