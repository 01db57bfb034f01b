import { join } from "node:path";
import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import { sqlFile } from "../../../test/support/readable-sql.ts";
import { guestObserver, nobody } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { visibleTo, visibleToChannel } from "./visible.ts";
import { filesVisibleTo } from "./visible-files.ts";

/** The conditions that decide who sees what are put together of many parts: what comes out stands beside, to be read. */
test("what decides who sees an item or a file", async () => {
  const hub = await openTestHub();
  const open = { blockPublic: false };
  const here: Observer = { xchanId: 7, hash: "anna", native: true, channelId: 5, seesPublic: true };
  const elsewhere: Observer = { ...here, native: false, channelId: 0 };
  const guest = guestObserver({ xchan_id: 0, xchan_hash: "guest" }, 5, open);
  const items = (condition: RawBuilder<SqlBool>) => hub.db.selectFrom("item").select("id").where(condition);
  const files = (condition: RawBuilder<SqlBool>) => hub.db.selectFrom("attach").select("id").where(condition);
  const slots = { hash: sql<string>`${"anna"}`, channelId: sql<number>`${5}` };
  const statements = {
    "Items that a channel of this hub sees": items(visibleTo(hub, here)),
    "The same in a statement that is compiled once": items(visibleToChannel(hub, slots)),
    "The same among rows of which none is private": items(visibleToChannel(hub, slots, "none private")),
    "Items that somebody of another hub sees": items(visibleTo(hub, elsewhere)),
    "The same of an actor": items(visibleTo(hub, { ...elsewhere, hash: "https://far.example/anna" })),
    "Items that a guest sees": items(visibleTo(hub, guest)),
    "Items that nobody in particular sees": items(visibleTo(hub, nobody(open))),
    "The same where the site shows strangers nothing": items(visibleTo(hub, nobody({ blockPublic: true }))),
    "Web pages that nobody in particular sees": items(visibleTo(hub, nobody(open), "view_pages")),
    "Wikis that nobody in particular sees": items(visibleTo(hub, nobody(open), "view_wiki")),
    "Items of photos that nobody in particular sees": items(visibleTo(hub, nobody(open), "view_storage")),
    "Files that somebody of another hub sees": files(filesVisibleTo(hub, elsewhere, 5)),
    "Files that a guest sees": files(filesVisibleTo(hub, guest, 5)),
    "Files that nobody in particular sees": files(filesVisibleTo(hub, nobody(open), 5)),
  };
  const found = Object.entries(statements).map(([name, query]) => [name, query.compile().sql]);
  const file = join(import.meta.dirname, `visible-sql.${hub.engine}.sql`);
  await expect(sqlFile("visible-sql.test.ts", Object.fromEntries(found))).toMatchFileSnapshot(file);
  await hub.close();
});
