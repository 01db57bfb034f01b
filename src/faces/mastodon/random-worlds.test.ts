import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { openWorlds, wordOf } from "../../../test/support/built-world.ts";
import type { WorldBuilder } from "../../../test/support/built-world.ts";
import type { Client } from "../../../test/support/client.ts";
import { bearerFor, mastodonClient } from "../../../test/support/mastodon.ts";
import { oracleSees } from "../../../test/support/permission-oracle.ts";
import { worlds } from "../../../test/support/random-world.ts";
import type { World } from "../../../test/support/random-world.ts";
import { size } from "../../../test/support/size.ts";
import { changeSite } from "../../domain/identity/site/site-settings.ts";

/** What applications are shown in random worlds, against the plain oracle of the permissions. */

let world: TestApp;
let builder: WorldBuilder;
/** By number of the person; undefined is nobody. */
let clients: Map<number | undefined, Client>;

beforeAll(async () => {
  world = await openTestApp();
  builder = await openWorlds(world.hub);
  clients = new Map([[undefined, mastodonClient(world)]]);
  for (const [index, channel] of builder.channels.entries())
    clients.set(index, mastodonClient(world, await bearerFor(world, channel)));
});
afterAll(() => world.close());

async function build(random: World): Promise<number[]> {
  await changeSite(world.hub, { blockPublic: random.blockPublic });
  return builder.build(random);
}

/** Somebody whose channel is removed is let in nowhere. */
function sees(random: World, index: number, who: number | undefined): boolean {
  if (who !== undefined && random.channels[who]!.removed) return false;
  return oracleSees(random, random.items[index]!, who, "view_stream");
}

test("a status is found by whom the oracle shows it, by every door that names one", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (random) => {
      const ids = await build(random);
      for (const [who, client] of clients) {
        for (const [index, id] of ids.entries()) {
          const item = random.items[index]!;
          const mine = `${who} and item ${index}`;
          const found = await client.get(`/api/v1/statuses/${id}`);
          if (!sees(random, index, who)) expect([mine, found.status < 400]).toEqual([mine, false]);
          // What only waits to be found here is no post.
          else if (item.kind === "conversation" && item.flaw === "" && (item.wall || item.uid === who))
            expect([mine, found.status]).toEqual([mine, 200]);
          if (found.status === 200) continue;
          for (const below of ["/context", "/history", "/reblogged_by", "/favourited_by", "/source", "/quotes"])
            expect([mine, below, (await client.get(`/api/v1/statuses/${id}${below}`)).status]).not.toEqual([
              mine,
              below,
              200,
            ]);
        }
      }
    }),
    { numRuns: size(4, 150) },
  );
});

test("no list holds what the oracle hides", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (random) => {
      await build(random);
      const groups = await world.hub.db.selectFrom("pgrp").select("id").execute();
      const lists = [
        "/api/v1/timelines/home?limit=40",
        "/api/v1/timelines/public?limit=40",
        "/api/v1/timelines/public?limit=40&local=true",
        ...builder.channels.map(({ xchan_id }) => `/api/v1/accounts/${xchan_id}/statuses?limit=40`),
        ...groups.map(({ id }) => `/api/v1/timelines/list/${id}?limit=40`),
        "/api/v1/bookmarks",
        "/api/v1/favourites",
        "/api/v1/notifications",
        "/api/v1/conversations",
        ...random.items.map((_, index) => `/api/v2/search?q=${wordOf(index)}`),
      ];
      for (const [who, client] of clients) {
        for (const path of lists) {
          const { text } = await client.get(path);
          for (const index of random.items.keys())
            if (!sees(random, index, who) && !path.includes(wordOf(index)))
              expect([who, path, text.includes(wordOf(index))]).toEqual([who, path, false]);
        }
      }
    }),
    { numRuns: size(3, 150) },
  );
});
