import sharp from "sharp";
import { expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import { blurredPicture } from "./blurred-picture.ts";
import { hashPhotos } from "./hash-photos.ts";

test("what images look like from afar is known at once, and found out by a job where it is not", async () => {
  const { hub, person, close } = await openTestApp();
  const ann = await person("ann");
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: "#a33" } });
  const form = new FormData();
  form.set("body", "A wall");
  form.append("media", new Blob([new Uint8Array(await picture.png().toBuffer())]), "wall.png");
  await ann.send("POST", "/api/z/1.0/item/update", form);
  const hashes = async () =>
    (await hub.db.selectFrom("photo").select("blurhash").where("uid", "=", ann.channel.channel_id).execute()).map(
      (row) => row.blurhash,
    );
  const known = await hashes();
  expect(blurredPicture(known[0]!)).toMatch(/^data:image\/bmp;base64,/);
  await hub.db.updateTable("photo").set({ blurhash: "" }).execute();
  await hashPhotos(hub);
  expect(await hashes()).toEqual(known);
  // One whose bytes are gone is not asked for again.
  await hub.db.updateTable("photo").set({ blurhash: "", blob: "gone" }).execute();
  await hashPhotos(hub);
  expect(await hashes()).not.toContain("");
  await close();
});

test.each(["", "-", "LNJRdVM{00Rj%Mayt7j[4nWBofR", "x".repeat(200)])("%j is no look of an image", (blurhash) =>
  expect(blurredPicture(blurhash)).toBeUndefined(),
);
