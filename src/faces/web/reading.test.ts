import { afterAll, beforeAll, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { findConnectionTo, unfollow } from "../../domain/connections/connections.ts";

/** Reading somebody, no more, and again. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;
let visitor: Visitor;

beforeAll(async () => {
  ({ world, ann, bob, cleo, visitor } = await annAtHome());
});
afterAll(() => world.close());

const known = (other: Person) => findConnectionTo(world.hub, ann.channel.channel_id, other.channel.channel_hash);
const textOf = async (path: string): Promise<string> => (await visitor.get(path)).text;

test("it ends and begins on the page of the channel", async () => {
  expect(await textOf("/channel/bob")).toMatch(/action="\/unfollow"[^]*Stop reading/);
  const xchan = bob.channel.channel_hash;
  const { status, location } = await visitor.post("/unfollow", { xchan, back: "/channel/bob" });
  expect([status, location]).toEqual([303, "/channel/bob?done=unfollowing"]);
  expect(await known(bob)).toMatchObject({ follow_out: "none", follow_in: "accepted" });
  const page = await textOf(location);
  expect(page).toContain("They still read you.");
  expect(page).toContain("Start reading");
  expect(page).not.toContain("Stop reading");
  await visitor.post("/follow", { xchan });
  expect(await known(bob)).toMatchObject({ follow_out: "accepted" });
});

test("it ends on the page of the connection, which says how it stands", async () => {
  const path = `/connedit/${(await known(bob))!.abook_id}`;
  expect(await textOf(path)).toContain("Stop reading");
  const { location } = await visitor.post("/unfollow", { xchan: bob.channel.channel_hash });
  expect(location).toBe("/connections?done=unfollowing");
  const page = await textOf(path);
  expect([page.includes("Reads you; you do not read them"), page.includes("Start reading")]).toEqual([true, true]);
  await visitor.post("/follow", { xchan: bob.channel.channel_hash });
});

test("a connection that nothing would be left of is not ended by the way", async () => {
  await unfollow(world.hub, bob.channel, ann.channel.channel_hash);
  expect(await known(bob)).toMatchObject({ follow_out: "accepted", follow_in: "none" });
  const page = await textOf(`/connedit/${(await known(bob))!.abook_id}`);
  expect(page).toContain("You read them; they do not read you");
  expect(page).not.toContain("Stop reading");
  expect(page).toContain("Remove the connection");
});

test("a request is taken back", async () => {
  await textOf("/channel/cleo");
  await visitor.post("/follow", { xchan: cleo.channel.channel_hash });
  expect(await textOf("/channel/cleo")).toContain("Take the request back");
  const { location } = await visitor.post("/unfollow", { xchan: cleo.channel.channel_hash, back: "/channel/cleo" });
  expect(await textOf(location)).toContain("Your request is taken back.");
  expect(await known(cleo)).toBeUndefined();
});

test("nobody who is not read, and never without the token", async () => {
  for (const xchan of ["", "nobody", cleo.channel.channel_hash, ann.channel.channel_hash])
    expect((await visitor.post("/unfollow", { xchan })).status).toBe(404);
  const elsewhere = { xchan: bob.channel.channel_hash, back: "//evil.example/" };
  expect((await visitor.post("/unfollow", { ...elsewhere, form_security_token: "x" })).status).toBe(403);
  expect((await visitor.post("/unfollow", elsewhere)).location).toBe("/connections?done=unfollowing");
});
