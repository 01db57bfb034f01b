import { settings } from "../config/settings.ts";
import { version } from "../version.ts";
import { command } from "./command.ts";
import type { Command, WholeGroup } from "./command.ts";
import { globalOptions, optionsOf } from "./described-options.ts";

export const commands = [
  command({
    name: "man",
    summary: "print the manual page: hubbub man > hubbub.1",
    run: async ({ groups }) => ({ page: manualPage(await groups()) }),
    print: ({ page }) => page.trimEnd(),
  }),
];

/** The manual page, made of what commands and settings say of themselves. */
export function manualPage(groups: readonly WholeGroup[]): string {
  const rows = groups.flatMap(({ commands }) => commands);
  const everywhere = Object.entries(globalOptions).map(([name, option]) => optionItem({ name, ...option }));
  return [
    `.TH HUBBUB 1 "" "Hubbub ${roff(version)}" "Hubbub"`,
    ".SH NAME",
    "hubbub \\- a federated social network hub",
    ".SH SYNOPSIS",
    ".B hubbub",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    "Runs a hub and looks after it. Commands work while the hub is running. With",
    ".B \\-\\-json",
    "each prints one JSON value.",
    ".SH OPTIONS OF ALL COMMANDS",
    ...everywhere.flat(),
    ".SH COMMANDS",
    ...rows.flatMap(commandItem),
    ".SH SETTINGS",
    "Settings are variables of the environment;",
    ".B hubbub config",
    "shows what they are.",
    ...settings.flatMap(({ name, meaning, fallback, example }) =>
      item(name, `${meaning} Usual: ${fallback}. Example: ${example}`),
    ),
    ".SH EXIT STATUS",
    "0 when all is well, 1 when a command failed, 2 when it was called wrongly or a setting cannot be used.",
    "",
  ].join("\n");
}

function commandItem(row: Command): string[] {
  const given = Object.entries(row.arguments ?? {}).map(([name, meaning]) => [`<${name}>`, meaning] as const);
  const rest = row.rest ? [[`[${row.rest[0]}...]`, row.rest[1]] as const] : [];
  const words = [...given, ...rest];
  const below = [...words.flatMap(([word, meaning]) => item(word, meaning)), ...optionsOf(row).flatMap(optionItem)];
  return [
    ...item(["hubbub", row.name, ...words.map(([word]) => word)].join(" "), row.summary),
    ...(below.length === 0 ? [] : [".RS", ...below, ".RE"]),
  ];
}

function optionItem({ name, value, meaning }: { name: string; value?: string; meaning: string }): string[] {
  return item(`--${name}${value === undefined ? "" : ` <${value}>`}`, meaning);
}

function item(term: string, meaning: string): string[] {
  return [".TP", `.B ${roff(term)}`, roff(meaning)];
}

/** Text as it is: no sign of it means anything to the formatter. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
}
