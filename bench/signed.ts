import { createHmac, randomUUID } from "node:crypto";
import { openDatabase } from "../src/storage/database.ts";
import { sqlDate } from "../src/storage/sql.ts";
import { cases } from "./cases.ts";
import type { DatabasePlace } from "./databases.ts";
import type { World } from "./dataset.ts";
import type { Call } from "./load/main.ts";
import { cpuOfEach, middle } from "./measure.ts";
import type { Pace } from "./measure.ts";
import type { Loader, Server } from "./processes.ts";

/** What it costs the hub that a request is signed, against the same one with a password. */
export type SignedRun = {
  /** CPU of the hub for each request, in microseconds, and what it is more with a signature. */
  reading: { basic: number; more: number };
  writing: { basic: number; more: number };
};

export const signedCase = "OAuth against Basic";

/** Requests in a turn. */
const requests = 400;
const turnsInRound = 6;
/** Turns in which the code gets warm; they do not count. */
const warmTurns = 4;
const secret = "the secret of the bench";

/** Measures by turns; every request is signed before its turn, for it is the hub that is asked what it costs. */
export async function benchSigned(
  place: DatabasePlace,
  world: World,
  hub: Server,
  loader: Loader,
  pace: Pace,
): Promise<SignedRun> {
  await giveTokens(place, world);
  const calls = (name: string): Call[] =>
    cases
      .find((one) => one.name === name)!
      .pairs(world)
      .map((pair) => pair.hub);
  const measure = (name: string) => compare(calls(name), world.baseUrl, hub, loader, pace);
  return { reading: await measure("statuses/home_timeline"), writing: await measure("statuses/update") };
}

/** Everybody lets the same application act for them; a token is the nick. */
async function giveTokens(place: DatabasePlace, world: World): Promise<void> {
  const db = openDatabase(place.settings);
  const created = sqlDate(new Date());
  const expires = sqlDate(new Date(Date.now() + 365 * 86_400_000));
  const client = { uid: 0, client_key: "bench", secret, name: "Bench", created };
  const { id } = await db.insertInto("oauth_client").values(client).returning("id").executeTakeFirstOrThrow();
  const people = [...world.residents, ...world.lonely];
  await db
    .insertInto("oauth_token")
    .values(
      people.map(({ nick, uid }) => ({ client_id: id, uid, kind: "access", token: nick, secret, created, expires })),
    )
    .execute();
  await db.destroy();
}

/**
 * The two kinds take short turns, and who goes first changes: what else the machine does, and what the hub gets faster or
 * slower with time, meets both. The figures are those of the middle half of all turns.
 */
async function compare(
  calls: Call[],
  baseUrl: string,
  hub: Server,
  loader: Loader,
  pace: Pace,
): Promise<{ basic: number; more: number }> {
  const found: { basic: number; more: number }[] = [];
  let sent = 0;
  const kinds = {
    basic: (call: Call) => call,
    signed: (call: Call) => sign(call, baseUrl),
  };
  const turn = (kind: keyof typeof kinds): Promise<number> => {
    const many = Array.from({ length: requests }, () => filled(calls[sent % calls.length]!, sent++));
    return cpuOfEach(many.map(kinds[kind]), hub, loader, pace);
  };
  for (let n = -warmTurns; n < pace.rounds * turnsInRound; n++) {
    const first = n % 2 === 0 ? await turn("basic") : undefined;
    const signed = await turn("signed");
    const basic = first ?? (await turn("basic"));
    if (n >= 0) found.push({ basic, more: signed - basic });
  }
  return { basic: middle(found.map((one) => one.basic)), more: middle(found.map((one) => one.more)) };
}

function filled(call: Call, n: number): Call {
  return call.body === undefined ? call : { ...call, body: call.body.replace("{n}", String(n)) };
}

/** The same request with a signature in place of the password (RFC 5849). */
function sign({ login, ...call }: Call, baseUrl: string): Call {
  const said = {
    oauth_consumer_key: "bench",
    oauth_nonce: randomUUID(),
    oauth_signature_method: "HMAC-SHA1",
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_token: login!.split(":")[0]!,
    oauth_version: "1.0",
  };
  const [path = "", query = ""] = call.path.split("?");
  const pairs = [...new URLSearchParams(query), ...new URLSearchParams(call.body), ...Object.entries(said)]
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .toSorted();
  const base = [call.method, `${baseUrl}${path}`, pairs.join("&")].map(encodeURIComponent).join("&");
  const key = `${encodeURIComponent(secret)}&${encodeURIComponent(secret)}`;
  const signature = createHmac("sha1", key).update(base).digest("base64");
  const header = Object.entries({ ...said, oauth_signature: signature })
    .map(([name, value]) => `${name}="${encodeURIComponent(value)}"`)
    .join(", ");
  return { ...call, authorization: `OAuth ${header}` };
}
