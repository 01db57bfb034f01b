import { CommanderError } from "commander";
import { ConfigError } from "../config/read.ts";
import type { Environment } from "../config/read.ts";
import { buildProgram } from "./program.ts";
import { errorMessageOf, UsageError } from "./error-message.ts";

/** What a process of the command does: settles what holds for the whole process, and runs the command. */
export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", leaveQuietly);
  // Whatever is written is for the owner alone: the database, files and photos, exports and backups.
  process.umask(0o077);
  await runCommand(argv, process.env);
}

/**
 * Runs the command that the arguments ask for. Answers go to standard output, everything else to standard error.
 * The exit code is 0, 1 when it failed, or 2 when it was called wrongly.
 */
export async function runCommand(argv: readonly string[], env: Environment): Promise<void> {
  try {
    const program = await buildProgram(argv, env);
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // Commander has said already what was wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const sentence = errorMessageOf(error);
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : String(error))}\n`);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}

/** Whoever read the answer has seen enough. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}
