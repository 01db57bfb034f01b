import { execFileSync, spawnSync } from "node:child_process";
import { deepFiles, deepFilesFor } from "./support/deep-files.ts";

/**
 * The deep run: whatever tries more in it than in `npm test`. With a commit (`npm run test:deep -- origin/main`) only what
 * the changes since then ask for. What follows the commit is for vitest.
 */

const [since, ...rest] = process.argv.slice(2);
const files = since === undefined ? deepFiles() : deepFilesFor(changedSince(since));
process.stdout.write(`Deep runs: ${files.length === 0 ? "none for these changes" : files.join(", ")}\n`);
if (files.length > 0) {
  const { status } = spawnSync("vitest", ["run", "--mode", "deep", ...rest, ...files], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}

function changedSince(commit: string): string[] {
  return execFileSync("git", ["diff", "--name-only", commit], { encoding: "utf8" }).trim().split("\n");
}
