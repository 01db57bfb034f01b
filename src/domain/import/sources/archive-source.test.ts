import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTarPacker } from "modern-tar";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blobEntry, channelEntry, fileEntry } from "../../export/archive-layout.ts";
import { archiveSource } from "./archive-source.ts";

/** An archive with so many files, each with a long form and some bytes: the decoder is ahead of its reader. */
async function archive(files: number): Promise<Buffer> {
  const { readable, controller } = createTarPacker();
  const add = async (name: string, data: Buffer): Promise<void> => {
    const writer = controller.add({ name, size: data.length, type: "file" }).getWriter();
    await writer.write(data);
    await writer.close();
  };
  const fill = async (): Promise<void> => {
    await add(channelEntry, Buffer.from('{"relocate":{"channel_address":"alma","url":"http://a.example"}}'));
    for (let number = 1; number <= files; number++) {
      await add(
        fileEntry(number),
        Buffer.from(JSON.stringify({ attach: [{ hash: `hash${number}` }], photo: "x".repeat(number * 5000) })),
      );
      await add(blobEntry(`hash${number}`, 0), Buffer.alloc(number * 100, number));
    }
    controller.finalize();
  };
  const [bytes] = await Promise.all([buffer(Readable.fromWeb(readable as never)), fill()]);
  return bytes;
}

const folder = mkdtempSync(join(tmpdir(), "hubbub-archive-"));
const file = join(folder, "alma.tar");
beforeAll(async () => writeFileSync(file, await archive(20)));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([1, 4, 16, 64, 256])("files whose bytes nobody wants are passed over, in pieces of %i KiB", async (kib) => {
  const source = archiveSource(() => Promise.resolve(createReadStream(file, { highWaterMark: kib * 1024 })));
  const hashes: unknown[] = [];
  for await (const { record } of source.rows(0)) hashes.push(record["attach"]);
  expect(hashes).toEqual(Array.from({ length: 20 }, (_, place) => [{ hash: `hash${place + 1}` }]));
  expect((await source.head()).total).toBe(20);
});
