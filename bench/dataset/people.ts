import { randomBytes, scryptSync } from "node:crypto";
import { insertAccount } from "../../src/domain/identity/accounts/accounts.ts";
import { createChannel } from "../../src/domain/identity/channels/channels.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { inTransaction } from "../../src/hub.ts";
import type { Hub } from "../../src/hub.ts";
import { counter } from "../progress.ts";

/** A channel of the data set with what the rows of others say about it. */
export type Person = {
  channel: Channel;
  name: string;
  url: string;
  photo: string;
  profile: string;
  /** The group Friends: every connection is in it. */
  group: { id: number; hash: string };
  /** Places in the list of people. */
  connections: number[];
};

/** The one password of all accounts. */
export const password = "bench bench bench";

/** Makes channels, each with an account, through the domain; keys come from the hub's `makeKeys`. */
export async function makePeople(hub: Hub, nicks: string[]): Promise<Person[]> {
  const hash = quickHash();
  const report = counter("channels", nicks.length);
  const people: Person[] = [];
  for (const nick of nicks) {
    people.push(await inTransaction(hub, (hub) => makePerson(hub, nick, hash)));
    report(people.length);
  }
  return people;
}

async function makePerson(hub: Hub, nick: string, hash: string): Promise<Person> {
  const account = await insertAccount(hub, { email: `${nick}@example.org`, hash, flags: 0, roles: 0 });
  const name = `${nick[0]!.toUpperCase()}${nick.slice(1)} Example`;
  const channel = await createChannel(hub, account, { nick, name });
  const xchan = await hub.db
    .selectFrom("xchan")
    .selectAll()
    .where("xchan_id", "=", channel.xchan_id)
    .executeTakeFirstOrThrow();
  const profile = await hub.db
    .selectFrom("profile")
    .select("profile_guid")
    .where("uid", "=", channel.channel_id)
    .executeTakeFirstOrThrow();
  const group = await hub.db
    .selectFrom("pgrp")
    .select(["id", "hash"])
    .where("uid", "=", channel.channel_id)
    .executeTakeFirstOrThrow();
  return {
    channel,
    name,
    url: xchan.xchan_url,
    photo: xchan.xchan_photo_s,
    profile: profile.profile_guid,
    group,
    connections: [],
  };
}

/** A password hash that is quick to verify: how long scrypt takes is not what the bench asks. */
function quickHash(): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return ["scrypt", 16, 8, 1, salt.toString("base64url"), hash.toString("base64url")].join("$");
}
