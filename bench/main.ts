import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findPostgres } from "../test/support/find-postgres.ts";
import { startCluster } from "../test/support/postgres.ts";
import { giveBearers } from "./bearers.ts";
import { cases } from "./cases.ts";
import type { Case } from "./cases/case.ts";
import { baseUrl, dataSet } from "./dataset.ts";
import type { DataSet, World } from "./dataset.ts";
import { cacheFolder, postgresShelf, sqliteShelf } from "./databases.ts";
import type { DatabasePlace, Shelf } from "./databases.ts";
import { benchCrowd, crowdCase } from "./crowd.ts";
import { benchDeliveries, deliveryCase } from "./deliveries.ts";
import { compareAnswers, examplesOf, pairsOf } from "./examples.ts";
import { benchEffects, effectsCase } from "./effects.ts";
import { benchExport, exportCase } from "./exports.ts";
import { benchFollowers, followersCase } from "./followers.ts";
import { benchHosts, hostsCase } from "./hosts.ts";
import { benchInbox, inboxCase } from "./inbox.ts";
import { putFilm } from "./film.ts";
import { measureByTurns, measureCase, median } from "./measure.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import { memory, startFloor, startHub, startLoader, untilIdle } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";
import { benchPrivateDocuments, privateDocumentsCase } from "./private-documents.ts";
import { progress } from "./progress.ts";
import { Sheet } from "./sheet.ts";
import { benchSigned, signedCase } from "./signed.ts";
import { giveSessions } from "./sessions.ts";
import { benchStreams, streamsCase } from "./streams.ts";
import { benchUpgrade, upgradeCase } from "./upgrade.ts";
import { benchUpload, uploadCase } from "./uploads.ts";

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (typeof options === "string") {
    process.stderr.write(options);
    process.exitCode = 2;
    return;
  }
  const sheet = new Sheet((line) => process.stdout.write(`${line}\n`), options.cases);
  const loader = startLoader();
  try {
    for (const engine of options.engines)
      await sheet.try(engine, "the rest", async () => {
        const { shelf, close } = await openShelf(engine);
        await benchEngine(shelf, { options, loader, sheet }).finally(close);
      });
  } finally {
    await loader.stop();
  }
  if (!sheet.end()) process.exitCode = 1;
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(sheet.figures(), null, 2)}\n`);
}

/** What a run was asked for, who makes the load, and where its figures go. */
type Run = { options: Options; loader: Loader; sheet: Sheet };

async function openShelf(engine: Shelf["engine"]): Promise<{ shelf: Shelf; close(): Promise<void> }> {
  if (engine === "sqlite") return { shelf: sqliteShelf(), close: () => Promise.resolve() };
  const found = findPostgres();
  if (!found) throw new Error("There is no PostgreSQL: name one in HUBBUB_TEST_POSTGRES_URL, or use --engine sqlite");
  if ("url" in found) return { shelf: postgresShelf(found.url), close: () => Promise.resolve() };
  progress("starting a PostgreSQL for this run");
  const { url, stop } = await startCluster(found.programs, { max_connections: 100 });
  return { shelf: postgresShelf(url), close: stop };
}

async function benchEngine(shelf: Shelf, run: Run): Promise<void> {
  const { engine } = shelf;
  const { options, loader, sheet } = run;
  mkdirSync(cacheFolder, { recursive: true });
  const data = mkdtempSync(join(cacheFolder, "run-"));
  const copy = `run-${process.pid}`;
  const set = await dataSet(shelf, options, options.fresh);
  try {
    await benchHub({ shelf, set, data, place: await set.copy(copy) }, run);
    // These start hubs of their own; another one on the same database would take a part of the jobs.
    await sheet.measure("crowds", engine, crowdCase, async () => {
      const folder = await folderOfHub(data);
      return benchCrowd(await set.copy(copy), set.world, folder, loader, options.profile);
    });
    await benchFederation({ shelf, set, data, name: copy }, run);
    await sheet.measure("upgrades", engine, upgradeCase, async () =>
      benchUpgrade(shelf, set, await folderOfHub(data), loader),
    );
  } finally {
    await shelf.drop(copy);
    rmSync(data, { recursive: true, force: true });
  }
}

/** A folder for another hub, in which the film of the data set is. */
async function folderOfHub(data: string): Promise<string> {
  const folder = mkdtempSync(join(data, "hub-"));
  await putFilm(folder);
  return folder;
}

/** What goes to other hubs, and comes from them. */
async function benchFederation(
  { shelf, set, data, name }: { shelf: Shelf; set: DataSet; data: string; name: string },
  { options, loader, sheet }: Run,
): Promise<void> {
  const [{ engine }, { world }, { profile }] = [shelf, set, options];
  const [empty, copy, folder] = [() => shelf.make(name), () => set.copy(name), () => folderOfHub(data)];
  await sheet.measure("deliveries", engine, deliveryCase, async () =>
    benchDeliveries(await empty(), await folder(), options, profile),
  );
  await sheet.measure("inboxes", engine, inboxCase, async () =>
    benchInbox(await copy(), await folder(), loader, options, profile),
  );
  await sheet.measure("privateDocuments", engine, privateDocumentsCase, async () =>
    benchPrivateDocuments(await copy(), world, await folder(), loader, options, profile),
  );
  await sheet.measure("effects", engine, effectsCase, async () =>
    benchEffects(await copy(), world, await folder(), options, profile),
  );
  await sheet.measure("followers", engine, followersCase, async () =>
    benchFollowers(await copy(), world, await folder(), options, profile),
  );
  await sheet.measure("hosts", engine, hostsCase, async () =>
    benchHosts(await empty(), await folder(), options, profile),
  );
}

/** A data set, the copy that a run works on, and the folder of its hub. */
type Stage = { shelf: Shelf; set: DataSet; data: string; place: DatabasePlace };

/** Everything that is measured on one hub. */
async function benchHub({ shelf, set, data, place }: Stage, run: Run): Promise<void> {
  const [{ engine }, { world }, { options, loader, sheet }] = [shelf, set, run];
  const film = await putFilm(data);
  const ready = await timeOfStart(place, data, options.brief ? 1 : 3);
  await giveBearers(place, world);
  await giveSessions(place, world);
  const hub = await startHub(place, baseUrl, data, options.profile);
  if (!options.brief) await wait(2000);
  const idle = memory(hub.process);
  const chosen = cases.filter(({ name }) => sheet.isAsked(name));
  try {
    await benchCases(chosen, { place, world, film, hub }, run);
    await untilIdle(hub.process);
    sheet.note("starts", { engine, ready, idle, loaded: memory(hub.process) });
    await sheet.measure("exports", engine, exportCase, () => benchExport(place, world, hub, loader, options));
    await sheet.measure("uploads", engine, uploadCase, () => benchUpload(world, hub, loader));
    await sheet.measure("signed", engine, signedCase, () => benchSigned(place, world, hub, loader, options));
    await sheet.measure("streams", engine, streamsCase, () => benchStreams(world, hub, options));
    if (options.scale)
      await sheet.try(engine, "what must scale", () => benchScale(shelf, hub, world, { data, film, chosen }, run));
  } finally {
    await hub.stop();
  }
}

/** A data set with the hub that works on it. */
type Served = { place: DatabasePlace; world: World; film: string; hub: Server };

/** The cases on one data set, beside a floor of their own. */
async function benchCases(
  chosen: Case[],
  { place: { settings }, world, film, hub }: Served,
  { options, loader, sheet }: Run,
): Promise<void> {
  const { engine } = settings;
  const floor = await startFloor({ settings, baseUrl, film, examples: await examplesOf(chosen, world, hub) });
  try {
    for (const one of chosen)
      await sheet.measure("results", engine, one.name, async () => {
        const pairs = await pairsOf(one, world, hub);
        await compareAnswers(one, pairs, hub, floor);
        const measured = await measureCase(one, pairs, loader, hub, one.itself ? hub : floor, options);
        return { name: one.name, messages: world.messages, bar: one.bar, ...measured };
      });
  } finally {
    await floor.stop();
  }
}

/** From the start of the process until it takes requests, on a database that exists: the median of so many. */
async function timeOfStart(place: DatabasePlace, data: string, starts: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < starts; n++) {
    const hub = await startHub(place, baseUrl, data);
    times.push(hub.ready);
    // No data set has been swept yet, and what regular jobs go through then would stand in the memory of those that start later.
    if (n === 0) await untilIdle(hub.process);
    await hub.stop();
  }
  return median(times);
}

/**
 * The cases that scale on a data set with ten times the messages, and the home timeline by turns on both: its slowest
 * answers must not depend on how much there is.
 */
async function benchScale(
  shelf: Shelf,
  small: Server,
  world: World,
  { data, film, chosen }: { data: string; film: string; chosen: Case[] },
  run: Run,
): Promise<void> {
  const { engine } = shelf;
  const { options, loader, sheet } = run;
  const messages = options.messages * 10;
  const set = await dataSet(shelf, { ...options, messages }, options.fresh);
  const place = await set.copy(`large-${process.pid}`);
  const hub = await startHub(place, baseUrl, data);
  try {
    progress(`${engine}: on ${messages.toLocaleString("en")} messages`);
    const home = cases[0]!;
    const calls = (of: World) => home.pairs(of).map((pair) => pair.hub);
    const servers = [
      { server: small, calls: calls(world) },
      { server: hub, calls: calls(set.world) },
    ];
    const [ofSmall, ofLarge] = await measureByTurns(loader, servers, options);
    const scaling = chosen.filter((one) => one.scales);
    await benchCases(scaling, { place, world: set.world, film, hub }, run);
    sheet.note("scales", { engine, small: ofSmall!, large: ofLarge!, messages });
  } finally {
    await hub.stop();
    await shelf.drop(`large-${process.pid}`);
  }
}

await main(process.argv.slice(2));
