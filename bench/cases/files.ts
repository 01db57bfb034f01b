import { halfOfFloor, pair, reading } from "./case.ts";
import type { Case } from "./case.ts";

/** Bytes of a file in one answer, before base64. */
const chunk = 1024 * 1024;

/** Lists of files and their bytes, for those who have many. */
export const fileCases: Case[] = [
  reading(
    "files",
    ({ filers }) => filers.map((who) => pair("files", who, "/api/z/1.0/files?records=20", `uid=${who.uid}`)),
    { bar: halfOfFloor },
  ),
  reading(
    "albums",
    ({ filers }) => filers.map((who) => pair("albums", who, "/api/z/1.0/albums", `uid=${who.uid}&nick=${who.nick}`)),
    { bar: halfOfFloor },
  ),
  reading(
    "filedata",
    ({ filers }) =>
      filers.flatMap((who) =>
        Array.from({ length: 8 }, (_, n) => {
          const part = `start=${n * 8 * chunk}&length=${chunk}`;
          const path = `/api/z/1.0/filedata?file_id=${who.film}&${part}`;
          return pair("filedata", who, path, `hash=${who.film}&${part}`);
        }),
      ),
    { bar: { text: "at least 150 MB/s of raw data", met: ({ rps }) => (rps * chunk) / 1e6 >= 150 } },
  ),
];
