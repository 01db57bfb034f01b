import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { packTar } from "modern-tar";
import { readConfig } from "../../src/config/config.ts";
import { methodsOf } from "../../src/http/endpoint.ts";
import { rowsOf } from "../../src/http/face.ts";
import { faces } from "../../src/main.ts";
import { openOwnHub } from "../../src/open-own-hub.ts";
import { migrationsFor } from "../../src/storage/migrations/index.ts";
import { version } from "../../src/version.ts";
import { hubbubJson, newPlace } from "../support/command.ts";
import type { Place } from "../support/command.ts";
import { crawl } from "../support/crawl.ts";
import { openElsewhere } from "../support/elsewhere.ts";
import { findPrograms } from "../support/find-postgres.ts";
import { password, takeKeys } from "../support/hub.ts";
import { startCluster } from "../support/postgres.ts";
import { visitorOf } from "../support/visitor.ts";
import type { VisitedPage } from "../support/visitor.ts";
import { ask, comparable, openKept } from "./kept.ts";
import type { Answer, Kept, Opened } from "./kept.ts";
import { fillWorld } from "./world.ts";
import type { Askers } from "./world.ts";

/** `npm run keep-version`: leaves a small hub of this version for those that come (README.md). */

type Question = Pick<Answer, "who" | "path">;

async function main(): Promise<void> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("What a version leaves on PostgreSQL needs its programs here.");
  const folder = join(import.meta.dirname, Object.keys(migrationsFor("sqlite")).at(-1)!);
  mkdirSync(folder);
  try {
    await keep(folder, programs);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

async function keep(folder: string, programs: string): Promise<void> {
  const place = await newPlace({ HUBBUB_BASE_URL: "http://hub.example", HUBBUB_LOG_LEVEL: "off" });
  const { guest, ...kept } = await makeWorld(place);
  write(folder, "data.tar.br", await tarOf(place.folder));
  await hubbubJson(place, "backup", join(folder, "hubbub.backup.gz"));
  const mark = readFileSync(join(place.folder, "hubbub-id"), "utf8").trim();
  write(folder, "hubbub.sql.br", await statementsOf(join(folder, "hubbub.backup.gz"), mark, programs));
  await place.remove();
  const found = await withKept(folder, kept, (opened) => findQuestions(opened, kept, guest));
  const [once, again] = [await answersTo(found, folder, kept), await answersTo(found, folder, kept)];
  const answers = once.filter((answer, at) => lasts(answer, again[at]!));
  write(folder, "answers.json.br", JSON.stringify({ ...kept, answers } satisfies Kept));
  process.stdout.write(`${folder}: ${answers.length} answers; ${once.length - answers.length} were left out.\n`);
}

/** Makes the hub; answers all that is kept of it besides. */
async function makeWorld(place: Place): Promise<Omit<Kept, "answers"> & Askers> {
  let time = Date.parse("2026-03-01T12:00:00Z");
  const { fetch } = openElsewhere();
  const hub = await openOwnHub(readConfig(place.env), { clock: () => new Date(time), makeKeys: takeKeys, fetch });
  const askers = await fillWorld(
    Object.assign(hub, {
      setClock: (moment: Date | string) => void (time = new Date(moment).getTime()),
      advance: (seconds: number) => void (time += seconds * 1000),
    }),
  );
  await hub.close();
  return { clock: new Date(time).toISOString(), base: hub.config.baseUrl, password, ...askers };
}

function write(folder: string, name: string, content: Uint8Array | string): void {
  const bytes = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(join(folder, name), brotliCompressSync(bytes, { params }));
}

function tarOf(folder: string): Promise<Uint8Array> {
  const names = globSync("**", { cwd: folder, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && !/-(?:held|wal|shm)$/.test(entry.name) ? [join(entry.parentPath, entry.name)] : [],
  );
  const entries = names.toSorted().map((file) => {
    const body = readFileSync(file);
    return { header: { name: file.slice(folder.length + 1), size: body.length }, body };
  });
  return packTar(entries);
}

/** The backup on PostgreSQL, in statements that every server takes; it belongs to the data folder with that mark. */
async function statementsOf(backup: string, mark: string, programs: string): Promise<string> {
  const cluster = await startCluster(programs);
  const place = await newPlace({ HUBBUB_DATABASE_URL: cluster.url, HUBBUB_BASE_URL: "http://hub.example" });
  try {
    await hubbubJson(place, "restore", backup);
    const flags = ["--inserts", "--no-owner", "--no-privileges", "--dbname", cluster.url];
    const dumped = execFileSync(join(programs, "pg_dump"), flags, { encoding: "utf8", maxBuffer: 2 ** 28 });
    // Functions name tables that come after them.
    return dumped
      .replaceAll(/^(?:SET (?!check_function_bodies)|SELECT pg_catalog\.set_config\b|\\(?:un)?restrict\b).*\n/gm, "")
      .replace(/(?<=VALUES \('data_folder', ')[^']*/, mark);
  } finally {
    await place.remove();
    await cluster.stop();
  }
}

async function withKept<T>(folder: string, kept: Omit<Kept, "answers">, work: (opened: Opened) => Promise<T>) {
  const opened = await openKept(folder, "database", kept);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** All are asked in the same order from the same beginning, since some change what later ones answer. */
function answersTo(questions: Question[], folder: string, kept: Omit<Kept, "answers">): Promise<Answer[]> {
  return withKept(folder, kept, async (opened) => {
    const answers: Answer[] = [];
    for (const question of questions) answers.push(await ask(opened, kept, question));
    return answers;
  });
}

/** What is answered otherwise each time, or by each version, cannot be compared; what is refused says little. */
function lasts(answer: Answer, again: Answer): boolean {
  const text = JSON.stringify(comparable(answer));
  return answer.status < 500 && text === JSON.stringify(comparable(again)) && !text.includes(version);
}

async function findQuestions(opened: Opened, kept: Omit<Kept, "answers">, guest: string): Promise<Question[]> {
  const plain = await plainPaths();
  const { alma: almas, bob: bobs } = await itemsOf(opened);
  const about = (ids: number[]): string[] =>
    ids.flatMap((id) => [
      `/api/statuses/show.json?id=${id}&include_entities=1`,
      `/api/z/1.0/item/full.json?item_id=${id}`,
    ]);
  const start = ["/", "/network", "/channel/alma", "/profile/alma", "/cloud/alma", "/photos/alma", "/wiki/alma"];
  const own = [...start, "/events", "/mail", "/settings", "/connections", "/webpages/alma", "/notifications"];
  const [forAlma, forBob, forAll] = [
    await pathsFor(opened, [...own, "/page/alma/about-us"], kept.sessions["alma"]),
    await pathsFor(opened, own, kept.sessions["bob"]),
    await pathsFor(opened, [...start, "/directory", "/channel/bob"]),
  ];
  const documents = forAll.filter((path) => /^\/(?:channel|item|outbox|activity)\/[\w-]+$/.test(path));
  const questions = [
    ...asked("password alma", [...plain.logIn, ...about(almas)]),
    ...asked("password bob", [...plain.logIn, ...about(bobs)]),
    ...asked("bearer alma", [...plain.bearer, ...almas.map((id) => `/api/v1/statuses/${id}`)]),
    ...asked("bearer bob", plain.bearer),
    ...asked("application alma", ["/api/account/verify_credentials.json", "/api/z/1.0/channel/stream.json"]),
    ...asked("session alma", forAlma),
    ...asked("session bob", forBob),
    ...asked("nobody", forAll),
    ...asked(
      "guest",
      start.map((path) => `${path}?zat=${guest}`),
    ),
    ...asked("server", documents),
  ];
  // Only what there is tells whether it is still there; who may not see it is asked by the pages.
  const answers: Answer[] = [];
  for (const question of questions) answers.push(await ask(opened, kept, question));
  return questions.filter((_, at) => answers[at]!.status < 400);
}

function asked(who: string, paths: string[]): Question[] {
  return paths.map((path) => ({ who, path }));
}

/** Everything in the APIs that is read without parameters, by the credentials that it takes. */
async function plainPaths(): Promise<{ logIn: string[]; bearer: string[] }> {
  const found = { logIn: [] as string[], bearer: [] as string[] };
  for (const face of faces) {
    const rows = (await rowsOf(face)).filter(
      (row) => methodsOf(row, "").includes("GET") && !row.writes && !row.textType && !row.path.includes(":"),
    );
    const paths = rows.map((row) => face.paths(row)[0]!.path);
    const ends = face.formats.length === 0 ? [""] : face.formats.filter((end) => /^(?:json|xml)$/.test(end));
    if (face.credentials === "bearer") found.bearer.push(...paths);
    else found.logIn.push(...paths.flatMap((path) => ends.map((end) => (end === "" ? path : `${path}.${end}`))));
  }
  return found;
}

async function itemsOf({ hub }: Opened): Promise<{ alma: number[]; bob: number[] }> {
  const idsOf = async (nick: string): Promise<number[]> => {
    const rows = hub.db.selectFrom("item").innerJoin("channel", "channel_id", "item.uid").select("item.id");
    return (await rows.where("channel_address", "=", nick).orderBy("item.id").execute()).map(({ id }) => id);
  };
  return { alma: await idsOf("alma"), bob: await idsOf("bob") };
}

/** The pages, photos and files that links lead to. */
async function pathsFor({ app }: Opened, start: string[], cookie = ""): Promise<string[]> {
  const visitor = visitorOf(app);
  for (const part of cookie.split("; ").filter(Boolean)) {
    const [name = "", value = ""] = part.split(/=(.*)/s);
    visitor.cookies.set(name, value);
  }
  const shown = new Set<string>();
  const keep = (path: string, { status }: VisitedPage): void => void (status < 400 && shown.add(path));
  const kindOf = (path: string): string | undefined =>
    /^\/(?:logout|assets|source|help|api|live)\b/.test(path) ? undefined : path.split(/[/?]/)[1]!;
  await crawl(visitor, start, kindOf, keep, 3);
  return [...shown];
}

await main();
