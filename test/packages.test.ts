import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutTypes, writeDist, writeTypes } from "../packaging/dist.ts";
import type { WholeGroup } from "../src/cli/command.ts";
import { settings } from "../src/config/settings.ts";

/** What is given to those who do not work on the program: it runs below node_modules, and tells shells and `man` of itself. */

const root = resolve(import.meta.dirname, "..");
const place = mkdtempSync(join(tmpdir(), "hubbub-test-"));
const installed = join(place, "node_modules", "hubbub-social");

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  for (const name of ["bin", "package.json"]) cpSync(join(root, name), join(installed, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  writeDist(join(installed, "dist"));
  writeTypes(join(installed, "dist"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test("modules find each other without their types", () => {
  expect(withoutTypes('import type { A } from "./a.ts";\nimport { b } from "./b.ts";\nexport const c: A = b;\n')).toBe(
    `${" ".repeat(32)}\nimport { b } from "./b.js";\nexport const c    = b;\n`,
  );
  const strange = globSync("dist/**/*.js", { cwd: installed }).filter((file) =>
    /(?:from|import|URL)\s*\(?\s*"[^"]+\.ts"/.test(readFileSync(join(installed, file), "utf8")),
  );
  expect(strange).toEqual([]);
});

test("installed, it makes an account with what its threads compute", () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(installed, "bin", "hubbub.js"), ...args, "--json"], {
      env: { PATH: process.env["PATH"], HUBBUB_DATA: join(place, "data"), HUBBUB_LOG_LEVEL: "off" },
      encoding: "utf8",
    });
  const made = run(..."account create --email a@example.org --password long-enough --nick anna --name Anna".split(" "));
  expect(JSON.parse(made)).toMatchObject({ nick: "anna" });
});

/** A module of somebody else's package: with the tools of the example, and two mistakes that must not pass. */
const ownModule = `import { interfaceVersion } from "hubbub-social/extension";
import type { Extension, Json, PageTools, Tools } from "hubbub-social/extension";

async function greet({ html, reader, cards, posts, channel }: PageTools) {
  const wall = await channel("alma");
  if (!wall) return undefined;
  const since: Date = (await posts(reader, wall, { count: 1 })).at(0)?.written ?? new Date(0);
  return { title: "Hello", main: html\`<p>\${wall.name} \${since} \${await cards([])}</p>\` };
}

async function remind(tools: Tools, payload: Json): Promise<void> {
  await tools.together((inside) => inside.addJob("remind", payload, { key: "once" }));
  // @ts-expect-error: there is no such audience
  if (payload === 1) await tools.post((await tools.channel("alma"))!, { text: "", for: "friends" });
}

export default {
  interface: interfaceVersion,
  name: "greeting",
  summary: "says hello",
  pages: [{ path: "", access: "anybody", menu: "Hello", get: greet }],
  jobs: [{ name: "remind", every: 3600, run: remind }],
  themes: [{ name: "plain", label: "Plain", light: { "--bg": "#ffffff" }, dark: {} }],
} satisfies Extension;

// @ts-expect-error: an extension says what it does
export const nameless: Extension = { interface: interfaceVersion, name: "nameless" };
`;

test("a package of somebody else's compiles against the types of extensions, and its module runs", () => {
  const own = join(place, "greeting");
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), '{ "type": "module" }');
  writeFileSync(join(own, "greeting.ts"), ownModule);
  const settings = "--ignoreConfig --noEmit --strict --module nodenext --target esnext --types";
  const compile = [join(root, "node_modules/.bin/tsc"), ...settings.split(" "), "", "greeting.ts"] as const;
  expect(run(compile[0], compile.slice(1), own)).toBe("");
  const script =
    'const { default: found } = await import("./greeting.ts"); process.stdout.write(JSON.stringify(found));';
  expect(JSON.parse(run(process.execPath, ["--input-type=module", "-e", script], own))).toMatchObject({ interface: 1 });
});

/** What a program prints, whether it ends well or not. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  return stdout + stderr;
}

/** What the installed program says of itself; loading all commands there takes a tenth of what it takes in a test. */
function said(): { groups: WholeGroup[]; page: string; bash: string; fish: string } {
  const script = `const load = (name) => import("${installed}/dist/cli/" + name + ".js");
    const [{ allGroups }, { manualPage }, { completions }] = await Promise.all(["commands", "man", "completion"].map(load));
    const groups = await allGroups();
    const [page, bash, fish] = [manualPage(groups), completions.bash(groups), completions.fish(groups)];
    process.stdout.write(JSON.stringify({ groups, page, bash, fish }));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return JSON.parse(text) as ReturnType<typeof said>;
}

test("manual page and completions name every command, option and setting, and bash completes them", () => {
  const { groups, page, bash, fish } = said();
  for (const { name } of settings) expect(page).toContain(`.B ${name}\n`);
  for (const row of groups.flatMap(({ commands }) => commands)) {
    expect(page).toContain(`.B hubbub ${row.name.replaceAll("-", "\\-")}`);
    for (const option of Object.keys(row.options ?? {})) {
      expect(bash).toMatch(new RegExp(`"${row.name} "\\*\\) words="[^"]*--${option}\\b`));
      expect(fish).toContain(` -l ${option}`);
    }
  }
  const asked = ["hubbub acc", "hubbub account cr", "hubbub account create --em"];
  const calls = asked.map(
    (words) => `COMP_WORDS=(${words}); COMP_CWORD=${words.split(" ").length - 1}; _hubbub; echo "\${COMPREPLY[*]}"`,
  );
  const completed = execFileSync("bash", ["-c", `${bash}\n${calls.join("\n")}`], { encoding: "utf8" });
  expect(completed).toBe("account\ncreate\n--email\n");
});
