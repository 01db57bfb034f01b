import type { Command } from "./command.ts";
import { groups } from "./commands.ts";

/** A group with its commands: one of the group's own name, or several that begin with it. */
export type WholeGroup = { name: string; summary: string; commands: readonly Command[] };

/** All that the operator can ask for, loaded. */
export function allGroups(): Promise<WholeGroup[]> {
  return Promise.all(groups.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })));
}

/** Options that every command has. */
export const globalOptions: Readonly<Record<string, { value?: string; meaning: string }>> = {
  data: { value: "folder", meaning: "folder of the embedded database, files and photos (HUBBUB_DATA)" },
  json: { meaning: "print one JSON value" },
};

/** All options of a command with what follows them and what they mean; those that are settings have a value. */
export function optionsOf({
  options = {},
  settings = {},
}: Command): { name: string; value?: string; meaning: string }[] {
  return [
    ...Object.entries(options).map(([name, { value, meaning }]) => ({ name, meaning, ...(value && { value }) })),
    ...Object.entries(settings).map(([name, setting]) => ({ name, value: "value", meaning: `in place of ${setting}` })),
  ];
}

/** What follows the name of the group: nothing for a command that is one by itself. */
export function ownName({ name }: Command, group: string): string {
  return name.slice(group.length).trimStart();
}
