import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { onPostgres, openTestHub } from "../../../test/support/hub.ts";
import { dueArrivals } from "./due.ts";

test.runIf(onPostgres)("a look at what is due joins none of those that wait with all others", async () => {
  const asked: CompiledQuery[] = [];
  const hub = await openTestHub({ onQuery: ({ query }) => void asked.push(query) });
  try {
    await dueArrivals(hub, { free: 16, ofHost: () => 4, full: [], over: "2030-01-01 00:00:00" });
    const { sql, parameters } = asked.at(-1)!;
    const { rows } = await hub.db.executeQuery(CompiledQuery.raw(`explain ${sql}`, [...parameters]));
    const plan = rows.map((row) => Object.values(row as object).join("")).join("\n");
    expect(plan).toMatch(/Scan using inbox_activity_due/);
    expect(plan).not.toMatch(/Join/);
  } finally {
    await hub.close();
  }
});
