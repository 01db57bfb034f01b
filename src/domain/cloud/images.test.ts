import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { only, put, staged } from "../../../test/support/files.ts";
import { onPostgres, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { newcomer, nobody } from "../../../test/support/people.ts";
import { HubError } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import { runDue } from "../../jobs/runner.ts";
import { ownFile } from "../files/find.ts";
import { lockFiles } from "../files/lock.ts";
import { setStorageQuota } from "../files/quota.ts";
import type { File } from "../files/types.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { withUploads } from "../photos/uploads.ts";
import { postItem } from "../items/posting/post.ts";
import { prepareUse } from "../photos/prepare.ts";
import { usePhoto } from "../photos/use.ts";
import { choosePhotoFor, uploadPhotoFor } from "./channel-photos.ts";
import { changeAudience, makeDirectory, remove, rename } from "./change.ts";
import { uploadMedia } from "./media.ts";
import { changePhoto, createPhoto } from "./photos.ts";
import { newRevision } from "./upload.ts";

/** Files that are images: their photo rows and linked items go with them, whatever happens to the file. */

let hub: TestHub;
let ann: Channel;
let people = 0;

beforeAll(async () => void (hub = await openTestHub()));
afterAll(() => hub.close());
beforeEach(async () => void (ann = await newcomer(hub, `p${++people}`)));

function picture(red: number, width = 1200): Promise<Buffer> {
  const background = { r: red, g: 80, b: 90 };
  return sharp({ create: { width, height: 900, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function scales({ hash }: File): Promise<number[]> {
  const rows = await hub.db.selectFrom("photo").select("imgscale").where("resource_id", "=", hash).execute();
  return rows.map((row) => row.imgscale).toSorted((a, b) => a - b);
}

/** The linked items of the image that stand. */
async function items({ hash }: File) {
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.allow_cid", "item.item_hidden", "message.resource_id"])
    .where("resource_type", "=", "photo")
    .where("resource_id", "=", hash)
    .where("item_deleted", "=", 0)
    .execute();
}

async function blobsOf({ hash }: File): Promise<string[]> {
  const rows = await hub.db.selectFrom("photo").select("blob").where("resource_id", "=", hash).execute();
  return [...new Set(rows.map((row) => row.blob))];
}

async function kept(blobs: readonly string[]): Promise<number> {
  const found = await Promise.all(
    blobs.map((name) =>
      hub.blobs.readAt(name, 0, 1).then(
        () => 1,
        () => 0,
      ),
    ),
  );
  return found.filter((one) => one === 1).length;
}

test("an image has photo rows and one hidden item, and loses them with the file", async () => {
  const file = await put(hub, ann, "tree.txt", await picture(1), { type: "text/plain", audience: only(ann) });
  expect(file).toMatchObject({ is_photo: 1, filetype: "image/jpeg" });
  expect(await scales(file)).toEqual([0, 1, 2, 3]);
  expect(await items(file)).toMatchObject([{ item_hidden: 1, allow_cid: `<${ann.channel_hash}>` }]);
  await changeAudience(hub, ann, ann, file.hash, nobody);
  expect(await items(file)).toMatchObject([{ allow_cid: "" }]);
  await rename(hub, ann, ann, file.hash, "Tree.jpg");
  const blobs = await blobsOf(file);
  await runDue(hub);
  expect(await kept(blobs)).toBe(blobs.length);
  await remove(hub, ann, ann, file.hash);
  await runDue(hub);
  expect([await scales(file), await items(file), await kept(blobs)]).toEqual([[], [], 0]);
});

test("a directory takes its images along", async () => {
  const folder = await makeDirectory(hub, ann, ann, { folder: "", name: "Trees" });
  const inside = { folder: { hash: folder.hash } };
  const files = [
    await put(hub, ann, "a.jpg", await picture(2), inside),
    await put(hub, ann, "b.jpg", await picture(3), inside),
  ];
  await remove(hub, ann, ann, folder.hash);
  for (const file of files) expect([await scales(file), await items(file)]).toEqual([[], []]);
});

test("a new version shows the new image, or none when it is none any more", async () => {
  const file = await put(hub, ann, "tree.jpg", await picture(4));
  const old = await blobsOf(file);
  await newRevision(hub, ann, ann, file.hash, await staged(hub, await picture(5)), "");
  await runDue(hub);
  expect([await scales(file), (await items(file)).length]).toEqual([[0, 1, 2, 3], 1]);
  // The bytes of the first version stay with its row, its renditions go.
  expect([await kept([file.blob]), await kept(old)]).toEqual([1, 1]);
  expect(await kept(await blobsOf(file))).toBeGreaterThan(1);
  const text = await newRevision(hub, ann, ann, file.hash, await staged(hub, "no tree"), "text/plain");
  expect(text).toMatchObject({ revision: 2, is_photo: 0, filetype: "text/plain" });
  expect([await scales(file), await items(file)]).toEqual([[], []]);
});

test("overwriting by name puts photo rows and items right, through the storage and with posts", async () => {
  await setConfig(hub, ann.channel_id, "system", "overwrite_dup_files", "1");
  const file = await put(hub, ann, "image.jpg", await picture(6), { folder: { path: "2026-03" } });
  const old = await blobsOf(file);
  const bytes = await staged(hub, await picture(7, 700));
  const sent = [{ staged: bytes, filename: "image.jpg", type: "image/jpeg" }];
  await withUploads(hub, ann, sent, (media) =>
    postItem(hub, ann, { body: "again", media: [...media], audience: nobody }),
  );
  await runDue(hub);
  expect(await ownFile(hub, ann.channel_id, file.hash)).toMatchObject({ id: file.id, revision: 1, is_photo: 1 });
  expect([await scales(file), (await items(file)).length, await kept(old)]).toEqual([[0, 1, 2, 3], 1, 0]);
  await put(hub, ann, "image.jpg", "only words", { folder: { path: "2026-03" } });
  expect([await scales(file), await items(file)]).toEqual([[], []]);
  await put(hub, ann, "image.jpg", await picture(8), { folder: { path: "2026-03" } });
  expect([await scales(file), (await items(file)).length]).toEqual([[0, 1, 2, 3], 1]);
});

test("an upload that is refused leaves no bytes, whatever it was for", async () => {
  const file = await put(hub, ann, "tree.jpg", await picture(40, 300));
  await runDue(hub);
  const before = await countKept();
  const sent = async () => ({ staged: await staged(hub, await picture(41)), filename: "lake.jpg", type: "image/jpeg" });
  const uploads: Record<string, () => Promise<unknown>> = {
    file: () => put(hub, ann, "notes.txt", "words"),
    image: async () => put(hub, ann, "lake.jpg", await picture(42)),
    revision: async () => newRevision(hub, ann, ann, file.hash, await staged(hub, await picture(43)), ""),
    media: async () => {
      const { staged, ...claims } = await sent();
      return uploadMedia(hub, ann, staged, claims, { album: "", description: "A lake" });
    },
    photo: async () => createPhoto(hub, ann, await sent(), { album: "Lakes", description: "", audience: undefined }),
    "other bytes": async () => changePhoto(hub, ann, file.hash, { image: await sent() }),
    "profile photo": async () => {
      const { staged, ...claims } = await sent();
      return uploadPhotoFor(hub, "profile", ann, staged, claims);
    },
    "cover photo": async () => {
      const { staged, ...claims } = await sent();
      return uploadPhotoFor(hub, "cover", ann, staged, claims);
    },
    post: async () =>
      withUploads(hub, ann, [await sent()], (media) => postItem(hub, ann, { body: "A lake", media: [...media] })),
  };
  const refusals = async (): Promise<unknown> => {
    const answers: Record<string, unknown> = {};
    for (const [name, upload] of Object.entries(uploads)) {
      const refused = await upload().catch((error: unknown) => error);
      await runDue(hub);
      answers[name] = [refused instanceof HubError && refused.code, await countKept()];
    }
    return answers;
  };
  const all = (code: string) => Object.fromEntries(Object.keys(uploads).map((name) => [name, [code, before]]));
  await setStorageQuota(hub, 1);
  expect(await refusals()).toEqual(all("storage_full"));
  await setStorageQuota(hub, 0);
  ann = { ...ann, channel_moved: "https://new.example" };
  expect(await refusals()).toEqual(all("permission_denied"));
});

async function countKept(): Promise<number> {
  let count = 0;
  for await (const _one of hub.blobs.kept()) count++;
  return count;
}

if (onPostgres)
  test("a picture that is chosen twice at once is chosen one time after the other", async () => {
    const file = await put(hub, ann, "lake.jpg", await picture(30));
    const renditions = await prepareUse(hub, file.blob, "profile");
    const waiting = sql<object>`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let chosen: Promise<File> | undefined;
    await inTransaction(hub, async (inside) => {
      await lockFiles(inside, ann.channel_account_id);
      await usePhoto(inside, file, "profile", renditions);
      chosen = choosePhotoFor(hub, "profile", ann, file.hash);
      chosen.catch(() => undefined);
      await expect.poll(async () => (await waiting.execute(hub.db)).rows.length).toBe(1);
    });
    expect((await chosen!).hash).toBe(file.hash);
    expect(await scales(file)).toEqual([...new Set(await scales(file))]);
  });
