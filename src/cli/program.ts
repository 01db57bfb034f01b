import { Command as Program } from "commander";
import type { Environment } from "../config/read.ts";
import { version } from "../version.ts";
import type { Call, Command, Group } from "./command.ts";
import { allGroups, groups, groupsWithExtensions } from "./commands.ts";
import { globalOptions } from "./described-options.ts";

/**
 * The command line as Commander reads it. Only commands that the arguments name are loaded, so that one command does
 * not pay for the others.
 */
export async function buildProgram(argv: readonly string[], env: Environment): Promise<Program> {
  const program = new Program("hubbub")
    .description("A federated social network hub.")
    .version(version)
    .showHelpAfterError("(hubbub --help tells more)")
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  for (const [name, { value, meaning }] of Object.entries(globalOptions))
    program.option(value === undefined ? `--${name}` : `--${name} <${value}>`, meaning);
  for (const group of await groupsFor(argv, env)) await addGroup(program, group, argv.includes(group.name), env);
  return program;
}

/** Extensions are loaded where one of their commands is asked for, or what there is: a broken one keeps nobody from mending it. */
async function groupsFor(argv: readonly string[], env: Environment): Promise<readonly Group[]> {
  const asksForOwn = groups.some(({ name }) => argv.includes(name)) && !argv.some((word) => word.startsWith("x-"));
  return asksForOwn ? groups : groupsWithExtensions(env);
}

async function addGroup(program: Program, group: Group, needed: boolean, env: Environment): Promise<void> {
  const { commands } = needed ? await group.load() : { commands: [] };
  const alone = commands.find((row) => row.name === group.name);
  const parent = program.command(group.name).description(group.summary);
  if (alone) addRow(parent, alone, env);
  for (const row of commands.filter((row) => row !== alone))
    addRow(parent.command(row.name.slice(group.name.length + 1)).description(row.summary), row, env);
}

function addRow(program: Program, row: Command, env: Environment): void {
  for (const [name, meaning] of Object.entries(row.arguments ?? {})) program.argument(`<${name}>`, meaning);
  if (row.rest) program.argument(`[${row.rest[0]}...]`, row.rest[1]);
  for (const [name, { value, meaning, required }] of Object.entries(row.options ?? {})) {
    const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
    if (required) program.requiredOption(flags, meaning);
    else program.option(flags, meaning);
  }
  for (const [name, setting] of Object.entries(row.settings ?? {}))
    program.option(`--${name} <value>`, `in place of ${setting}`);
  program.action(() => runRow(program, row, env));
}

async function runRow(program: Program, row: Command, env: Environment): Promise<void> {
  const options = program.optsWithGlobals<Record<string, string | boolean | undefined>>();
  const { json, ...others } = options;
  const answer = (value: unknown): void => {
    const text = json ? JSON.stringify(value) : row.print(value as never);
    if (text !== "") process.stdout.write(`${text}\n`);
    if (row.failed?.(value as never)) process.exitCode = 1;
  };
  const value = await row.run({ ...settingsOf(row, options, env), answer, groups: () => allGroups(env) }, {
    ...inputOf(program, row),
    ...others,
    ...dashed(row, options),
  } as never);
  if (value !== undefined) answer(value);
}

/** Names with a dash reach us in Commander's spelling. */
function spelling(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Options with a dash under the names that their command gave them. */
function dashed(row: Command, options: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(row.options ?? {}).filter((name) => name.includes("-"));
  return Object.fromEntries(names.map((name) => [name, options[spelling(name)]]));
}

function settingsOf(row: Command, options: Record<string, unknown>, env: Environment): Pick<Call, "env" | "given"> {
  const names: [string, string][] = [["data", "HUBBUB_DATA"], ...Object.entries(row.settings ?? {})];
  const given = names.flatMap(([name, setting]) => {
    const value = options[spelling(name)];
    return typeof value === "string" ? [[setting, value] as const] : [];
  });
  return { env: { ...env, ...Object.fromEntries(given) }, given: new Set(given.map(([setting]) => setting)) };
}

function inputOf(program: Program, row: Command): Record<string, unknown> {
  const names = Object.keys(row.arguments ?? {});
  const values = names.map((name, place) => [name, program.args[place]] as const);
  return { ...Object.fromEntries(values), rest: program.args.slice(names.length) };
}
