import { readFile, stat } from "node:fs/promises";
import { findChannelById } from "../domain/identity/channels/channels.ts";
import { inWords } from "../domain/import/report.ts";
import type { Report } from "../domain/import/report.ts";
import { messageOfKept } from "../refusals/messages.ts";
import { messages } from "./messages.ts";
import type { ImportOptions, ImportRun } from "../domain/import/run-state.ts";
import { importNow, readHubUrl, tryImport } from "../domain/import/start.ts";
import type { Origin } from "../domain/import/start.ts";
import type { Hub } from "../hub.ts";
import type { InputOf } from "./command.ts";
import { localAccount } from "./local-account.ts";
import { readPassword } from "./password.ts";
import { UsageError } from "./error-message.ts";

export const importOptions = {
  account: { value: "address", meaning: "e-mail address of the account that gets the channel", required: true },
  nick: { value: "nick", meaning: "another short name than the old one" },
  "make-primary": { meaning: "this hub becomes the primary location" },
  moving: { meaning: "the same, and all other locations are left" },
  "without-posts": { meaning: "leave posts and comments behind, and the files of another hub" },
  "dry-run": { meaning: "read and check everything, write nothing" },
  login: { value: "login", meaning: "of the other hub: nick or e-mail address" },
  "password-file": { value: "file", meaning: "file with the password of the other hub; asked for when left out" },
} as const;

type Input = InputOf<Record<"source", string>, typeof importOptions>;

export type ImportAnswer = { nick: string; dry_run: boolean; report: Report };

/** Imports, or with --dry-run only looks; a line on standard error says how far it is. */
export async function runChannelImport(hub: Hub, input: Input): Promise<ImportAnswer> {
  const account = await localAccount(hub, input.account);
  const options: ImportOptions = {
    mode: input.moving ? "moving" : input["make-primary"] ? "primary" : "clone",
    nick: input.nick ?? "",
    posts: !input["without-posts"],
  };
  const origin = await originOf(input);
  if (input["dry-run"]) {
    return {
      nick: "",
      dry_run: true,
      report: reportInWords(await tryImport(hub, account.account_id, origin, options)),
    };
  }
  const run = await importNow(hub, account.account_id, origin, options, progressLine());
  if (process.stderr.isTTY) process.stderr.write("\n");
  const channel = await findChannelById(hub, run.channelId);
  return { nick: channel?.channel_address ?? "", dry_run: false, report: reportInWords(run.report) };
}

function reportInWords(report: Report): Report {
  return inWords(report, (kept) => messageOfKept(messages, kept));
}

async function originOf(input: Input): Promise<Origin> {
  const { source, login } = input;
  if (await isFile(source)) return { file: source };
  if (login === undefined) {
    if (!/^https?:\/\//.test(source)) throw new UsageError(`There is no file ${source}; another hub needs --login.`);
    throw new UsageError("Another hub needs --login.");
  }
  const file = input["password-file"];
  const password =
    file === undefined ? await readPassword(undefined) : (await readFile(file, "utf8")).split(/\r?\n/, 1)[0]!;
  return { url: readHubUrl(source), login, password };
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** One line that is written over again on a terminal; elsewhere one line for every ten percent. */
function progressLine(): (run: ImportRun) => void {
  let last = -1;
  return ({ progress: { position, total, pass } }) => {
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * position) / total));
    const step = process.stderr.isTTY ? percent : Math.floor(percent / 10) * 10;
    if (step === last) return;
    last = step;
    const text = `${pass === 2 ? "Late comments" : "Imported"}: ${position} of ${total} (${percent} %)`;
    process.stderr.write(process.stderr.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
  };
}
