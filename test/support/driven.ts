import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect } from "vitest";

/** Programs and libraries of others that are driven against a hub. */

export type Driving = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** What somebody does in a browser with the address that the program prints; answers what they type into the program then. */
  agree: (address: string) => Promise<string>;
};

/** Runs a client to its end and answers all that it printed; an address on a line of its own gets the answer of `agree`. */
export async function drive(program: string, args: readonly string[], { cwd, env, agree }: Driving): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...process.env, LANG: "C.UTF-8", ...env }, stdio: "pipe" });
  let [said, errors] = ["", ""];
  let asked = false;
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  child.stdout.on("data", (chunk) => {
    said += String(chunk);
    const address = /^https?:\/\/\S+$/m.exec(said);
    if (!address || asked) return;
    asked = true;
    void agree(address[0]).then(
      (typed) => child.stdin.write(`${typed}\n`),
      (error: unknown) => {
        errors += String(error);
        child.kill();
      },
    );
  });
  const code = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", resolve);
  });
  expect(code, `${program} ${args.join(" ")}: ${errors}${said}`).toBe(0);
  return said;
}

/** What a client printed last: one JSON value. */
export function lastSaid(said: string): any {
  return JSON.parse(said.trim().split("\n").at(-1)!);
}

/** Is the library not here? Says loudly which; where everything must run, that is a failure. */
export function lacks(debianPackage: string, file: string): boolean {
  if (existsSync(file)) return false;
  const sentence = `${file} is missing (Debian package ${debianPackage}): the client built on it cannot be driven.`;
  if (process.env["CI"]) throw new Error(sentence);
  process.stderr.write(`\n\n  SKIPPED: ${sentence}\n\n\n`);
  return true;
}
