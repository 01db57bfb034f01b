import { describeConfig } from "../config/describe.ts";
import { command } from "./command.ts";
import { table } from "./table.ts";

export const commands = [
  command({
    name: "config",
    summary: "show every setting, its value and where it comes from",
    run: ({ env, given }) =>
      Promise.resolve(
        describeConfig(env).map(({ name, meaning, value, source }) => ({
          name,
          value,
          source: given.has(name) ? "command line" : source,
          meaning,
        })),
      ),
    print: (settings) => table(settings, ["name", "value", "source", "meaning"]),
  }),
];
