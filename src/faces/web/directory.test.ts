import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, mark } from "../../../test/support/people.ts";
import { statementsOf } from "../../../test/support/statements.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { block, mute } from "../../domain/connections/connections.ts";
import { setPermissionLimits } from "../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import { followTag } from "../../domain/items/followed-tags.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { dismissSuggestion, suggestedPeople } from "../../domain/people/suggestions.ts";

/** Finding people of this hub, and what they write for everybody. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;
let dora: Person;
let visitor: Visitor;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  bob = await world.person("bob");
  cleo = await world.person("cleo");
  dora = await world.person("dora");
  await befriend(world.hub, ann.channel, bob.channel);
  visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
});
afterAll(() => world.close());

const somebody = ({ channel }: Person) => ({ xchan_hash: channel.channel_hash, xchan_network: "zot" });
const post = (person: Person, body: string) => postItem(world.hub, person.channel, { body });

async function suggestedTo(person: Person): Promise<[string, string][]> {
  const people = await suggestedPeople(world.hub, person.channel, 20);
  const nicks = new Map([ann, bob, cleo, dora].map((one) => [one.channel.xchan_id, one.nick]));
  return people.map(({ xchan_id, reason }) => [nicks.get(xchan_id) ?? "another", reason]);
}

const hide = (person: Person, hidden: 0 | 1) =>
  world.hub.db
    .updateTable("xchan")
    .set({ xchan_hidden: hidden })
    .where("xchan_hash", "=", person.channel.channel_hash)
    .execute();

describe("suggestions", () => {
  test("friends of friends come first, then who writes with the same tags, then who is new and writes", async () => {
    expect(await suggestedTo(ann)).toEqual([]);
    await post(dora, "something");
    expect(await suggestedTo(ann)).toEqual([["dora", "active"]]);
    await followTag(world.hub, ann.channel, "soup");
    await post(dora, "A pot of #Soup");
    expect(await suggestedTo(ann)).toEqual([["dora", "tags"]]);
    await befriend(world.hub, bob.channel, cleo.channel);
    expect(await suggestedTo(ann)).toEqual([
      ["cleo", "friends"],
      ["dora", "tags"],
    ]);
    expect(await statementsOf(world.hub, () => suggestedPeople(world.hub, ann.channel, 20))).toBe(1);
  });

  test("of whom a friend keeps hidden, or shows to nobody, one learns nothing", async () => {
    const friends = async () => (await suggestedTo(ann)).some(([, reason]) => reason === "friends");
    await mark(world.hub, bob.channel, cleo.channel, { hidden: true });
    expect(await friends()).toBe(false);
    await mark(world.hub, bob.channel, cleo.channel, { hidden: false });
    expect(await friends()).toBe(true);
    await setPermissionLimits(world.hub, bob.channel.channel_id, { view_contacts: limits.self });
    expect(await friends()).toBe(false);
    await setPermissionLimits(world.hub, bob.channel.channel_id, { view_contacts: limits.public });
  });

  test("nobody who hides, who has blocked, who is known already, or who is dismissed", async () => {
    const eve = await world.person("eve");
    const count = async () => (await suggestedTo(eve)).map(([nick]) => nick).toSorted();
    await post(ann, "I am here");
    expect(await count()).toEqual(["ann", "dora"]);
    await hide(dora, 1);
    expect(await count()).toEqual(["ann"]);
    await hide(dora, 0);
    await block(world.hub, dora.channel, somebody(eve));
    expect(await count()).toEqual(["ann"]);
    await dismissSuggestion(world.hub, eve.channel, ann.channel.channel_hash);
    await dismissSuggestion(world.hub, eve.channel, ann.channel.channel_hash);
    expect(await count()).toEqual([]);
    await expect(dismissSuggestion(world.hub, eve.channel, "nobody")).rejects.toMatchObject({ kind: "missing" });
    const finn = await world.person("finn");
    await mute(world.hub, finn.channel, somebody(ann));
    expect((await suggestedTo(finn)).map(([nick]) => nick)).not.toContain("ann");
  });
});

describe("the directory", () => {
  test("finds by name, nick and interests, in three orders, and page by page", async () => {
    const nicks = async (query: string) =>
      [...(await visitor.get(`/directory?${query}`)).text.matchAll(/class="address">(\w+)@/g)].map(([, nick]) => nick);
    expect(await nicks("search=LE")).toEqual(["cleo"]);
    expect(await nicks("search=%40dor")).toEqual(["dora"]);
    await world.hub.db
      .updateTable("profile")
      .set({ keywords: "Beekeeping, trains" })
      .where("uid", "=", bob.channel.channel_id)
      .execute();
    expect(await nicks("search=beekeep")).toEqual(["bob"]);
    await setPermissionLimits(world.hub, bob.channel.channel_id, { view_profile: limits.self });
    expect(await nicks("search=beekeep")).toEqual([]);
    expect((await nicks("order=name")).slice(0, 3)).toEqual(["ann", "bob", "cleo"]);
    world.hub.advance(60);
    await post(cleo, "late");
    expect((await nicks("order=active"))[0]).toBe("cleo");
    const page = await visitor.get("/directory?search=nobodyatall");
    expect(page.text).toContain("Look elsewhere");
  });

  test("connects in place, and takes suggestions away", async () => {
    const page = await visitor.get("/directory");
    expect(page.text).toContain("You may know");
    expect(page.text).toContain("writes with hashtags that you follow");
    const hash = dora.channel.channel_hash;
    const done = await visitor.post("/follow", { xchan: hash, back: "/directory" });
    expect(done.location).toMatch(/^\/directory\?done=/);
    const away = await visitor.post("/directory/dismiss", { xchan: cleo.channel.channel_hash });
    expect(away.location).toBe("/directory?done=dismissed");
    const after = (await visitor.get("/directory")).text;
    expect(after).not.toContain("one of your connections knows them");
    expect((await visitor.post("/directory/dismiss", { xchan: "no such" })).status).toBe(404);
  });
});

describe("on this hub", () => {
  test("stands what is public here, of nobody whom the reader does not want", async () => {
    await post(cleo, "for everybody of us");
    await postItem(world.hub, cleo.channel, { body: "for few of us", publicPolicy: "contacts" });
    const page = await visitor.get("/local");
    expect(page.text).toContain("for everybody of us");
    expect(page.text).not.toContain("for few of us");
    await mute(world.hub, ann.channel, somebody(cleo));
    expect((await visitor.get("/local")).text).not.toContain("for everybody of us");
    expect((await visitorOf(world.app).get("/local")).location).toMatch(/^\/login/);
  });
});
