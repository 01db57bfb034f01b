import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import type { Browser } from "puppeteer-core";

/** Debian's package firefox-esr. */
const executablePath = "/usr/bin/firefox-esr";

/** Can tests use Firefox here? Says loudly when not; where everything must run, that is a failure. */
export function hasFirefox(): boolean {
  if (existsSync(executablePath)) return true;
  const sentence = `Firefox is missing (Debian package firefox-esr): the journeys in it cannot be made.`;
  if (process.env["CI"]) throw new Error(sentence);
  process.stderr.write(`\n\n  SKIPPED: ${sentence}\n\n\n`);
  return false;
}

/** A Firefox without a window, driven by WebDriver BiDi. Close it at the end. */
export function openFirefox(): Promise<Browser> {
  return puppeteer.launch({ browser: "firefox", executablePath, headless: true });
}
