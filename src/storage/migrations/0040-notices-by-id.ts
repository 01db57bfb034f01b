import type { Kysely } from "kysely";
import type { Engine } from "../engine.ts";
import { createIndexes } from "./columns.ts";

/** Applications page notices by their ids (mastodon contract 7.2). */
export async function up(db: Kysely<unknown>, _engine: Engine): Promise<void> {
  await createIndexes(db, { notify_page: "notify (uid, id)" });
}
