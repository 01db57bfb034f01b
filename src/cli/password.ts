import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, UsageError } from "./error-message.ts";

/** The password as given; `-` reads the first line of standard input, and without one the operator is asked. */
export async function readPassword(given: string | undefined): Promise<string> {
  if (given === "-") return firstLine(await text(process.stdin));
  if (given !== undefined) return given;
  if (!process.stdin.isTTY)
    throw new UsageError("A password is needed: --password PASSWORD, or --password - to read it from standard input.");
  return ask();
}

function firstLine(given: string): string {
  const [line = ""] = given.split(/\r?\n/, 1);
  return line;
}

/** Asks on the terminal without showing what is typed. */
async function ask(): Promise<string> {
  process.stderr.write("Password: ");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const ended = new AbortController();
  terminal.once("SIGINT", () => ended.abort());
  terminal.once("close", () => ended.abort());
  try {
    return await terminal.question("", { signal: ended.signal });
  } catch {
    throw new CommandError("No password was given.");
  } finally {
    process.stderr.write("\n");
    terminal.close();
  }
}
