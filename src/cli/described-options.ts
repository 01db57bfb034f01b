import type { Command } from "./command.ts";

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
