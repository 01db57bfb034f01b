import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Files that take longest; where one of them is the last, a core has nothing to do meanwhile. */
const longest = [
  "test/browser/usable",
  "test/browser/more-pages",
  "test/federation/any-place",
  "bench/smoke",
  "test/nasty-texts",
  "test/browser/pages",
  "test/browser/client-pages",
  "test/browser/composing",
  "test/page-forms",
  "test/federation/kill-nine",
  "test/big-file",
  "test/fuzz",
  "test/agreement",
  "src/cli/serve",
  "src/cli/channel-import",
  "test/clients/mastodon",
  "test/clients/clients",
  "src/cli/backup",
  "src/cli/files",
  "src/cli/commands",
  "src/cli/started-by",
  "test/kill-nine",
  "test/blobs-on-s3",
  "test/signed-kill",
  "test/upload-kill",
];

/** Begins each engine's run with what takes longest; what nobody has timed goes by its size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const engines = [...new Set(sorted.map(({ project }) => project))];
    return engines.flatMap((engine) =>
      sorted.filter(({ project }) => project === engine).toSorted((one, other) => rank(one) - rank(other)),
    );
  }
}

/** A file's place among the longest. */
function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? longest.length : place;
}
