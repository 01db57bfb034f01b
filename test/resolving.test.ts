import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Where modules of packages are is told by their names (bin/resolving.js, which these workers begin with as well). */

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hubbub-resolving-"));
  mkdirSync(join(folder, "older"));
  for (const [name, text] of Object.entries({
    "package.json": '{"type":"module"}',
    "index.js":
      'export { one } from "./one.js";\nexport { two } from "./two.js";\nexport { two as same } from "./two.js";',
    "one.js": "export const one = import.meta.url;",
    "two.js":
      'import older from "./older/three.js";\nimport other from "./older/four.js";\nexport const two = [older, other];',
    "away.js": 'import "./one.js";\nimport "./nowhere.js";',
    "older/package.json": '{"type":"commonjs"}',
    "older/three.js": 'module.exports = "three and " + require("./four.js");',
    "older/four.js": 'module.exports = "four";',
  }))
    writeFileSync(join(folder, name), text);
});

afterAll(() => rmSync(folder, { recursive: true }));

function address(name: string): string {
  return pathToFileURL(join(folder, name)).href;
}

test("modules of a package come from beside those that import them, and older ones stay what they are", async () => {
  const found = (await import(address("index.js"))) as Record<string, unknown>;
  expect({ ...found }).toEqual({ one: address("one.js"), two: ["three and four", "four"], same: found["two"] });
});

test("what is not there is missed by its name", async () => {
  await expect(import(address("away.js"))).rejects.toThrow("nowhere.js");
});
