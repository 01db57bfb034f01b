import sharp from "sharp";
import { basic } from "../test/support/client.ts";
import { cases } from "./cases.ts";
import type { World } from "./dataset.ts";
import { password } from "./dataset/people.ts";
import { logIn } from "./log-in.ts";
import { untilIdle } from "./processes.ts";
import type { Loader, Server } from "./processes.ts";

/** How long people wait while somebody else uploads photos, and how long that one waits. */
export type UploadRun = {
  photos: number;
  /** Seconds until the answer: usual and longest. */
  median: number;
  longest: number;
  /** Milliseconds of the other requests. */
  p99: number;
  /** The same while nobody uploads. */
  alone: number;
};

export const uploadCase = "item/update, 12-megapixel photo";

const seconds = 10;
const readers = { connections: 4, pause: 20, most: 100_000 };

/** Uploads photos one after the other while others read their home timelines at a human pace. */
export async function benchUpload(world: World, hub: Server, loader: Loader): Promise<UploadRun> {
  const photo = await photoOfCamera();
  const who = world.lonely[1]!;
  await upload(hub, who.nick, photo);
  await untilIdle(hub.process);
  const calls = cases[0]!.pairs(world).map((pair) => pair.hub);
  const order = { ...readers, port: hub.port, calls };
  await logIn(hub, calls);
  const alone = await loader.run({ ...order, seconds: seconds / 2 });
  let over = false;
  const load = loader.run({ ...order, seconds }).finally(() => (over = true));
  const times: number[] = [];
  while (!over) times.push(await upload(hub, who.nick, photo));
  const { times: others, errors } = await load;
  if (errors.length > 0) throw new Error(`Requests failed: ${errors.slice(0, 3).join("; ")}`);
  const sorted = times.toSorted((one, other) => one - other);
  return {
    photos: times.length,
    median: sorted[Math.floor(sorted.length / 2)]!,
    longest: sorted.at(-1)!,
    p99: at99(others),
    alone: at99(alone.times),
  };
}

/** Twelve megapixels with as much detail as a photo has, lying on its side as telephones store it. */
async function photoOfCamera(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const detail = await sharp({ create: { width: 1000, height: 750, channels: 3, background: "#888", noise } })
    .blur(1.2)
    .png()
    .toBuffer();
  return sharp(detail).resize(4000, 3000).withMetadata({ orientation: 6 }).jpeg({ quality: 92 }).toBuffer();
}

async function upload({ port }: Server, nick: string, photo: Buffer): Promise<number> {
  const form = new FormData();
  form.append("body", "A photo");
  form.append("media", new File([new Uint8Array(photo)], "photo.jpg", { type: "image/jpeg" }));
  const authorization = basic(`${nick}:${password}`);
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/z/1.0/item/update`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The upload was refused with ${response.status}: ${text.slice(0, 300)}`);
  return (performance.now() - started) / 1000;
}

function at99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))]!;
}
