import { open } from "node:fs/promises";
import { asTexts } from "./records.ts";
import type { Row, Run } from "./read.ts";

/** The newest entries of somebody's storage, in the shape of the example. */
export async function fileEntries(run: Run, uid: number, example: Row): Promise<Row> {
  const rows = await run("select * from attach where uid = $1 order by created, id limit 20", uid);
  return { success: true, results: rows.map((row) => asTexts(example["results"][0], (name) => row[name])) };
}

/** The directories with images, and how many are in each. */
export async function albumObjects(run: Run, uid: number, url: string): Promise<Row> {
  const rows = await run(
    `select d.filename as name, g.total from (select folder, count(*) as total from attach
      where uid = $1 and is_photo = 1 and latest = 1 group by folder) g
    left join attach d on d.uid = $1 and d.hash = g.folder order by d.filename`,
    uid,
  );
  const albums = rows.map(({ name, total }) => {
    const hex = Buffer.from(String(name)).toString("hex");
    const urlencode = encodeURIComponent(String(name)).replaceAll("%20", "+");
    return { text: name as string, total: String(total), url: `${url}/${hex}`, urlencode, bin2hex: hex };
  });
  return { success: true, albums };
}

/** A part of a file, read at once and put into base64. */
export async function fileChunk(
  run: Run,
  path: string,
  { hash, start, length }: { hash: string; start: number; length: number },
  example: Row,
): Promise<Row> {
  const [row] = await run("select * from attach where hash = $1 order by revision desc limit 1", hash);
  const file = await open(path);
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, start).finally(() => file.close());
  const content = buffer.toString("base64", 0, bytesRead);
  return { attach: { ...asTexts(example["attach"], (name) => row![name]), content, start, length: bytesRead } };
}
