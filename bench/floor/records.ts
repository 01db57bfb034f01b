import type { Row, Run } from "./read.ts";

/** Answers that are rows under other names. */

/** An identity by its hash, in the shape of the example. */
export async function xchanRecord(run: Run, hash: string, example: Row): Promise<Row> {
  const [row] = await run("select * from xchan where xchan_hash = $1", hash);
  return asTexts(example, (name) => row![`xchan_${name === "address" ? "addr" : name}`]);
}

/** The members of a group, joined with connection and identity. */
export async function groupMembers(run: Run, uid: number, groupId: number, example: Row): Promise<Row[]> {
  const rows = await run(
    `select * from pgrp_member m join xchan x on x.xchan_hash = m.xchan
    left join abook a on a.abook_xchan = m.xchan and a.abook_channel = $1 where m.gid = $2 order by m.id`,
    uid,
    groupId,
  );
  return rows.map((row) => asTexts(example, (name) => row[name] ?? example[name]));
}

/** Every field of the example, numbers as digits. */
export function asTexts(example: Row, value: (name: string) => unknown): Row {
  const record: Row = {};
  for (const name in example) {
    const found = value(name);
    record[name] = typeof found === "number" ? String(found) : found;
  }
  return record;
}
