import { previewMigration } from "../storage/migration-preview.ts";
import { migrate, openDatabase } from "../storage/database.ts";
import { command } from "./command.ts";
import { quietConfig } from "./with-hub.ts";

export const commands = [
  command({
    name: "migrate",
    summary: "bring the tables up to date",
    options: { plan: { meaning: "change nothing: say which steps would be taken, and how many rows they meet" } },
    async run({ env }, { plan }) {
      const { database } = quietConfig(env);
      const db = openDatabase(database);
      try {
        return plan
          ? { plan: await previewMigration(db, database.engine) }
          : { steps: await migrate(db, database.engine) };
      } finally {
        await db.destroy();
      }
    },
    print({ plan, steps = [] }) {
      if (plan) return plan.length === 0 ? upToDate : plan.map(lineOf).join("\n");
      return steps.length === 0 ? upToDate : `Steps taken: ${steps.join(", ")}`;
    },
  }),
];

const upToDate = "The tables were up to date.";

function lineOf({ name, tables }: { name: string; tables: readonly { table: string; rows: number }[] }): string {
  const met = tables.map(({ table, rows }) => `${table} (${rows} rows)`).join(", ");
  return `${name}: ${met || "new tables only"}`;
}
