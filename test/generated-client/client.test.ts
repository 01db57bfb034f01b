import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../support/app.ts";
import type { TestApp } from "../support/app.ts";
import { basic } from "../support/client.ts";
import { password } from "../support/hub.ts";
import { typesOf } from "./generate.ts";

/** A client whose types are generated from the document compiles, knows what it gets, and gets that from a hub. */

const program = `
import type { paths } from "./api.ts";

type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: { content: { "application/json": infer T } } };
}
  ? T
  : never;

type Call = (path: string, init?: RequestInit) => Promise<Response>;

async function get<P extends keyof paths>(call: Call, path: P): Promise<Answer<P, "get">> {
  return (await (await call(path)).json()) as Answer<P, "get">;
}

async function post<P extends keyof paths>(call: Call, path: P, body: object): Promise<Answer<P, "post">> {
  const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  return (await (await call(path, init)).json()) as Answer<P, "post">;
}

export async function run(call: Call): Promise<unknown> {
  const me = await get(call, "/api/account/verify_credentials");
  const name: string = me.screen_name;
  // @ts-expect-error: numbers are no texts
  const wrong: string = me.id;
  const status = await post(call, "/api/statuses/update", { status: "From a typed client" });
  const likes: number = status.svc_activities.like.length;
  // @ts-expect-error: there is no such field
  void status.nothing;
  const timeline = await get(call, "/api/statuses/home_timeline");
  const texts: string[] = timeline.map((one) => one.text);
  const stored = await post(call, "/api/z/1.0/item/update", { body: "From another", title: "Native" });
  const id: string = stored.item.id;
  const stream = await get(call, "/api/z/1.0/network/stream");
  const titles: string[] = stream.map(({ title, owner }) => title + " by " + owner.name);
  return { name, wrong: typeof wrong, likes, texts, id: id === stored.item_id, titles };
}
`;

let world: TestApp;
let folder: string;

beforeAll(async () => {
  world = await openTestApp();
  await world.person("ann");
  // Below the repository, so that the compiler finds its libraries.
  folder = await mkdtemp(join(import.meta.dirname, "node_modules", "client-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await world.close();
});

test("it compiles, and its calls answer what the types say", async () => {
  const document = await (await world.app.request("http://hub.example/api/openapi.json")).text();
  await writeFile(join(folder, "api.ts"), await typesOf(document));
  await writeFile(join(folder, "program.ts"), program);
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "esnext",
    "--allowImportingTsExtensions",
  ];
  const tsc = resolve(import.meta.dirname, "../../node_modules/typescript/lib/tsc.js");
  const compiled = await promisify(execFile)(process.execPath, [tsc, ...options, "program.ts"], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe("");

  // Node reads no TypeScript below node_modules.
  const { run } = (await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(program))}`)) as {
    run(call: (path: string, init?: RequestInit) => Promise<Response>): Promise<unknown>;
  };
  const call = async (path: string, init: RequestInit = {}): Promise<Response> =>
    world.app.request(`http://hub.example${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: basic(`ann:${password}`) },
    });
  expect(await run(call)).toEqual({
    name: "ann",
    wrong: "number",
    likes: 0,
    texts: ["From a typed client"],
    id: true,
    titles: ["Native by Ann", " by Ann"],
  });
});
