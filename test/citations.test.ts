import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Whoever cites a section of the contract or links to a page of docs/ names one that exists. */

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The numbers of an API's chapters and sections, from the headings of its files. */
const sections = {
  native: numbersOf("native"),
  microblog: numbersOf("microblog"),
  federation: numbersOf("federation"),
  mastodon: numbersOf("mastodon"),
};
type Api = keyof typeof sections;

function numbersOf(api: string): Set<string> {
  const texts = globSync(`docs/contract/${api}/*.md`, { cwd: root }).map(read);
  return new Set(texts.flatMap((text) => [...text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map((match) => match[1]!)));
}

/** Comments and prose without their line breaks, however they are wrapped. */
function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ");
}

/** The comments of a file of code, each on one line. */
function comments(file: string): string[] {
  const found = read(file).match(/\/\*[^]*?\*\/|(?:^[ \t]*\/\/ .*\n)+|(?<=\s)\/\/ .*/gm) ?? [];
  return found.map(onOneLine);
}

const section = String.raw`\d+(?:\.\d+)*`;
const citation = new RegExp(
  String.raw`\b(native|microblog|federation|mastodon) contract (${section}(?:(?:, | and | to )${section})*)`,
  "gi",
);

function missingSections(api: Api, numbers: string): string[] {
  return numbers.split(/, | and | to /).filter((number) => !sections[api].has(number));
}

const code = globSync(["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts"], {
  cwd: root,
  exclude: ["test/generated-client/**", "test/citations.test.ts"],
});
const pages = [...globSync("docs/**/*.md", { cwd: root }), ...globSync("*.md", { cwd: root })];

test("the contracts have sections", () => {
  expect(sections.native.size).toBeGreaterThan(80);
  expect(sections.microblog.size).toBeGreaterThan(80);
  expect(sections.federation.size).toBeGreaterThan(20);
});

test("citations name sections that exist", () => {
  const wrong = [...code, ...pages].flatMap((file) =>
    [...onOneLine(read(file)).matchAll(citation)].flatMap(([whole, api, numbers]) =>
      missingSections(api!.toLowerCase() as Api, numbers!).map((number) => `${file}: ${whole} (there is no ${number})`),
    ),
  );
  expect(wrong).toEqual([]);
});

const otherForms: readonly RegExp[] = [
  // Contracts that are not in docs/contract.
  /\b(?:federation-contract|mastodon-(?:contract|api))\b/gi,
  /\b(?:native|microblog)-api\.md\b|\bappendix [A-D]\b|\bproduct brief\b/gi,
  // Numbers without the name of their contract.
  /(?<!native |microblog |federation |mastodon )\bcontract \d/gi,
  /(?:\/\*\*? |\/\/ |\()\d{1,2}\.\d{1,2}(?:\.\d)?(?:, \d+\.\d+)*(?: \*\/|[),;])/g,
];

test("there is one way to cite", () => {
  const wrong = code.flatMap((file) =>
    comments(file).flatMap((text) =>
      otherForms.flatMap((form) => text.match(form) ?? []).map((hit) => `${file}: ${hit}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("a contract's own references name sections that exist", () => {
  const own = new RegExp(String.raw`\((?:[^()]*?[ ;,])?(\d+\.\d+(?:\.\d+)?)(?=[ ,;)])[^()]*\)`, "g");
  const wrong = (Object.keys(sections) as Api[]).flatMap((api) =>
    globSync(`docs/contract/${api}/*.md`, { cwd: root }).flatMap((file) =>
      [
        ...read(file)
          .replaceAll(/`[^`\n]*`/g, "")
          .replaceAll(/\b(?:native|microblog|federation|mastodon) contract [\d., and]+/g, "")
          .matchAll(own),
      ]
        .filter(([, number]) => !sections[api].has(number!))
        .map(([whole]) => `${file}: ${whole}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("links between pages lead somewhere", () => {
  const wrong = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .filter(([, target]) => !existsSync(join(root, dirname(page), target!)))
      .map(([whole]) => `${page}: ${whole}`),
  );
  expect(wrong).toEqual([]);
});
