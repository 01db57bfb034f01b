import { migrate, openDatabase } from "../storage/database.ts";
import { command } from "./command.ts";
import { quietConfig } from "./with-hub.ts";

export const commands = [
  command({
    name: "migrate",
    summary: "bring the tables up to date",
    async run({ env }) {
      const { database } = quietConfig(env);
      const db = openDatabase(database);
      try {
        return { steps: await migrate(db, database.engine) };
      } finally {
        await db.destroy();
      }
    },
    print: ({ steps }) => (steps.length === 0 ? "The tables were up to date." : `Steps taken: ${steps.join(", ")}`),
  }),
];
