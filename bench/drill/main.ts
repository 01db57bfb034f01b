import { setTimeout as sleep } from "node:timers/promises";
import { workOff } from "../../src/workers.ts";
import { openPlace } from "../../test/support/command.ts";
import { faults, needs } from "./faults.ts";
import type { FaultName } from "./faults.ts";
import { startLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import { keptOf, ordersOf } from "./orders.ts";
import type { Acknowledged } from "./orders.ts";
import { report } from "./report.ts";
import type { Fault, Kept } from "./report.ts";
import { openWorld } from "./world.ts";
import type { World } from "./world.ts";

/** `npm run drill`: a hub of several processes loses one thing after the other while people and servers use it. */

async function main(): Promise<void> {
  const options = readOptions();
  for (const name of options.cases) {
    const world = await openWorld(options.processes, needs[name] ?? []);
    try {
      const { load, faults, acknowledged } = await drill(name, world, options);
      const { text, isGood } = report(load, faults, await checkKept(world, acknowledged));
      process.stdout.write(`${name}\n${text}\n`);
      if (!isGood) process.exitCode = 1;
    } finally {
      await world.close();
    }
  }
}

async function drill(
  name: FaultName,
  world: World,
  { every, away, gone, ...rates }: Options,
): Promise<{ load: Load; faults: Fault[]; acknowledged: Acknowledged }> {
  const began = performance.now();
  const now = (): number => performance.now() - began;
  const acknowledged: Acknowledged = { posts: [], pictures: [], inbox: [] };
  const done: Fault[] = [];
  const load = startLoad(await ordersOf(world, rates, acknowledged), now);
  try {
    await sleep(every * 1000);
    for (const { name: what, work } of faults[name](world, { away, gone })) {
      const from = now();
      await work(world);
      done.push({ name: what, from, over: now() });
      await sleep(every * 1000);
    }
  } finally {
    await load.end();
    await world.end();
  }
  return { load, faults: done, acknowledged };
}

/** What is stored once everything that waits is done. */
async function checkKept(world: World, acknowledged: Acknowledged): Promise<Kept[]> {
  // What a process that was killed had taken is its own for some seconds more; what was made while the clock was ahead is due then.
  const hub = await openPlace(world.place, 2 * 3600);
  try {
    return await keptOf(hub, world, acknowledged, () => workOff(hub));
  } finally {
    await hub.close();
  }
}

await main();
