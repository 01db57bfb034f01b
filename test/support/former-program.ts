import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** The program as it was before a change, with today's libraries; `launcher` is what operators call. */
export type FormerProgram = { launcher: string; remove(): void };

/** Takes it from the history: of the commit that HUBBUB_TEST_FORMER names, or the last one. Undefined where that is not at hand. */
export function takeFormerProgram(): FormerProgram | undefined {
  const commit = process.env["HUBBUB_TEST_FORMER"] || "HEAD~1";
  const git = (...args: string[]): Buffer =>
    execFileSync("git", args, { cwd: root, maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] });
  try {
    git("rev-parse", "--verify", `${commit}^{commit}`);
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "hubbub-former-"));
  const files = git("archive", commit, "bin", "src", "package.json");
  execFileSync("tar", ["-x", "-C", folder], { input: files });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    launcher: join(folder, "bin", "hubbub.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
