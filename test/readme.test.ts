import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyPlace, serve } from "./support/command.ts";
import type { Place, Serving } from "./support/command.ts";

/** The tour of the README, from the set-up link on, in its order and with the answers that it shows. */

const root = resolve(import.meta.dirname, "..");

type Step = { command: string; answer: string };

let place: Place;
let running: Serving;
let shell: ChildProcess;

beforeAll(async () => {
  place = await emptyPlace();
  const url = `http://localhost:${place.env["HUBBUB_PORT"]}`;
  Object.assign(place.env, { HUBBUB_BASE_URL: url, HUBBUB_RATE_LIMITS: "on" });
  running = await serve(place);
  await setUp(readFileSync(/the link in (.+)/.exec(running.printed)![1]!, "utf8").trim());
  symlinkSync(join(root, "docs"), join(place.folder, "docs"));
  shell = spawn("bash", ["--norc"], { cwd: place.folder, env: { ...process.env, ...place.env }, stdio: "pipe" });
  // What npx finds is in this folder; the launcher spares its start-up.
  shell.stdin!.write(`npx() { shift; "${process.execPath}" "${join(root, "bin/hubbub.ts")}" "$@"; }\n`);
  shell.stdin!.write('curl() { command curl -sS "$@"; }\nexec 2>&1\n');
});
afterAll(async () => {
  shell.kill();
  await running.stop();
  await place.remove();
});

/** The administrator's account, made with the link that the first start leads to. */
async function setUp(link: string): Promise<void> {
  const page = await fetch(link);
  const token = /name="form_security_token" value="([^"]*)"/.exec(await page.text())![1]!;
  const body = new URLSearchParams({
    form_security_token: token,
    email: "admin@example.org",
    password: "a horse of another colour",
    name: "Keeper",
    nick: "keeper",
    site_name: "Hubbub",
    registration: "approval",
  });
  const headers = {
    cookie: page.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; "),
    origin: new URL(link).origin,
  };
  const done = await fetch(link, { method: "POST", body, headers, redirect: "manual" });
  if (done.status !== 303) throw new Error(`The set-up failed: ${done.status} ${await done.text()}`);
}

/** The commands of a section with what the README shows below each. */
function stepsOf(section: string): Step[] {
  const text = readFileSync(join(root, "README.md"), "utf8").split(`## ${section}\n`)[1]!.split("\n## ")[0]!;
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("    "))
    .map((line) => line.slice(4));
  const steps: Step[] = [];
  for (const line of lines) {
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), answer: "" });
    else steps.at(-1)!.answer += `${line}\n`;
  }
  return steps;
}

function run(command: string): Promise<string> {
  const { port } = new URL(place.env["HUBBUB_BASE_URL"]!);
  const end = `-- end of ${Math.random()} --`;
  return new Promise((resolve) => {
    let said = "";
    const hear = (chunk: Buffer): void => {
      said += String(chunk);
      if (!said.includes(end)) return;
      shell.stdout!.off("data", hear);
      resolve(said.slice(0, said.indexOf(end)).replaceAll(`localhost:${port}`, "localhost:8080"));
    };
    shell.stdout!.on("data", hear);
    shell.stdin!.write(`${command.replaceAll("localhost:8080", `localhost:${port}`)}\necho "${end}"\n`);
  });
}

/** What the answer must look like: `…` stands for anything, a number for a number, a word of chance for another one. */
function shapeOf(answer: string): RegExp {
  const parts = answer
    .trim()
    .split("…")
    .map((part) =>
      part
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/\b(?=[\w-]*\d)[\w-]{16,}\b/g, "[\\w-]+")
        .replace(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} (?=\d\d )/g, "[A-Z][a-z]+ [A-Z][a-z]+ ")
        .replace(/\d+/g, "\\d+"),
    );
  return new RegExp(`^${parts.join("[^]*?")}$`);
}

const steps = stepsOf("Five minutes with curl");

test("the tour is there", () => {
  expect(steps.length).toBeGreaterThan(20);
});

test.each(steps)("$command", async ({ command, answer }) => {
  const shape = shapeOf(answer);
  let said = (await run(command)).trim();
  // What others have done arrives a moment later; whoever only reads may look again.
  for (let tries = 0; tries < 100 && !shape.test(said) && isReading(command); tries++) {
    await sleep(100);
    said = (await run(command)).trim();
  }
  expect(said).toMatch(shape);
});

function isReading(command: string): boolean {
  return /(?:^|\()curl /.test(command) && !/ -[dF] /.test(command);
}
