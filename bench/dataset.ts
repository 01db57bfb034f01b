import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../src/config/config.ts";
import type { Config } from "../src/config/config.ts";
import { openHub } from "../src/hub.ts";
import type { Hub } from "../src/hub.ts";
import { makeKeys } from "../src/keys.ts";
import type { KeyPairs } from "../src/keys.ts";
import { cacheFolder } from "./databases.ts";
import type { DatabasePlace, Shelf } from "./databases.ts";
import { openBulk } from "./dataset/bulk.ts";
import { connectByDomain, join as connect, planConnections, writeConnections } from "./dataset/connections.ts";
import type { ConnectionExample } from "./dataset/connections.ts";
import { takeExamples } from "./dataset/example-rows.ts";
import type { ExampleRow } from "./dataset/example-rows.ts";
import { takeFileExample, writeFiles } from "./dataset/files.ts";
import { planHistory } from "./dataset/history.ts";
import type { Sources } from "./dataset/message-rows.ts";
import { makePeople } from "./dataset/people.ts";
import type { Person } from "./dataset/people.ts";
import { randomFrom } from "./dataset/random.ts";
import type { Random } from "./dataset/random.ts";
import { makeTexts } from "./dataset/texts.ts";
import { writeHistory } from "./dataset/writer.ts";
import { progress } from "./progress.ts";

/** How large the data set is. */
export type Size = { messages: number; channels: number; readers: number };

/** Somebody of the data set, as those who call the hub know them. */
export type Resident = {
  nick: string;
  uid: number;
  xchanId: number;
  hash: string;
  address: string;
  groupId: number;
  /** Some statuses that they have. */
  items: number[];
};

/** What is in a data set. */
export type World = {
  baseUrl: string;
  /** The moment at which the data set ends. */
  end: string;
  messages: number;
  items: number;
  /** UUIDs of some posts that everybody may see. */
  publicPosts: string[];
  /** They write, read and are connected as people are. */
  residents: Resident[];
  /** Nobody is connected with these. */
  lonely: Resident[];
  /** Every reader is connected with these. */
  stars: Resident[];
  /** They have a thousand files each, and one of them is a film. */
  filers: (Resident & { film: string })[];
};

/** A data set in its place; `copy` makes the database that a run works on. */
export type DataSet = { world: World; copy(name: string): Promise<DatabasePlace> };

export const baseUrl = "http://hub.example";
const end = "2026-11-01T00:00:00Z";
const lonelyOnes = 8;
const stars = 2;
const filers = 8;

/** The data set of this size, from the last run if nothing that shapes it has changed since. */
export async function dataSet(shelf: Shelf, size: Size, fresh: boolean): Promise<DataSet> {
  const name = `${size.messages}-${size.channels}-${size.readers}-${digest()}`;
  const file = join(cacheFolder, `${name}-${shelf.engine}.json`);
  if (fresh || !existsSync(file) || !(await shelf.has(name))) {
    const world = await makeDataSet(await shelf.make(name), size);
    writeFileSync(file, JSON.stringify(world));
  }
  const world = JSON.parse(readFileSync(file, "utf8")) as World;
  return { world, copy: (to) => shelf.copy(name, to) };
}

/** Changes of the tables or of the data set's own code make another data set. */
function digest(): string {
  const hash = createHash("sha256");
  for (const folder of ["../src/storage/migrations", "./dataset"]) {
    const path = join(import.meta.dirname, folder);
    for (const file of readdirSync(path).toSorted()) hash.update(readFileSync(join(path, file)));
  }
  return hash
    .update(readFileSync(import.meta.filename))
    .digest("hex")
    .slice(0, 12);
}

async function makeDataSet(place: DatabasePlace, size: Size): Promise<World> {
  progress(`making a data set of ${size.messages.toLocaleString("en")} messages (${place.settings.engine})`);
  const started = performance.now();
  const hub = await openHub(configOf(place), { clock: () => new Date(end), makeKeys: await fewKeys() });
  const random = randomFrom(42);
  const places = placesOf(size);
  const begun = await byDomain(hub, places, random).finally(() => hub.close());
  const { people } = begun;
  planConnections(people, places.residents, random);
  for (const star of places.stars) for (const reader of places.readers) connect(people, star, reader);
  const seconds = new Date(end).getTime() / 1000;
  const bulk = await openBulk(place.settings);
  await writeConnections(bulk, people, begun.connection);
  const events = planHistory(people, size.messages, seconds, random, places.stars, [
    ...places.residents,
    ...places.lonely,
  ]);
  const written = await writeHistory(bulk, events, { ...begun, baseUrl }, seconds, random);
  const owners = places.residents.slice(0, filers);
  const films = writeFiles(
    bulk,
    begun.file,
    owners.map((one) => people[one]!),
    seconds,
    random,
  );
  progress("building indexes");
  await bulk.finish();
  progress(
    `the data set has ${written.items.toLocaleString("en")} items; it took ${Math.round((performance.now() - started) / 1000)} s`,
  );
  const known = (list: number[]): Resident[] => list.map((one) => residentOf(people[one]!, written.samples[one]!));
  return {
    baseUrl,
    end: end.slice(0, 19).replace("T", " "),
    messages: written.messages,
    items: written.items,
    publicPosts: written.publicPosts,
    residents: known(places.residents),
    lonely: known(places.lonely),
    stars: known(places.stars),
    filers: known(owners).map((one, place) => ({ ...one, film: films[place]! })),
  };
}

/** Who stands where in the list of people. */
type Places = Record<"examples" | "residents" | "lonely" | "stars" | "readers", number[]>;

function placesOf(size: Size): Places {
  let next = 0;
  const take = (count: number): number[] => Array.from({ length: count }, () => next++);
  return {
    examples: take(3),
    residents: take(size.channels),
    lonely: take(lonelyOnes),
    stars: take(stars),
    readers: take(size.readers),
  };
}

/** What the domain itself makes: channels, the examples of all rows, and the texts. */
async function byDomain(
  hub: Hub,
  places: Places,
  random: Random,
): Promise<Omit<Sources, "baseUrl"> & { connection: ConnectionExample; file: ExampleRow }> {
  const nicks = Object.entries(places).flatMap(([role, list]) =>
    list.map((_, n) => `${role.replace(/s$/, "")}${n + 1}`),
  );
  const people = await makePeople(hub, nicks);
  const [one, other, third] = people as [Person, Person, Person];
  const connection = await connectByDomain(hub, one, other);
  await connectByDomain(hub, one, third);
  const examples = await takeExamples(hub, [one, other, third]);
  const file = await takeFileExample(hub, one);
  return { people, connection, examples, file, texts: await makeTexts(hub, other, one, random) };
}

/** Good keys take long, and nothing here depends on each channel having its own. */
async function fewKeys(): Promise<() => Promise<KeyPairs>> {
  const pairs = await Promise.all([makeKeys(), makeKeys(), makeKeys()]);
  let taken = 0;
  return () => Promise.resolve(pairs[taken++ % pairs.length]!);
}

function configOf(place: DatabasePlace): Config {
  return readConfig({
    HUBBUB_BASE_URL: baseUrl,
    HUBBUB_DATA: cacheFolder,
    HUBBUB_DATABASE_URL: place.url,
    HUBBUB_RATE_LIMITS: "off",
    HUBBUB_LOG_LEVEL: "off",
  });
}

function residentOf({ channel, group, url }: Person, items: number[]): Resident {
  return {
    nick: channel.channel_address,
    uid: channel.channel_id,
    xchanId: channel.xchan_id,
    hash: channel.channel_hash,
    address: `${channel.channel_address}@${new URL(url).host}`,
    groupId: group.id,
    items,
  };
}
