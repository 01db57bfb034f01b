import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { receiveFollow } from "../src/domain/connections/follows.ts";
import { findChannelById } from "../src/domain/identity/channels/channels.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { ann, meetAnn, pem, signerOfAnn } from "./ann.ts";
import { baseUrl } from "./dataset.ts";
import type { World } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import type { Call } from "./load/main.ts";
import { cpuOfEach, middle } from "./measure.ts";
import type { Pace } from "./measure.ts";
import { startFloor, startKeepingHub } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";

/** Signed requests for what not everybody may see, that a second of a process's CPU is enough for. */
export type PrivateDocumentsRun = { hub: number; floor: number };

export const privateDocumentsCase = "private documents";

/** People who write to her. */
const writers = 50;
/** Requests in a turn, and turns in which the code gets warm and which do not count. */
const usual = { requests: 500, turnsInRound: 3, warmTurns: 4 };
const few: typeof usual = { requests: 30, turnsInRound: 1, warmTurns: 0 };

/** Measures by turns; each request is signed before its turn, by a key that the hub knows. */
export async function benchPrivateDocuments(
  place: DatabasePlace,
  world: World,
  data: string,
  loader: Loader,
  pace: Pace,
  profile?: string,
): Promise<PrivateDocumentsRun> {
  const { requests, turnsInRound, warmTurns } = pace.brief ? few : usual;
  const uuids = await writeToAnn(place, world, data);
  const hub = await startKeepingHub(place, baseUrl, data, profile);
  const examples = { private: { pem, item: await documentOf(hub, await signedGet(`/item/${uuids[0]}`)) } };
  const floor = await startFloor({ settings: place.settings, baseUrl, film: "", examples });
  const kinds: [Server, (uuid: string) => string][] = [
    [hub, (uuid) => `/item/${uuid}`],
    [floor, (uuid) => `/private?uuid=${uuid}`],
  ];
  const found = kinds.map((): number[] => []);
  try {
    for (let turn = -warmTurns; turn < pace.rounds * turnsInRound; turn++)
      for (const [place, [server, path]] of kinds.entries()) {
        const calls = Array.from({ length: requests }, (_, n) => signedGet(path(uuids[n % uuids.length]!)));
        const cpu = await cpuOfEach(await Promise.all(calls), server, loader, pace);
        if (turn >= 0) found[place]!.push(cpu);
      }
  } finally {
    await hub.stop();
    await floor.stop();
  }
  const [ofHub, ofFloor] = found.map((cpu) => 1e6 / middle(cpu));
  return { hub: ofHub!, floor: ofFloor! };
}

/** She follows people here, each of whom writes something for her alone; answers the uuids. */
async function writeToAnn(place: DatabasePlace, { residents }: World, data: string): Promise<string[]> {
  const uuids: string[] = [];
  await meetAnn(place, data, async (hub, met) => {
    for (const { uid } of residents.slice(0, writers)) {
      const author = (await findChannelById(hub, uid))!;
      await receiveFollow(hub, author, met, `${ann}#follow-${uid}`);
      const audience = { allow_cid: [ann], allow_gid: [], deny_cid: [], deny_gid: [] };
      const { uuid } = await postItem(hub, author, { body: `For you alone, from ${uid}: a #secret`, audience });
      uuids.push(uuid);
    }
  });
  return uuids;
}

async function signedGet(path: string): Promise<Call> {
  const request = { method: "GET", url: `${baseUrl}${path}`, headers: { accept: "application/activity+json" } };
  return { method: "GET", path, headers: await signerOfAnn("cavage")(request) };
}

/** By a client that sends the host that was signed. */
async function documentOf({ port }: Server, { path, headers }: Call): Promise<object> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path, headers: headers! }, resolve).on("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} for ${path}`);
  return (await json(response)) as object;
}
