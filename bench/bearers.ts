import { digestOf } from "../src/domain/identity/secrets.ts";
import { openDatabase } from "../src/storage/database.ts";
import { sqlDate } from "../src/storage/sql.ts";
import type { DatabasePlace } from "./databases.ts";
import type { Resident, World } from "./dataset.ts";

/** Tokens of each resident: of one only so many streams are taken. */
export const bearersOfEach = 3;

/** The token by which an application acts for a resident. */
export function bearerOf({ nick }: Pick<Resident, "nick">, n = 0): string {
  return `bench-${nick}-${n}`;
}

/** Everybody lets the same application for Mastodon act for them. */
export async function giveBearers({ settings }: DatabasePlace, { residents }: World): Promise<void> {
  const db = openDatabase(settings);
  const created = sqlDate(new Date());
  const expires = sqlDate(new Date(Date.now() + 365 * 86_400_000));
  const scopes = "read write follow push";
  const app = {
    client_id: "bench",
    secret_digest: "",
    name: "Bench",
    redirects: "",
    scopes,
    uid: 0,
    created,
    used: created,
  };
  const { id: app_id } = await db.insertInto("oauth2_app").values(app).returning("id").executeTakeFirstOrThrow();
  for (let n = 0; n < bearersOfEach; n++) {
    const tokens = residents.map((who) => ({
      digest: digestOf(bearerOf(who, n)),
      app_id,
      uid: who.uid,
      scopes,
      created,
      expires,
    }));
    await db.insertInto("oauth2_token").values(tokens).execute();
  }
  await db.destroy();
}
