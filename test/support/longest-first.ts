import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Files that take longest; where one of them is the last, a core has nothing to do meanwhile. */
const longest = [
  "bench/smoke",
  "src/cli/channel-import",
  "test/browser/more-pages",
  "test/browser/client-pages",
  "test/browser/pages",
  "test/nasty-texts",
  "src/cli/serve",
  "src/cli/started-by",
  "test/browser/usable",
  "test/federation/kill-nine",
  "test/clients/clients",
  "test/peers/fedify",
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
