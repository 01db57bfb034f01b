import { join } from "node:path";
import { parseArgs } from "node:util";
import type { City } from "./simulate.ts";

const usage = `npm run simulate -- [options]
Says what requests cost, how far the simulation of a hub is from what was measured, and what more machines would hold.
  --machines N         machines of the hub, instead of those of docs/scaling.md
  --cores N            cores of each, with one process for each core (2)
  --database-cores N   cores of PostgreSQL's own machine (8)
  --seconds N          how long each is simulated (3)
  --measure            measure costs and points anew, on this machine, before; takes a quarter of an hour
`;

const { values } = parseArgs({
  options: {
    machines: { type: "string" },
    cores: { type: "string", default: "2" },
    "database-cores": { type: "string", default: "8" },
    seconds: { type: "string", default: "3" },
    measure: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  if (values.measure) {
    const { measure } = await import("./measure.ts");
    await measure(join(import.meta.dirname, "measured.json"));
  }
  // What was measured is read when this is loaded.
  const { cityTable, costTable, pointTable } = await import("./report.ts");
  const { kept } = await import("./cities.ts");
  const seconds = Number(values.seconds);
  const tables = [
    costTable(),
    pointTable(seconds),
    cityTable(values.machines === undefined ? kept : [asked()], seconds),
  ];
  process.stdout.write(`${tables.join("\n\n")}\n`);
}

function asked(): City {
  const cores = Number(values.cores);
  return {
    machines: Number(values.machines),
    cores,
    processes: cores,
    databaseCores: Number(values["database-cores"]),
  };
}
