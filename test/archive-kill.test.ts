import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { unpackTar } from "modern-tar";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { archiveNow, orderIn, rowOf, saveArchivePlace } from "../src/domain/archives/archive-place.ts";
import { openArchivePlace } from "../src/domain/archives/open-place.ts";
import { findChannelByNick } from "../src/domain/identity/channels/channels.ts";
import { certain } from "../src/errors.ts";
import type { Hub } from "../src/hub.ts";
import { runDue } from "../src/jobs/runner.ts";
import { makePeople, newPlace, openPlace } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { put } from "./support/files.ts";
import { hasSwift, warnWithoutSwift } from "./support/find-swift.ts";
import { killMeanwhile } from "./support/kill-nine.ts";
import { startS3Server } from "./support/s3-server.ts";
import type { S3Server } from "./support/s3-server.ts";
import { size } from "./support/size.ts";
import { hasWebdav, startWebdavServer } from "./support/webdav-server.ts";
import type { WebdavServer } from "./support/webdav-server.ts";

/** The archives of people are whole or not there, and each is there once, whatever kills the hub while one is on its way. */

const rounds = size(1, 10);

let webdav: WebdavServer | undefined;
let s3: S3Server | undefined;
beforeAll(async () => {
  if (hasWebdav) webdav = await startWebdavServer();
  s3 = hasSwift ? await startS3Server() : warnWithoutSwift();
});
afterAll(async () => {
  await webdav?.stop();
  await s3?.stop();
});

let place: Place;
afterEach(() => place.remove());

type Store = {
  kind: "webdav" | "s3";
  address: string;
  login: string;
  password: string;
  server: Pick<WebdavServer, "hang" | "goOn">;
  /** How much was begun there and is neither ended nor given up. */
  halves(): Promise<number>;
};

const isArchive = (name: string): boolean => name.endsWith(".tar");

test.runIf(hasWebdav)("kill -9 while an archive is on its way to WebDAV", async () => {
  const { address, login, password, arriving, names } = webdav!;
  const halves = () => Promise.resolve(arriving() + names().filter((name) => !isArchive(name)).length);
  await killOnTheWay({ kind: "webdav", address, login, password, server: webdav!, halves });
});

test.runIf(hasSwift)("kill -9 while an archive is on its way to S3", async () => {
  const { name, url } = await s3!.bucket();
  const { username, password } = new URL(url);
  const account = { address: `${s3!.endpoint}/${name}`, login: decodeURIComponent(username), password };
  await killOnTheWay({ kind: "s3", ...account, server: s3!, halves: () => s3!.uploads(name) });
});

async function killOnTheWay({ server, halves, ...account }: Store): Promise<void> {
  place = await newPlace({ HUBBUB_IMPORT_FROM: "127.0.0.1" });
  await makePeople(place, "anna");
  const hub = await openPlace(place);
  const anna = certain(await findChannelByNick(hub, "anna"), "channel");
  // Of so many bytes that S3 gets them in three parts.
  const file = await put(hub, anna, "noise.bin", randomBytes(20_000_000));
  const order = { ...account, region: "", passphrase: "", every: "day", keep: 100 } as const;
  expect(await saveArchivePlace(hub, anna.channel_id, order)).toBeUndefined();
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await archiveNow(hub, anna.channel_id);
    const { last_name: before } = (await rowOf(hub, anna.channel_id))!;
    let hasBegun = false;
    const watch = async (): Promise<void> => {
      while (!hasBegun) {
        hasBegun = (await halves()) > 0 || (await rowOf(hub, anna.channel_id))!.last_name !== before;
        await sleep(5);
      }
      // Now and then it goes on until the hub is killed; otherwise no further than that.
      if (round % 3 === 0) server.hang();
      while (await isServing()) await sleep(20);
    };
    try {
      await killMeanwhile(place, watch, () => hasBegun, 200);
    } finally {
      server.goOn();
    }
    await findWhole(hub, anna.channel_id, file.hash);
    await finish(600);
    expect(await rowOf(hub, anna.channel_id)).toMatchObject({ under_way: "", failures: 0, sent: 0 });
    expect(await findWhole(hub, anna.channel_id, file.hash)).toHaveLength(round + 1);
  }
  await archiveNow(hub, anna.channel_id);
  // By a clock that is days ahead, staged bytes are old as soon as they are there: their sweeping may fail an archive, which comes again.
  for (const later of [0, 600]) await finish(3 * 24 * 3600 + later);
  await expect.poll(halves).toBe(0);
  await hub.close();
}

async function isServing(): Promise<boolean> {
  return fetch(`${place.url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What is due by then is done; a worker that was killed holds its jobs for some seconds more. */
async function finish(secondsLater: number): Promise<void> {
  const later = await openPlace(place, secondsLater);
  await runDue(later);
  await later.close();
}

/** The archives that are there, of which each is whole and has the file. */
async function findWhole(hub: Hub, uid: number, hash: string): Promise<string[]> {
  const order = await orderIn(hub, (await rowOf(hub, uid))!);
  const there = openArchivePlace(hub, order!, AbortSignal.timeout(60_000));
  const names = (await Array.fromAsync(there.list("hubbub-anna-"))).map(({ name }) => name).filter(isArchive);
  for (const name of names) {
    const entries = await unpackTar(await buffer(await there.read(name)));
    const text = (path: string) => Buffer.from(entries.find(({ header }) => header.name === path)!.data!).toString();
    const sums = new Map(entries.map(({ header, data = [] }) => [header.name, sum(Uint8Array.from(data))]));
    const listed = text("SHA256SUMS").trim().split("\n");
    expect(listed.filter((line) => sums.get(line.slice(66)) !== line.slice(0, 64))).toEqual([]);
    expect(text("SHA256SUMS.sig")).not.toBe("");
    expect(JSON.stringify([...sums.keys()])).toContain(hash);
  }
  return names;
}

function sum(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
