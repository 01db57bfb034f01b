import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printDocs } from "../src/http/docs.ts";
import { faces } from "../src/main.ts";

test.each(Object.entries(printDocs(faces)))(
  "docs/api/%s is what the tables say; if not: npm run docs",
  (name, text) => {
    expect(readFileSync(join(import.meta.dirname, "../docs/api", name), "utf8")).toBe(text);
  },
);
