import { connect } from "../../src/domain/connections/connections.ts";
import type { Hub } from "../../src/hub.ts";
import type { Bulk, Value } from "./bulk.ts";
import { withValues } from "./example-rows.ts";
import type { ExampleRow } from "./example-rows.ts";
import type { Person } from "./people.ts";
import type { Random } from "./random.ts";

/** The rows of one side of a connection, as the domain wrote them. */
export type ConnectionExample = { abook: ExampleRow; abconfig: ExampleRow[]; member: ExampleRow };

/** Connects two people through the domain and answers the rows that the first one got. */
export async function connectByDomain(hub: Hub, one: Person, other: Person): Promise<ConnectionExample> {
  await connect(hub, one.channel, { xchan_hash: other.channel.channel_hash });
  await connect(hub, other.channel, { xchan_hash: one.channel.channel_hash });
  const uid = one.channel.channel_id;
  const hash = other.channel.channel_hash;
  const { db } = hub;
  return {
    abook: await db
      .selectFrom("abook")
      .selectAll()
      .where("abook_channel", "=", uid)
      .where("abook_xchan", "=", hash)
      .executeTakeFirstOrThrow(),
    abconfig: await db
      .selectFrom("abconfig")
      .selectAll()
      .where("chan", "=", uid)
      .where("xchan", "=", hash)
      .orderBy("id")
      .execute(),
    member: await db
      .selectFrom("pgrp_member")
      .selectAll()
      .where("uid", "=", uid)
      .where("xchan", "=", hash)
      .executeTakeFirstOrThrow(),
  };
}

/** Decides which of these people are connected with one another: a few with many, most with some. */
export function planConnections(people: Person[], places: number[], random: Random): void {
  for (const one of places) {
    const wanted = Math.min(places.length - 1, 3 + random.longTail(3, 27));
    for (let tries = 0; people[one]!.connections.length < wanted && tries < 200; tries++)
      join(people, one, random.pick(places));
  }
}

/** Plans that two people are connected, unless they are. */
export function join(people: Person[], one: number, other: number): void {
  if (one === other || people[one]!.connections.includes(other)) return;
  people[one]!.connections.push(other);
  people[other]!.connections.push(one);
}

/** Writes the rows of all planned connections, both sides of each. */
export async function writeConnections(bulk: Bulk, people: Person[], example: ConnectionExample): Promise<void> {
  const abook = bulk.table(
    "abook",
    Object.keys(example.abook).filter((name) => name !== "abook_id"),
  );
  const abconfig = bulk.table("abconfig", ["chan", "xchan", "cat", "k", "v"]);
  const member = bulk.table("pgrp_member", ["uid", "gid", "xchan"]);
  for (const person of people) {
    const { channel_id: uid, channel_account_id: aid } = person.channel;
    for (const place of person.connections) {
      const hash = people[place]!.channel.channel_hash;
      const own = { abook_account: aid, abook_channel: uid, abook_xchan: hash, abook_profile: person.profile };
      abook.add(withoutId(withValues(example.abook, own)));
      for (const row of example.abconfig) abconfig.add([uid, hash, row["cat"]!, row["k"]!, row["v"]!]);
      member.add([uid, person.group.id, hash]);
    }
    await bulk.flush();
    const count = person.connections.length;
    await bulk.run(`update channel set friends_count = ${count}, followers_count = ${count} where channel_id = ${uid}`);
  }
}

function withoutId(row: ExampleRow): Value[] {
  return Object.entries(row).flatMap(([name, value]) => (name === "abook_id" ? [] : [value]));
}
