import { globSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referenceFiles } from "../src/http/reference/files.ts";
import { faces } from "../src/main.ts";
import { version } from "../src/version.ts";

test.each(Object.entries(await referenceFiles(faces, version)))(
  "docs/api/%s is what the tables say; if not: npm run docs",
  (name, text) => {
    expect(readFileSync(join(import.meta.dirname, "../docs/api", name), "utf8")).toBe(text);
  },
);

test.each([
  "architecture.md",
  "contract/federation/16-checked-off.md",
  "contract/mastodon/20-checked-off.md",
  "contract/web/1-checked-off.md",
])("every file that docs/%s names is there", (page) => {
  const root = join(import.meta.dirname, "..");
  const named = readFileSync(join(root, "docs", page), "utf8").matchAll(
    /`((?:[a-z-]+\/)*[a-z-]+(?:\.property)?(?:\.test)?\.ts)`/g,
  );
  const files = globSync(["src/**/*.ts", "bench/**/*.ts", "test/**/*.ts"], { cwd: root }).map((path) => `/${path}`);
  const missing = [...named]
    .map((match) => match[1]!)
    .filter((name) => !files.some((path) => path.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

test.each(["src", "src/domain", "src/faces"])(
  "the tree of docs/architecture.md names what %s begins with",
  (folder) => {
    const root = join(import.meta.dirname, "..");
    const tree = readFileSync(join(root, "docs/architecture.md"), "utf8").split("## Four values")[0]!;
    const named = new Set(tree.match(/[a-z0-9-]+(?:\.ts|\/)/g));
    const found = readdirSync(join(root, folder), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !/\.test\.ts$|\.md$/.test(name));
    expect(found.filter((name) => !named.has(name))).toEqual([]);
  },
);
