import type { Row, Run } from "./read.ts";

/** What other hubs read, in the shape of the example, with what differs from row to row. */

export async function actorDocument(run: Run, nick: string, example: Row): Promise<Row> {
  const [row] = await run(
    "select * from channel c join xchan x on x.xchan_hash = c.channel_hash where c.channel_address = $1",
    nick,
  );
  const former = String(example["preferredUsername"]);
  const own = (value: unknown): unknown =>
    typeof value === "string" && value.startsWith("http") ? value.replace(`/${former}`, `/${nick}`) : value;
  const document = Object.fromEntries(Object.entries(example).map(([name, value]) => [name, own(value)]));
  const { publicKey } = example as { publicKey: Row };
  return {
    ...document,
    preferredUsername: nick,
    name: row!["channel_name"],
    publicKey: { ...publicKey, publicKeyPem: row!["channel_pubkey"] },
  };
}

export async function webFinger(run: Run, nick: string, example: Row): Promise<Row> {
  const [row] = await run(
    "select * from channel c join xchan x on x.xchan_hash = c.channel_hash where c.channel_address = $1",
    nick,
  );
  return { ...example, subject: `acct:${row!["xchan_addr"]}`, aliases: [row!["xchan_url"], row!["xchan_url"]] };
}

export async function itemDocument(run: Run, uuid: string, example: Row): Promise<Row> {
  const [row] = await run(
    `select *, m.id as message from message m join xchan x on x.xchan_id = m.author_id
      join item i on i.message_id = m.id and i.item_wall = 1 where m.uuid = $1`,
    uuid,
  );
  const terms = await run(
    "select * from term where message_id = $1 and uid = 0 and ttype = 1",
    row!["message"] as number,
  );
  const tag = terms.map((term) => ({ type: "Hashtag", href: term["url"], name: `#${term["term"]}` }));
  const { contentMap: _, ...others } = example;
  const lang = String(row!["lang"]);
  return {
    ...others,
    id: row!["mid"],
    content: row!["html"],
    ...(lang !== "" && { contentMap: { [lang]: row!["html"] } }),
    source: { content: row!["body"], mediaType: row!["mimetype"] },
    tag,
  };
}
