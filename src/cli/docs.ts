import { mkdir, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { faces } from "../main.ts";
import { version } from "../version.ts";
import { command } from "./command.ts";

export const commands = [
  command({
    name: "docs",
    summary: "write docs/api from the tables of endpoints",
    options: { to: { value: "folder", meaning: "where to write (docs/api of this program)" } },
    run: async (_call, { to }) => {
      const { referenceFiles } = await import("../http/reference/files.ts");
      const folder = to ?? resolve(import.meta.dirname, "../../docs/api");
      const files = await referenceFiles(faces, version);
      await mkdir(folder, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      return { folder: relative("", folder) || ".", files: Object.keys(files) };
    },
    print: ({ folder, files }) => files.map((name) => join(folder, name)).join("\n"),
  }),
];
