import { setTimeout as sleep } from "node:timers/promises";
import { workOff } from "../../src/workers.ts";
import { openPlace } from "../../test/support/command.ts";
import { faults, needs } from "./faults.ts";
import type { Fault, FaultName } from "./faults.ts";
import { startLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import { awaitedOf, keptOf, ordersOf } from "./orders.ts";
import type { Acknowledged } from "./orders.ts";
import { longest, report } from "./report.ts";
import type { Kept } from "./report.ts";
import type { Awaited } from "./waiting.ts";
import { watchHome } from "./watch.ts";
import { openWorld } from "./world.ts";
import type { World } from "./world.ts";

/** `npm run drill`: a hub of several processes loses one thing after the other while people and servers use it. */

async function main(): Promise<void> {
  const options = readOptions();
  for (const name of options.cases) {
    const world = await openWorld(options.processes, needs[name] ?? []);
    try {
      const { load, faults, acknowledged, awaited } = await drill(name, world, options);
      const { text, isGood } = report(load, faults, awaited, await checkKept(world, acknowledged));
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
): Promise<{ load: Load; faults: Fault[]; acknowledged: Acknowledged; awaited: Awaited[] }> {
  const acknowledged: Acknowledged = { posts: new Map(), pictures: new Map(), inbox: new Map() };
  const done: Fault[] = [];
  const load = startLoad(await ordersOf(world, rates, acknowledged));
  const watch = watchHome(world.place.url);
  const awaited = (): Awaited[] => awaitedOf(world, watch, acknowledged);
  try {
    await sleep(every * 1000);
    for (const { name: what, work } of faults[name](world, { away, gone })) {
      const from = performance.now();
      await work(world);
      done.push({ name: what, from, over: performance.now() });
      await sleep(every * 1000);
    }
  } finally {
    await load.end();
    await untilThere(awaited);
    await watch.end();
    await world.end();
  }
  return { load, faults: done, acknowledged, awaited: awaited() };
}

/** What comes of the last ones gets its time. */
async function untilThere(awaited: () => Awaited[]): Promise<void> {
  const end = performance.now() + longest;
  while (awaited().some(({ there }) => there === undefined) && performance.now() < end) await sleep(500);
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
