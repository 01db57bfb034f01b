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
import { figures, table } from "./report.ts";
import type { Found, Scale } from "./report.ts";
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
  const found: Found = {
    results: [],
    starts: [],
    scales: [],
    exports: [],
    uploads: [],
    signed: [],
    streams: [],
    crowds: [],
    deliveries: [],
    inboxes: [],
    followers: [],
    hosts: [],
    privateDocuments: [],
    effects: [],
    upgrades: [],
  };
  const loader = startLoader();
  try {
    for (const engine of options.engines) {
      const { shelf, close } = await openShelf(engine);
      await benchEngine(shelf, options, loader, found).finally(close);
    }
  } finally {
    await loader.stop();
  }
  process.stdout.write(`${table(found)}\n`);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures(found), null, 2)}\n`);
}

async function openShelf(engine: Shelf["engine"]): Promise<{ shelf: Shelf; close(): Promise<void> }> {
  if (engine === "sqlite") return { shelf: sqliteShelf(), close: () => Promise.resolve() };
  const found = findPostgres();
  if (!found) throw new Error("There is no PostgreSQL: name one in HUBBUB_TEST_POSTGRES_URL, or use --engine sqlite");
  if ("url" in found) return { shelf: postgresShelf(found.url), close: () => Promise.resolve() };
  progress("starting a PostgreSQL for this run");
  const { url, stop } = await startCluster(found.programs, { max_connections: 100 });
  return { shelf: postgresShelf(url), close: stop };
}

async function benchEngine(shelf: Shelf, options: Options, loader: Loader, found: Found): Promise<void> {
  const { engine } = shelf;
  mkdirSync(cacheFolder, { recursive: true });
  const data = mkdtempSync(join(cacheFolder, "run-"));
  const copy = `run-${process.pid}`;
  const set = await dataSet(shelf, options, options.fresh);
  try {
    await benchHub({ shelf, set, data, place: await set.copy(copy) }, options, loader, found);
    // These start hubs of their own; another one on the same database would take a part of the jobs.
    if (asked(options, crowdCase)) {
      progress(`${engine}: ${crowdCase}`);
      const folder = join(data, "crowd");
      await putFilm(folder);
      const place = await set.copy(copy);
      found.crowds.push({ engine, ...(await benchCrowd(place, set.world, folder, loader, options.profile)) });
    }
    await benchFederation({ shelf, set, data, name: copy }, options, loader, found);
    if (asked(options, upgradeCase)) {
      progress(`${engine}: ${upgradeCase}`);
      const folder = join(data, "upgrade");
      await putFilm(folder);
      found.upgrades.push({ engine, ...(await benchUpgrade(shelf, set, folder, loader)) });
    }
  } finally {
    await shelf.drop(copy);
    rmSync(data, { recursive: true, force: true });
  }
}

/** What goes to other hubs, and comes from them. */
async function benchFederation(
  { shelf, set, data, name }: { shelf: Shelf; set: DataSet; data: string; name: string },
  options: Options,
  loader: Loader,
  found: Found,
): Promise<void> {
  const [{ engine }, { world }] = [shelf, set];
  const begin = async (name: string): Promise<string> => {
    progress(`${engine}: ${name}`);
    const folder = mkdtempSync(join(data, "federation-"));
    await putFilm(folder);
    return folder;
  };
  if (asked(options, deliveryCase)) {
    const folder = await begin(deliveryCase);
    const run = await benchDeliveries(await shelf.make(name), folder, options, options.profile);
    found.deliveries.push({ engine, ...run });
  }
  if (asked(options, inboxCase)) {
    const folder = await begin(inboxCase);
    const run = await benchInbox(await set.copy(name), folder, loader, options, options.profile);
    found.inboxes.push({ engine, ...run });
  }
  if (asked(options, privateDocumentsCase)) {
    const folder = await begin(privateDocumentsCase);
    const run = await benchPrivateDocuments(await set.copy(name), world, folder, loader, options, options.profile);
    found.privateDocuments.push({ engine, ...run });
  }
  if (asked(options, effectsCase)) {
    const folder = await begin(effectsCase);
    const run = await benchEffects(await set.copy(name), world, folder, options, options.profile);
    found.effects.push({ engine, ...run });
  }
  if (asked(options, followersCase)) {
    const folder = await begin(followersCase);
    const run = await benchFollowers(await set.copy(name), world, folder, options, options.profile);
    found.followers.push({ engine, ...run });
  }
  if (asked(options, hostsCase)) {
    const folder = await begin(hostsCase);
    const run = await benchHosts(await shelf.make(name), folder, options, options.profile);
    found.hosts.push({ engine, ...run });
  }
}

function asked(options: Options, name: string): boolean {
  return options.cases.length === 0 || options.cases.includes(name);
}

/** A data set, the copy that a run works on, and the folder of its hub. */
type Stage = { shelf: Shelf; set: DataSet; data: string; place: DatabasePlace };

/** Everything that is measured on one hub. */
async function benchHub(
  { shelf, set, data, place }: Stage,
  options: Options,
  loader: Loader,
  found: Found,
): Promise<void> {
  const { engine } = shelf;
  const film = await putFilm(data);
  const ready = await timeOfStart(place, data, options.brief ? 1 : 3);
  await giveBearers(place, set.world);
  await giveSessions(place, set.world);
  const hub = await startHub(place, baseUrl, data, options.profile);
  if (!options.brief) await wait(2000);
  const idle = memory(hub.process);
  const chosen = cases.filter((one) => asked(options, one.name));
  try {
    await benchCases(chosen, { place, world: set.world, film, hub }, loader, options, found);
    await untilIdle(hub.process);
    found.starts.push({ engine, ready, idle, loaded: memory(hub.process) });
    if (asked(options, exportCase)) {
      progress(`${engine}: ${exportCase}`);
      found.exports.push({ engine, ...(await benchExport(place, set.world, hub, loader, options)) });
    }
    if (asked(options, uploadCase)) {
      progress(`${engine}: ${uploadCase}`);
      found.uploads.push({ engine, ...(await benchUpload(set.world, hub, loader)) });
    }
    if (asked(options, signedCase)) {
      progress(`${engine}: ${signedCase}`);
      found.signed.push({ engine, ...(await benchSigned(place, set.world, hub, loader, options)) });
    }
    if (asked(options, streamsCase)) {
      progress(`${engine}: ${streamsCase}`);
      found.streams.push({ engine, ...(await benchStreams(set.world, hub, options)) });
    }
    if (options.scale) {
      const more = { data, film, found, chosen };
      found.scales.push(await benchScale(shelf, options, loader, hub, set.world, more));
    }
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
  loader: Loader,
  options: Options,
  found: Found,
): Promise<void> {
  const { engine } = settings;
  const floor = await startFloor({ settings, baseUrl, film, examples: await examplesOf(chosen, world, hub) });
  try {
    for (const one of chosen) {
      progress(`${engine}: ${one.name}`);
      const pairs = await pairsOf(one, world, hub);
      await compareAnswers(one, pairs, hub, floor);
      const measured = await measureCase(one, pairs, loader, hub, one.itself ? hub : floor, options);
      found.results.push({ engine, name: one.name, messages: world.messages, bar: one.bar, ...measured });
    }
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
  options: Options,
  loader: Loader,
  small: Server,
  world: World,
  { data, film, found, chosen }: { data: string; film: string; found: Found; chosen: Case[] },
): Promise<Scale> {
  const { engine } = shelf;
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
    await benchCases(scaling, { place, world: set.world, film, hub }, loader, options, found);
    return { engine, small: ofSmall!, large: ofLarge!, messages };
  } finally {
    await hub.stop();
    await shelf.drop(`large-${process.pid}`);
  }
}

await main(process.argv.slice(2));
