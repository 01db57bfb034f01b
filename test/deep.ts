import { execFileSync, spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { deepFiles, deepFilesFor, longest } from "./support/deep-files.ts";

/**
 * The deep run: whatever tries more in it than in `npm test`. With a commit (`npm run test:deep -- origin/main`) only what
 * the changes since then ask for, most asked for first. With `--minutes 5` no file is begun after that time, nor any of
 * those that take a quarter of an hour by themselves, and those that are left are named.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { minutes: { type: "string" } } });
const [since] = positionals;
const files = since === undefined ? deepFiles() : deepFilesFor(changedSince(since));
process.stdout.write(`Deep runs: ${files.length === 0 ? "none for these changes" : files.join(", ")}\n`);
const left = values.minutes === undefined ? runAll() : runFor(Number(values.minutes));
if (left.length > 0) process.stdout.write(`No time was left for: ${left.join(", ")}\n`);

function runAll(): string[] {
  if (files.length > 0) run(files);
  return [];
}

/** File by file; answers what was not begun. */
function runFor(minutes: number): string[] {
  const end = Date.now() + minutes * 60_000;
  const left = files.filter((file) => longest.includes(file));
  for (const file of files.filter((file) => !longest.includes(file)))
    if (Date.now() > end) left.push(file);
    else run([file]);
  return left;
}

function run(some: string[]): void {
  const { status } = spawnSync("vitest", ["run", "--mode", "deep", ...some], { stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}

function changedSince(commit: string): string[] {
  return execFileSync("git", ["diff", "--name-only", commit], { encoding: "utf8" }).trim().split("\n");
}
