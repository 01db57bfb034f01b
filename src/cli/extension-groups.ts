import type { Extension, ExtensionCommand } from "../extensions/extension.ts";
import { loadExtensions } from "../extensions/load.ts";
import { toolsOf } from "../extensions/tools.ts";
import type { Command, Group } from "./command.ts";
import { withHub } from "./with-hub.ts";

/** Begins the names of the groups of extensions, so that the hub's own ones never get in their way. */
const extensionPrefix = "x-";

/** The commands of extensions, one group for each that has any. */
export async function extensionGroups(places: readonly string[]): Promise<Group[]> {
  const extensions = await loadExtensions(places);
  return extensions
    .filter(({ commands = [] }) => commands.length > 0)
    .map((extension) => ({
      name: `${extensionPrefix}${extension.name}`,
      summary: extension.summary,
      load: () => Promise.resolve({ commands: extension.commands!.map((row) => commandOf(extension, row)) }),
    }));
}

function commandOf(extension: Extension, row: ExtensionCommand): Command {
  const { name, summary, options, print } = row;
  return {
    name: `${extensionPrefix}${extension.name} ${name}`,
    summary,
    ...(row.arguments && { arguments: row.arguments }),
    ...(options && { options }),
    run: (call, input: Record<string, string>) => withHub(call, (hub) => row.run(toolsOf(hub, extension), input)),
    print: print ?? ((value: unknown) => JSON.stringify(value, null, 2)),
  };
}
