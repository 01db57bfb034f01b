import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Channel } from "../domain/identity/channels/channel.ts";
import { exportArchive } from "../domain/export/archive.ts";
import type { ArchiveProgress } from "../domain/export/archive.ts";
import { exportChannel } from "../domain/export/export-channel.ts";
import type { Hub } from "../hub.ts";
import { command } from "./command.ts";
import { localChannel } from "./local-channel.ts";
import { writeWhole } from "../storage/whole-file.ts";
import { withFiles } from "./with-hub.ts";

/** What another hub needs to take the channel over; also while the hub runs. */
export const exportCommand = command({
  name: "channel export",
  summary: "write everything of a channel, its private key included",
  arguments: { nick: "short name of the channel" },
  options: {
    out: { value: "file", meaning: "the file to write; standard output when left out" },
    posts: { meaning: "JSON with the posts of the last three months" },
    archive: { meaning: "a tar archive with all posts, files and photos" },
  },
  run: (call, { nick, out, posts, archive }) =>
    withFiles(call, async (hub) => {
      const channel = await localChannel(hub, nick);
      const bytes = await read(hub, channel, { posts: posts === true, archive: archive === true });
      if (out !== undefined) {
        const file = resolve(out);
        await writeWhole(file, (target) => pipeline(bytes, target));
        return { nick, file, bytes: (await stat(file)).size };
      }
      await pipeline(bytes, process.stdout, { end: false });
      return undefined;
    }),
  print: ({ nick, file, bytes }) =>
    `${file}: channel ${nick} in ${bytes} bytes. It holds the private key of the identity: keep it safe.`,
});

async function read(hub: Hub, channel: Channel, what: { posts: boolean; archive: boolean }): Promise<Readable> {
  if (what.archive) return Readable.from(exportArchive(hub, channel, tell(process.stderr)));
  return Readable.from(await exportChannel(hub, channel, { posts: what.posts }));
}

/** Says once a second how far the archive is. */
function tell(to: Writable): (progress: ArchiveProgress) => void {
  let next = 0;
  return ({ items, itemsTotal, files, bytes }) => {
    if (performance.now() < next) return;
    next = performance.now() + 1000;
    to.write(`${items} of ${itemsTotal} posts, ${files} files, ${Math.round(bytes / 1e6)} MB\n`);
  };
}
