import { randomUUID } from "node:crypto";
import type { Scheme } from "../src/faces/federation/signatures/claim.ts";
import { ann, meetAnn, pem, signerOfAnn } from "./ann.ts";
import { baseUrl } from "./dataset.ts";
import type { DatabasePlace } from "./databases.ts";
import type { Call } from "./load/main.ts";
import { at, checked, cpuOfEach, middle } from "./measure.ts";
import type { Pace } from "./measure.ts";
import { startFloor, startKeepingHub, untilIdle } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";

/** Posts that a second of a process's CPU is enough for: verified and on the disk. */
export type InboxRun = {
  /** Of the hub, by the way of signing. */
  cavage: number;
  messages: number;
  /** Of the floor. */
  floor: number;
  /** p99 of the hub's answer at a hundred posts a second, in milliseconds. */
  p99: number;
};

export const inboxCase = "inbox posts";

/** Requests in a turn, and turns in which the code gets warm and which do not count. */
const usual = { requests: 500, turnsInRound: 3, warmTurns: 3 };
const few: typeof usual = { requests: 30, turnsInRound: 1, warmTurns: 0 };
const bytesOfEach = 2000;
/** Posts at a pace of a hundred a second: each connection waits so many milliseconds before the next one. */
const steady = { connections: 4, pause: 40 };

/** Measures by turns; each post is signed before its turn, by a key that the hub knows. Nothing takes effect meanwhile. */
export async function benchInbox(
  place: DatabasePlace,
  data: string,
  loader: Loader,
  pace: Pace,
  profile?: string,
): Promise<InboxRun> {
  const { requests, turnsInRound, warmTurns } = pace.brief ? few : usual;
  await meetAnn(place, data);
  const { settings } = place;
  const floor = await startFloor({ settings, baseUrl, film: "", examples: { inbox: { pem } } });
  const hub = await startKeepingHub(place, baseUrl, data, profile);
  const kinds: [Server, Scheme][] = [
    [hub, "cavage"],
    [hub, "rfc9421"],
    [floor, "cavage"],
  ];
  const found = kinds.map((): number[] => []);
  let p99: number;
  try {
    for (let turn = -warmTurns; turn < pace.rounds * turnsInRound; turn++)
      for (const [place, [server, scheme]] of kinds.entries()) {
        const posts = await Promise.all(Array.from({ length: requests }, () => signedPost(scheme)));
        const cpu = await cpuOfEach(posts, server, loader, pace);
        if (turn >= 0) found[place]!.push(cpu);
      }
    await untilIdle(hub.process);
    const calls = await Promise.all(Array.from({ length: 2 * requests }, () => signedPost("cavage")));
    const result = await loader.run({ ...steady, port: hub.port, calls, seconds: 60, most: calls.length });
    p99 = at(checked(result).times, 0.99);
  } finally {
    await hub.stop();
    await floor.stop();
  }
  const [cavage, messages, bare] = found.map((cpu) => 1e6 / middle(cpu));
  return { cavage: cavage!, messages: messages!, floor: bare!, p99 };
}

/** A post of Ann's that nobody has seen yet, signed. */
export async function signedPost(scheme: Scheme): Promise<Call> {
  const id = `https://far.example/note/${randomUUID()}`;
  const object = { id, type: "Note", attributedTo: ann, to: "as:Public", content: "" };
  const empty = JSON.stringify({ id: `${id}#create`, type: "Create", actor: ann, object });
  const body = empty.replace('"content":""', `"content":"${"x".repeat(bytesOfEach - empty.length)}"`);
  const type = { "content-type": "application/activity+json" };
  const headers = await signerOfAnn(scheme)({
    method: "POST",
    url: `${baseUrl}/inbox`,
    headers: type,
    body: Buffer.from(body),
  });
  return { method: "POST", path: "/inbox", headers, body };
}
