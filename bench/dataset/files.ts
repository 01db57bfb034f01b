import { inTransaction } from "../../src/hub.ts";
import type { Hub } from "../../src/hub.ts";
import { folderType } from "../../src/domain/files/decide-type.ts";
import { insertFile } from "../../src/domain/files/insert.ts";
import type { Bulk, Value } from "./bulk.ts";
import { withValues } from "./example-rows.ts";
import type { ExampleRow } from "./example-rows.ts";
import { stored } from "./moments.ts";
import type { Person } from "./people.ts";
import type { Random } from "./random.ts";

/** A file whose bytes really are there: everybody with files has it, and the bytes once. */
export const film = { blob: "bench-film", size: 64 * 1024 * 1024 };

const folders = 10;
const filesInFolder = 99;
const albums = 24;
const photosInAlbum = 40;
const mostEntries = folders * (filesInFolder + 1) + albums * (photosInAlbum + 1);
const hour = 3600;

/** Makes one file through the domain, takes its row and removes it again. */
export async function takeFileExample(hub: Hub, { channel }: Person): Promise<ExampleRow> {
  const example = await inTransaction(hub, (hub) =>
    insertFile(hub, {
      owner: channel,
      creator: channel.channel_hash,
      folder: undefined,
      filename: "example.pdf",
      filetype: "application/pdf",
      filesize: 1,
      blob: "example",
      sha256: "",
      isPhoto: false,
    }),
  );
  await hub.db.deleteFrom("attach").execute();
  return example;
}

/** Gives each of these people a thousand files and as many photos in albums; answers the hash of everybody's film. */
export function writeFiles(
  bulk: Bulk,
  example: ExampleRow,
  people: readonly Person[],
  end: number,
  random: Random,
): string[] {
  const columns = Object.keys(example).filter((column) => column !== "id");
  const table = bulk.table("attach", columns);
  const add = (row: ExampleRow): void => table.add(columns.map((column): Value => row[column]!));
  return people.map(({ channel }) => {
    const { channel_id: uid, channel_account_id: aid, channel_hash: creator } = channel;
    let written = 0;
    const write = (filename: string, values: ExampleRow): string => {
      const hash = hashOf(random);
      const created = stored(end - (mostEntries - written++) * hour);
      const paths = { os_path: `${String(values["os_path"] ?? "")}${hash}`, display_path: filename };
      add(withValues(example, { ...values, ...paths, uid, aid, creator, hash, filename, created, edited: created }));
      return hash;
    };
    for (let n = 1; n <= folders; n++) {
      const folder = write(`Folder ${n}`, { filetype: folderType, is_dir: 1, filesize: 0, blob: "" });
      for (let m = 1; m < filesInFolder; m++)
        write(`Letter ${n}-${m}.pdf`, { folder, filesize: 1000 + random.below(1_000_000), os_path: `${folder}/` });
    }
    for (let n = 1; n <= albums; n++) {
      const folder = write(`Album ${n}`, { filetype: folderType, is_dir: 1, filesize: 0, blob: "" });
      const photo = { folder, filetype: "image/jpeg", is_photo: 1, os_path: `${folder}/` };
      for (let m = 1; m <= photosInAlbum; m++)
        write(`Photo ${n}-${m}.jpg`, { ...photo, filesize: 1000 + random.below(5_000_000) });
    }
    return write("film.mp4", { filetype: "video/mp4", filesize: film.size, blob: film.blob });
  });
}

function hashOf(random: Random): string {
  return Array.from({ length: 8 }, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
}
