import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

/** Names follow docs/glossary.md: each word of the field stands there once, and those that were given up stay away. */

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const files = globSync(["src/**/*.ts", "bench/**/*.ts"], { cwd: root });

/** What was given up, as names of files or as identifiers, and the word in its place. */
const filesGivenUp: readonly (readonly [RegExp, string])[] = [
  [/^hand-on$/, "fan-out"],
  [/^shared-commit$/, "group-commit"],
  [/^remembered$/, "compiled-query"],
  [/^unanswered$/, "pipelined"],
  [/^status-surroundings$/, "status-context"],
  [/^who-hears$/, "notification-targets"],
  [/^standing$/, "comment-policy"],
  [/^sentence$/, "error-message"],
  [/^limits$/, "permission-limits, post-settings, posting-limits or rate-limits"],
  [/^shown(-|$)/, "…-answers in faces, visible-… in the domain"],
  [/(?<!index)-words$/, "…-labels"],
  [/^look$/, "render-options"],
  [/^(?:page-)?places$/, "…-paths"],
];

const namesGivenUp: readonly (readonly [RegExp, string])[] = [
  [/\bhandOn\w*/g, "fanOut…"],
  [/\b[sS]haredCommit\b/g, "groupCommit"],
  [/\b(?:isU|U)nanswered\b/g, "pipelined"],
  [/\b\w*Surroundings\b/g, "statusContext"],
  [/\btakeTurns\b/g, "lock…"],
  [/\b(?:bury|buried)[A-Z]\w*|\bentomb\w*/g, "tombstone…"],
  [/\bstandingOf\b|\bStanding\b/g, "commentPolicy"],
  [/\bfunction (?:note|tell)[A-Z]\w*/g, "notify… for notices, record… for rows, preview… for dry runs"],
  [/\bannounce\w*\(/g, "publish: ActivityPub calls something else Announce"],
  [/\btype (?:Look|Spot)\b/g, "RenderOptions, PathEntry"],
  [/\bfunction limitsOf\b/g, "permissionLimitsOf or postSettingsOf"],
  [/\bsentenceOf\b/g, "errorMessageOf"],
  [/\b(?:Member)?Visit\b/g, "PageContext, MemberContext"],
  [/\bShown(?:[A-Z]\w*|(?= =|[>,;)]))/g, "…Answers in faces, PageContent for pages"],
  [
    /\b(?:shownOnce|saidIn|wordsOf(?:Kept)?|function said)\b/g,
    "a name that says what it is: notRepeatedByForum, messageOf",
  ],
  [/\bSomeone\b|\bsomeone\(/g, "Observer, or QueriedObserver in a statement"],
];

test("files have the words of the glossary", () => {
  const wrong = files.flatMap((file) =>
    filesGivenUp
      .filter(([form]) => form.test(basename(file).replace(/(?:\.property)?(?:\.test)?\.ts$/, "")))
      .map(([, word]) => `${file}: ${word}`),
  );
  expect(wrong).toEqual([]);
});

test("names have the words of the glossary", () => {
  const wrong = files.flatMap((file) => {
    const text = read(file);
    return namesGivenUp.flatMap(([form, word]) => (text.match(form) ?? []).map((hit) => `${file}: ${hit}: ${word}`));
  });
  expect(wrong).toEqual([]);
});

test("each term stands in the glossary once, with a sentence", () => {
  const entries = read("docs/glossary.md")
    .split("\n")
    .filter((line) => line.startsWith("- "));
  expect(entries.length).toBeGreaterThan(60);
  expect(entries.filter((line) => !/^- \*\*.+?\*\*.*(?:: |; ).+[.]$/.test(line))).toEqual([]);
  const terms = entries.flatMap((line) => [...line.matchAll(/\*\*(.+?)\*\*/g)].map((match) => match[1]!.toLowerCase()));
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
});
