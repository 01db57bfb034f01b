import { runCommand } from "../../src/cli/main.ts";
import type { Environment } from "../../src/config/read.ts";
import type { Outcome } from "./command.ts";

/** Commands in the process of the tests: a tenth of what a process of their own costs. */

let last: Promise<unknown> = Promise.resolve();

/** Runs one command to its end, after those that were called before it: what it prints is told by the time. */
export function runHere(env: Environment, args: string[]): Promise<Outcome> {
  const outcome = last.then(() => runAlone(env, args));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runAlone(env: Environment, args: string[]): Promise<Outcome> {
  const [stdout, stderr] = [listen(process.stdout), listen(process.stderr)];
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await runCommand(args, env);
    return { code: Number(process.exitCode ?? 0), signal: null, stdout: stdout.heard(), stderr: stderr.heard() };
  } finally {
    process.exitCode = exitCode;
    stdout.end();
    stderr.end();
  }
}

/** Takes what is written to a stream of this process. */
function listen(stream: NodeJS.WriteStream): { heard: () => string; end: () => void } {
  const { write } = stream;
  const parts: Uint8Array[] = [];
  stream.write = (part: Uint8Array | string, ...rest: unknown[]) => {
    parts.push(Buffer.from(part as string));
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
  return { heard: () => Buffer.concat(parts).toString(), end: () => void (stream.write = write) };
}
