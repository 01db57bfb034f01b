import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { factsOf } from "../../../../test/support/reader-facts.ts";

/**
 * Documents shaped like those of the servers that are out there, written from their public documentation: what the reader
 * makes of them by its table of names is what Fedify makes of them by JSON-LD.
 */

const folder = join(import.meta.dirname, "corpus");
const servers = globSync(join(folder, "*.json")).toSorted();

const documents = servers.flatMap((file) =>
  (JSON.parse(readFileSync(file, "utf8")) as unknown[]).map((document, at) => ({
    name: `${basename(file, ".json")} ${at + 1}`,
    document,
  })),
);

const undeclared =
  "Names are read although the document's context does not declare them, or not as ids (contract 9, rule 6).";

/** Where the two differ on purpose: in what, and why. */
const differences: Record<string, { facts: string[]; why: string }> = {
  "bookwyrm 1": { facts: ["discoverable", "keys"], why: undeclared },
  "misskey 1": { facts: ["featured"], why: undeclared },
  "pleroma 1": { facts: ["featured"], why: undeclared },
  "peertube 2": { facts: ["attachments"], why: "The files of a film are its attachments." },
};

test("there are documents of sixteen servers", () => {
  expect(servers.length).toBe(16);
  expect(documents.length).toBeGreaterThan(40);
});

test.each(documents)("$name is read alike", async ({ name, document }) => {
  const { ours, theirs } = await factsOf(document);
  for (const fact of differences[name]?.facts ?? []) {
    expect(ours[fact]).not.toEqual(theirs[fact]);
    delete ours[fact];
    delete theirs[fact];
  }
  expect(ours).toEqual(theirs);
});
