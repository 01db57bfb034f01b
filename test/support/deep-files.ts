import { globSync, readFileSync } from "node:fs";

/** Which files of the deep run (those that use `size`) a change asks for. */

const readers = ["test/fuzz", "test/page-forms"];
const texts = "test/nasty-texts";
const federationKill = "test/federation/kill-nine";
const anyPlace = "test/federation/any-place";
const anyDoor = "test/any-door";
const kills = [
  "test/archive-kill",
  "test/import-kill",
  "test/kill-nine",
  "test/signed-kill",
  "test/upload-kill",
  federationKill,
];
/** They take longer than anybody waits who has only minutes. */
export const longest = [`${federationKill}.test.ts`];
const streams = [
  anyPlace,
  anyDoor,
  "src/domain/items/",
  "src/domain/permissions/",
  "src/faces/microblog/statuses/cursors",
];
const searches = [
  "src/domain/items/timelines/search",
  "src/domain/messages/",
  "src/faces/microblog/messages/messages-paging",
];
const files = ["src/faces/native/files", "test/big-file", "test/upload-kill", "test/privacy-pictures"];
const signatures = ["src/http/oauth/", "test/signed-kill"];

const stops = ["test/stopping"];

/** The first row that fits a changed path says what is tried for it. */
export const rows: [changed: RegExp, tried: string[]][] = [
  [/^src\/domain\/bodies\//, ["src/domain/bodies/", texts]],
  [/^src\/domain\/pages\//, ["src/domain/pages/", texts]],
  [/^src\/domain\/(search|messages)\//, [...searches, texts]],
  [/^src\/domain\/(items|permissions|connections|groups|notifications|people|events)\//, streams],
  [/^src\/domain\/identity\/applications/, signatures],
  [/^src\/domain\/identity\//, ["src/domain/permissions/"]],
  [/^src\/domain\/(files|photos|cloud)\//, files],
  [/^src\/(domain\/(import|export|portable)|cli)\//, ["src/cli/", "test/import-kill"]],
  [/^src\/http\/oauth\//, signatures],
  [/^src\/domain\/delivery\//, ["src/domain/delivery/", federationKill]],
  [/^src\/faces\/federation\//, [anyPlace, "src/faces/federation/", federationKill]],
  [/^src\/(main|http\/stoppable)\.ts/, [...stops, ...kills]],
  [/^src\/faces\/web\//, ["test/page-forms", anyDoor, "src/faces/web/", "test/browser/"]],
  [/^src\/faces\/mastodon\//, ["test/fuzz", anyDoor, "test/mastodon-", "src/faces/mastodon/"]],
  [/^src\/faces\/microblog\//, ["test/fuzz", anyDoor, "src/faces/microblog/"]],
  [/^src\/(faces|http)\//, readers],
  [/^src\/(storage|jobs)\//, [...kills, ...stops, ...streams, ...searches]],
  [/^src\//, [...kills, ...readers]],
];

/** The deep files that these changed paths ask for, those that most of them ask for first. */
export function deepFilesFor(changed: readonly string[]): string[] {
  const program = changed.filter((path) => !path.endsWith(".test.ts"));
  const tried = program.flatMap((path) => rows.find(([pattern]) => pattern.test(path))?.[1] ?? []);
  const asked = (file: string): number =>
    tried.filter((beginning) => file.startsWith(beginning)).length +
    Number(changed.includes(file)) +
    Number(usesAny(file, changed));
  return deepFiles()
    .filter((file) => asked(file) > 0)
    .toSorted((a, b) => asked(b) - asked(a));
}

let found: string[] | undefined;

/** All files of the deep run. */
export function deepFiles(): string[] {
  return (found ??= globSync(["src/**/*.test.ts", "test/**/*.test.ts"])
    .filter((file) => readFileSync(file, "utf8").includes("/support/size.ts"))
    .toSorted());
}

/** Does it import one of these from `test/support`? */
function usesAny(file: string, changed: readonly string[]): boolean {
  const text = readFileSync(file, "utf8");
  const support = changed.filter((path) => path.startsWith("test/support/"));
  return support.some((path) => text.includes(`${path.slice("test".length)}"`));
}
