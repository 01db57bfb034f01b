import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** Debian's packages of these names. The first is the same browser without a window, and takes half of the time. */
const [cheap, whole] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;
const executablePath = existsSync(cheap) ? cheap : whole;

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No page of a test lives long enough to gain what V8's slowest compiler costs.
  "--js-flags=--no-turbofan",
];

/** Only this machine: a page that asks for anything else gets nothing. */
const hosts = "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1";

/** Can tests use a real browser here? Says loudly when not; where everything must run, that is a failure. */
export function hasChromium(): boolean {
  if (existsSync(executablePath)) return true;
  const sentence = `Chromium is missing (Debian package chromium-headless-shell): the tests in a real browser cannot run.`;
  if (process.env["CI"]) throw new Error(sentence);
  process.stderr.write(`\n\n  SKIPPED: ${sentence}\n\n\n`);
  return false;
}

/** A real browser without a window; a host that is `known` is found at this port of this machine. Close it at the end. */
export function openChromium(known?: { host: string; port: number }): Promise<Browser> {
  const rules = known ? `MAP ${known.host} 127.0.0.1:${known.port}, ${hosts}` : hosts;
  return chromium.launch({ executablePath, args: [...args, `--host-resolver-rules=${rules}`] });
}
