import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { createGuest, findConnectionTo, unfollow } from "../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";
import { createProfile } from "../../domain/identity/channels/profiles.ts";

/** Pages of blocked people, and of what a group writes. */

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

describe("blocking", () => {
  test("a stranger, from their page: asked first, listed, and ended", async () => {
    const { text } = await visitor.get("/channel/cleo");
    expect(text).toContain("They see nothing of yours that is not public");
    expect(text).toContain('action="/connections/block"');
    const asked = await visitor.get(`/connections/block?xchan=${encodeURIComponent(cleo.channel.channel_hash)}`);
    expect([asked.status, asked.text.includes("Block Cleo?")]).toEqual([200, true]);
    expect(await known(cleo)).toBeUndefined();
    const done = await visitor.post("/connections/block", { xchan: cleo.channel.channel_hash });
    expect(done.location).toMatch(/^\/connections\/blocked/);
    const listed = (await visitor.get(done.location)).text;
    expect(listed).toContain("Cleo");
    expect(listed).toContain("Blocked. Nothing of theirs reaches you any more.");
    expect((await visitor.get("/connections")).text).not.toContain("/channel/cleo");
    const page = (await visitor.get("/channel/cleo")).text;
    expect(page).toContain('href="/connections/blocked">Blocked</a>');
    expect(page).not.toContain('action="/connections/block"');
    const { id } = await createProfile(world.hub, ann.channel, "Friends");
    const profile = (await visitor.get(`/settings/profiles/${id}`)).text;
    expect([profile.includes("bob@"), profile.includes("cleo@")]).toEqual([true, false]);
    const row = await known(cleo);
    expect((await visitor.get(`/connedit/${row!.abook_id}`)).status).toBe(404);
    await visitor.get("/connections/blocked");
    await visitor.post("/connections/blocked", { xchan: cleo.channel.channel_hash });
    expect(await known(cleo)).toBeUndefined();
    expect((await visitor.get("/connections/blocked")).text).toContain("You haven&#39;t blocked anybody.");
  });

  test("a friend, who is one again afterwards", async () => {
    await visitor.get("/connections/block?xchan=" + encodeURIComponent(bob.channel.channel_hash));
    await visitor.post("/connections/block", { xchan: bob.channel.channel_hash });
    expect((await visitor.get("/connections")).text).toContain("blocked");
    expect((await visitor.get("/channel/bob")).text).toContain("Blocked</a>");
    await visitor.get("/connections/blocked");
    await visitor.post("/connections/blocked", { xchan: bob.channel.channel_hash });
    expect(await known(bob)).toMatchObject({ abook_blocked: 0, follow_out: "accepted", follow_in: "accepted" });
  });

  test("nobody who is not there, is a guest or oneself", async () => {
    const guest = await createGuest(world.hub, bob.channel, { name: "Granny" });
    for (const xchan of ["", "nobody", guest.hash, ann.channel.channel_hash]) {
      expect((await visitor.get(`/connections/block?xchan=${encodeURIComponent(xchan)}`)).status).toBe(404);
      await visitor.get("/connections");
      expect((await visitor.post("/connections/block", { xchan })).status).toBe(404);
    }
  });

  test("is for members", async () => {
    const nobody = visitorOf(world.app);
    for (const path of ["/connections/blocked", "/connections/block", "/group/1/posts"])
      expect((await nobody.get(path)).status).not.toBe(200);
    expect((await nobody.get("/channel/cleo")).text).not.toContain("/connections/block");
    expect((await visitor.get("/channel/ann")).text).not.toContain("/connections/block");
  });
});

test("somebody who only reads the member can be read again with one button", async () => {
  await unfollow(world.hub, ann.channel, bob.channel.channel_hash);
  expect((await visitor.get("/connections")).text).toContain("reads you; you do not read them");
  expect((await visitor.get("/channel/bob")).text).toContain("Start reading</button>");
  await visitor.post("/follow", { xchan: bob.channel.channel_hash });
  expect(await known(bob)).toMatchObject({ follow_out: "accepted" });
});

describe("the posts of a group", () => {
  test("are those of its members", async () => {
    const group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
    expect((await visitor.get(`/group/${group.id}/posts`)).text).toContain(
      "Nothing from the people in this group yet.",
    );
    await befriend(world.hub, ann.channel, cleo.channel);
    await addMembers(world.hub, ann.channel.channel_id, group.id, [cleo.channel.channel_hash]);
    await cleo.post("/api/statuses/update", { status: "cleo sings" });
    await bob.post("/api/statuses/update", { status: "bob drums" });
    await world.work();
    const { status, text } = await visitor.get(`/group/${group.id}/posts`);
    expect([status, text.includes("cleo sings"), text.includes("bob drums")]).toEqual([200, true, false]);
    expect((await visitor.get(`/group/${group.id}`)).text).toContain(`href="/group/${group.id}/posts"`);
    expect((await visitor.get("/group")).text).toContain(`href="/group/${group.id}/posts"`);
    const other = visitorOf(world.app);
    await other.logIn("bob", password);
    const foreign = await other.get(`/group/${group.id}/posts`);
    expect([foreign.status, (await other.get("/group/987654/posts")).status]).toEqual([404, 404]);
  });
});
