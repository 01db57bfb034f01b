import { longStepsUnderWay } from "../domain/upkeep/long-steps.ts";
import type { Progress } from "../domain/upkeep/long-steps.ts";
import { migrate, openDatabase } from "../storage/database.ts";
import type { Database } from "../storage/engine.ts";
import { previewMigration } from "../storage/migration-preview.ts";
import type { PreviewedStep } from "../storage/migration-preview.ts";
import { progressOf } from "./checks/long-steps.ts";
import { command } from "./command.ts";
import { quietConfig } from "./with-hub.ts";

export const commands = [
  command({
    name: "migrate",
    summary: "bring the tables up to date",
    options: {
      plan: {
        meaning:
          "change nothing: say which steps would be taken, how many rows they meet, and how far those are that take long",
      },
    },
    async run({ env }, { plan }) {
      const { database } = quietConfig(env);
      const db = openDatabase(database);
      try {
        if (!plan) return { steps: await migrate(db, database.engine) };
        return { plan: await previewMigration(db, database.engine), underWay: await underWay(db) };
      } finally {
        await db.destroy();
      }
    },
    print({ plan, underWay = [], steps = [] }) {
      if (plan) return [...(plan.length === 0 ? [upToDate] : plan.map(lineOf)), ...underWay.map(goesOn)].join("\n");
      return steps.length === 0 ? upToDate : `Steps taken: ${steps.join(", ")}`;
    },
  }),
];

const upToDate = "The tables were up to date.";

function lineOf({ name, tables, jobs }: PreviewedStep): string {
  const met = tables.map(({ table, rows }) => `${table} (${rows} rows)`).join(", ");
  return `${name}: ${met || "new tables only"}${jobs.length === 0 ? "" : `; then by jobs: ${jobs.join(", ")}`}`;
}

function goesOn(progress: Progress): string {
  return `By jobs: ${progressOf(progress)}`;
}

/** Nothing is under way in tables that are older than this. */
async function underWay(db: Database): Promise<Progress[]> {
  const tables = await db.introspection.getTables();
  return tables.some(({ name }) => name === "long_step") ? longStepsUnderWay({ db }) : [];
}
