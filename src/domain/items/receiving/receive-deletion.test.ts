import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { purgeTombstones } from "../posting/trim.ts";
import { meetActor } from "../../peers/meet-actor.ts";
import { isDeleted } from "../deleted-ids.ts";
import { deleteItem } from "../posting/delete.ts";
import { postItem } from "../posting/post.ts";
import { receiveDeletion } from "./receive-deletion.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

test("what was deleted before it came is remembered for two years, and what was written here for good", async () => {
  const carla = await meetActor(hub, actorOf("carla"));
  const dora = await makeChannel(hub, "dora");
  const own = await postItem(hub, dora, { body: "mine" });
  await deleteItem(hub, dora, { id: own.id });
  for (const id of ["https://far.example/notes/1", "https://other.example/notes/1"])
    await receiveDeletion(hub, carla, id, "");
  expect(await isDeleted(hub, "HTTPS://FAR.example:443/notes/1")).toBe(true);
  expect(await isDeleted(hub, "https://other.example/notes/1")).toBe(false);
  hub.advance(731 * 24 * 3600);
  await purgeTombstones(hub);
  expect(await isDeleted(hub, "https://far.example/notes/1")).toBe(false);
  expect(await isDeleted(hub, own.mid)).toBe(true);
});
