import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Environment } from "../src/config/read.ts";
import { checkFiles } from "../src/domain/files/check-files.ts";
import { runDue } from "../src/jobs/runner.ts";
import { unusedBlobs } from "../src/storage/blobs/names.ts";
import { basic } from "./support/client.ts";
import { makePeople, newPlace, openPlace, serve } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { hasSwift, warnWithoutSwift } from "./support/find-swift.ts";
import { password } from "./support/hub.ts";
import { killMeanwhile } from "./support/kill-nine.ts";
import { formWith, picture } from "./support/pictures.ts";
import { startS3Server } from "./support/s3-server.ts";
import type { S3Server } from "./support/s3-server.ts";
import { size } from "./support/size.ts";

/** Pieces of an upload that were acknowledged survive whatever kills the process, and the file is all of them or none. */

const rounds = size(2, 10);

let png: Buffer;
beforeAll(async () => void (png = await picture(500, 400).png({ compressionLevel: 0 }).toBuffer()));

let server: S3Server | undefined;
beforeAll(async () => void (server = hasSwift ? await startS3Server() : warnWithoutSwift()));
afterAll(() => server?.stop());

let place: Place;
afterEach(() => place.remove());

type Uploading = { id: string; acknowledged: Set<number>; finished: boolean };

const piece = 100_000;
const pieces = () => Math.ceil(png.length / piece);

const stores: Record<string, () => Promise<Environment>> = {
  "in a directory": () => Promise.resolve({}),
  ...(hasSwift && { "on S3": async () => ({ HUBBUB_BLOBS_URL: (await server!.bucket()).url }) }),
};

test.each(Object.entries(stores))(
  "kill -9 between pieces %s loses nothing that was acknowledged",
  async (_where, env) => {
    place = await newPlace(await env());
    await makePeople(place, "anna");
    const uploads: Uploading[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = uploads.length;
      const uploading = async () => {
        await finish(uploads);
        await uploadUntilDead(uploads);
      };
      await killMeanwhile(place, uploading, () => uploads.length > before, 400);
    }
    const running = await serve(place);
    await finish(uploads);
    await running.stop();
    await check(uploads);
  },
);

/** One upload after the other until the hub does not answer any more. */
async function uploadUntilDead(uploads: Uploading[]): Promise<void> {
  for (;;) {
    const begun = await call({ command: "INIT", total_bytes: String(png.length), media_type: "image/png" });
    if (!begun) return;
    const upload: Uploading = { id: begun.media_id_string, acknowledged: new Set(), finished: false };
    uploads.push(upload);
    if (!(await send(upload)) || !(await finalize(upload))) return;
  }
}

/** After the restart: only what was not acknowledged is sent. */
async function finish(uploads: readonly Uploading[]): Promise<void> {
  for (const upload of uploads.filter((one) => !one.finished)) {
    expect(await send(upload)).toBe(true);
    expect(await finalize(upload)).toBe(true);
  }
}

async function send(upload: Uploading): Promise<boolean> {
  for (let index = 0; index < pieces(); index++) {
    if (upload.acknowledged.has(index)) continue;
    const bytes = png.subarray(index * piece, (index + 1) * piece);
    const fields = { command: "APPEND", media_id: upload.id, segment_index: String(index) };
    if (!(await call(fields, bytes))) return false;
    upload.acknowledged.add(index);
  }
  return true;
}

async function finalize(upload: Uploading): Promise<boolean> {
  const answer = await call({ command: "FINALIZE", media_id: upload.id });
  upload.finished = answer?.image?.w === 500;
  return upload.finished;
}

/** Undefined when the hub is dead. Pieces that are there already may be refused once the upload is finished. */
async function call(fields: Record<string, string>, bytes?: Buffer): Promise<any> {
  const body = formWith(fields, bytes ? [["media", bytes, "blob", "application/octet-stream"]] : []);
  try {
    const headers = { authorization: basic(`anna:${password}`) };
    const response = await fetch(`${place.url}/api/media/upload.json`, { method: "POST", headers, body });
    const json: any = await response.json();
    if (response.status === 400 && json.error === "This upload is finished.") return {};
    expect([response.status, json]).toEqual([200, json]);
    return json;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function check(uploads: readonly Uploading[]): Promise<void> {
  const hub = await openPlace(place, 25 * 3600);
  const files = await hub.db.selectFrom("attach").select("hash").where("is_photo", "=", 1).execute();
  expect(files.length).toBe(uploads.length);
  // An upload that was begun may have died with its answer: nobody knows of it, and it has no file.
  const named = await hub.db.selectFrom("upload").select("hash").where("hash", "!=", "").execute();
  expect(named.map((row) => row.hash).toSorted()).toEqual(files.map((row) => row.hash).toSorted());
  expect(await hub.db.selectFrom("upload_piece").selectAll().execute()).toEqual([]);
  await runDue(hub);
  const blobs = (await Array.fromAsync(hub.blobs.kept())).map(({ name }) => name);
  expect(await unusedBlobs(hub.db, hub.engine, blobs)).toEqual([]);
  // And nothing that rows speak of is lost.
  expect((await checkFiles(hub, { repair: false, tell: () => undefined })).lost.count).toBe(0);
  await hub.close();
}
