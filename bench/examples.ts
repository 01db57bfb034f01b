import { basic } from "../test/support/client.ts";
import type { Case, Pair } from "./cases/case.ts";
import type { World } from "./dataset.ts";
import type { Call } from "./load/main.ts";
import type { Server } from "./processes.ts";

/** Answers of the hub, one for each case: from these the floor takes the shape of its own. */
export async function examplesOf(cases: Case[], world: World, hub: Server): Promise<Record<string, unknown>> {
  const examples: Record<string, unknown> = {};
  for (const one of cases.filter(({ answer }) => answer === "json")) {
    for (const pair of one.pairs(world)) {
      const text = await ask(hub, pair.hub);
      if (text === "[]") continue;
      examples[one.floor] ??= JSON.parse(text);
      break;
    }
  }
  return examples;
}

/** The requests of a case. Pages differ in size, so the floor is told how large each is. */
export async function pairsOf(one: Case, world: World, hub: Server): Promise<Pair[]> {
  const pairs = one.pairs(world);
  if (one.answer !== "html") return pairs;
  const sized: Pair[] = [];
  for (const { hub: page, floor } of pairs) {
    const size = Buffer.byteLength(await ask(hub, page));
    sized.push({ hub: page, floor: { ...floor, path: `${floor.path}&size=${size}` } });
  }
  return sized;
}

const most = 0.05;

/** Makes sure that hub and floor answer the same: as many bytes within some percent, and the same ids. Throws otherwise. */
export async function compareAnswers(one: Case, pairs: Pair[], hub: Server, floor: Server): Promise<void> {
  if (one.writes || one.itself) return;
  for (let n = 0; n < 5; n++) {
    const pair = pairs[Math.floor((n * pairs.length) / 5)]!;
    const [ours, bare] = [await ask(hub, pair.hub), await ask(floor, pair.floor)];
    const difference =
      Math.abs(Buffer.byteLength(ours) - Buffer.byteLength(bare)) / Math.max(1000, Buffer.byteLength(ours));
    if (difference <= most && (one.answer === "html" || idsOf(ours) === idsOf(bare))) continue;
    throw new Error(
      `${one.name}: the floor's answer (${bare.length} characters) is not the hub's (${ours.length}) for ${pair.hub.path} of ${pair.hub.login}`,
    );
  }
}

function idsOf(text: string): string {
  const value: unknown = JSON.parse(text);
  const { results, attach, albums } = value as { results?: unknown; attach?: unknown; albums?: unknown };
  const list = results ?? attach ?? albums ?? value;
  return (Array.isArray(list) ? list : [list])
    .map((one: Record<string, unknown>) => String(one["id"] ?? one["hash"] ?? one["text"]))
    .join(" ");
}

async function ask(
  { port }: Server,
  { method, path, login, authorization, cookie, accept, body }: Call,
): Promise<string> {
  const headers: Record<string, string> =
    login === undefined ? { ...(authorization !== undefined && { authorization }) } : { authorization: basic(login) };
  if (cookie !== undefined) headers["cookie"] = cookie;
  if (accept !== undefined) headers["accept"] = accept;
  if (body !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} for ${method} ${path}: ${text.slice(0, 300)}`);
  return text;
}
