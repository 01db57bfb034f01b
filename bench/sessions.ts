import { digestOf } from "../src/domain/identity/secrets.ts";
import { openDatabase } from "../src/storage/database.ts";
import { sqlDate } from "../src/storage/sql.ts";
import type { DatabasePlace } from "./databases.ts";
import type { Resident, World } from "./dataset.ts";

/** The cookie of a resident's browser. */
export function sessionOf({ nick }: Pick<Resident, "nick">): string {
  return `bench-${nick}`;
}

/** Everybody is logged in with a browser. */
export async function giveSessions({ settings }: DatabasePlace, { residents }: World): Promise<void> {
  const db = openDatabase(settings);
  const now = sqlDate(new Date());
  const expires = sqlDate(new Date(Date.now() + 30 * 86_400_000));
  const people = await db.selectFrom("channel").select(["channel_id", "channel_account_id"]).execute();
  const accounts = new Map(people.map((one) => [one.channel_id, one.channel_account_id]));
  const sessions = residents.map((who) => ({
    token_digest: digestOf(sessionOf(who)),
    account_id: accounts.get(who.uid)!,
    channel_id: who.uid,
    csrf_token: sessionOf(who),
    created: now,
    used: now,
    browser: "",
    expires,
  }));
  await db.insertInto("session").values(sessions).execute();
  await db.destroy();
}
