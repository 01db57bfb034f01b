import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { deepFiles, deepFilesFor, rows } from "./support/deep-files.ts";

/** The table of what a change asks for has neither a gap nor a name that is not there. */

test("each file of the deep run is asked for by some change, and by a change of its own", () => {
  const program = globSync("src/**/*.ts").filter((path) => !path.endsWith(".test.ts"));
  expect(deepFilesFor(program).toSorted()).toEqual(deepFiles());
  for (const file of deepFiles()) expect(deepFilesFor([file])).toEqual([file]);
});

test("each name in the table is that of a file", () => {
  const names = rows.flatMap(([, tried]) => tried);
  expect(names.filter((name) => !deepFiles().some((file) => file.startsWith(name)))).toEqual([]);
});

test("what most changes ask for comes first", () => {
  const changed = ["src/domain/pages/wikis.ts", "src/domain/bodies/render.ts", "src/domain/bodies/tags.ts"];
  expect(deepFilesFor(changed)).toEqual([
    "test/nasty-texts.test.ts",
    "src/domain/bodies/application-html.test.ts",
    "src/domain/bodies/bodies.property.test.ts",
    "src/domain/pages/layout.property.test.ts",
  ]);
});

test("what only tests use asks for the files that use it, and words ask for nothing", () => {
  expect(deepFilesFor(["test/support/kill-nine.ts"])).toEqual([
    "test/archive-kill.test.ts",
    "test/federation/kill-nine.test.ts",
    "test/import-kill.test.ts",
    "test/kill-nine.test.ts",
    "test/signed-kill.test.ts",
    "test/upload-kill.test.ts",
  ]);
  expect(deepFilesFor(["docs/operating.md", "CHANGELOG.md"])).toEqual([]);
});
