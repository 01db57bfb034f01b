import { readFileSync } from "node:fs";
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
