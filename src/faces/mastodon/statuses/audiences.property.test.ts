import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonClient, mastodonPerson } from "../../../../test/support/mastodon.ts";
import { oracleSees } from "../../../../test/support/post-audience.ts";
import type { Asked, Name } from "../../../../test/support/post-audience.ts";
import { befriend } from "../../../../test/support/people.ts";
import { size } from "../../../../test/support/size.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { updateChannel } from "../../../domain/identity/channels/channels.ts";

/** Whoever posts by any way of mastodon contract 6.2 to 6.4 reaches whom they have asked for, and nobody else. */

let world: TestApp;
const clients = new Map<Name, Client>();
const channels = new Map<string, Channel>();
/** Ids of groups, by author and name. */
const groups = new Map<string, string>();
const names = ["ann", "ada", "bob", "cara", "dora", "eve"] as const;
const members = { Choir: ["bob"], "Close friends": ["bob", "cara"] } as const;

beforeAll(async () => {
  world = await openTestApp();
  for (const name of names) {
    const { channel } = await world.person(name);
    channels.set(name, channel);
    clients.set(name, await mastodonPerson(world, channel));
  }
  clients.set("nobody", mastodonClient(world));
  for (const author of ["ann", "ada"]) {
    const own = channels.get(author)!;
    for (const name of ["bob", "cara", "dora"]) await befriend(world.hub, own, channels.get(name)!);
    for (const [title, people] of Object.entries(members)) {
      const group = await createGroup(world.hub, own.channel_id, title);
      const hashes = people.map((name) => channels.get(name)!.channel_hash);
      await addMembers(world.hub, own.channel_id, group.id, hashes);
      groups.set(`${author} ${title}`, String(group.id));
    }
  }
  // What ada posts without a word is for her choir.
  const choir = groups.get("ada Choir")!;
  const { hash } = await world.hub.db
    .selectFrom("pgrp")
    .select("hash")
    .where("id", "=", Number(choir))
    .executeTakeFirstOrThrow();
  const audience = { allowCid: "", allowGid: `<${hash}>`, denyCid: "", denyGid: "" };
  await updateChannel(world.hub, channels.get("ada")!.channel_id, { audience });
  await world.work();
});
afterAll(() => world.close());

const idOf = (name: string): string => String(channels.get(name)!.xchan_id);
const titled = (author: string, title: string): string => groups.get(`${author} ${title}`)!;

/** What an application sends for what somebody asks. */
function formOf(author: string, asked: Asked, n: number): Record<string, unknown> {
  const { visibility, localOnly, lists, address, privately, mentioned } = asked;
  const group = /^(list:)?(Choir|Close friends)$/.exec(visibility ?? "");
  const words = [...mentioned.map((name) => `@${name}`), ...privately.map((name) => `@!${name}`), `post ${n}`];
  return {
    status: [...(address.length > 0 ? [address.join(" ")] : []), words.join(" ")].join("\n"),
    ...(visibility !== undefined && {
      visibility: group ? `${group[1] ?? ""}${titled(author, group[2]!)}` : visibility,
    }),
    ...(localOnly && { local_only: true }),
    ...(lists && {
      ...(lists.groups.length > 0 && { group_allow: lists.groups.map((title) => titled(author, title)) }),
      ...(lists.people.length > 0 && { contact_allow: lists.people.map(idOf) }),
      ...(lists.denied.length > 0 && { contact_deny: lists.denied.map(idOf) }),
    }),
  };
}

async function whoSees(id: string): Promise<Set<Name>> {
  const seen = new Set<Name>();
  for (const [name, client] of clients) if ((await client.get(`/api/v1/statuses/${id}`)).status === 200) seen.add(name);
  return seen;
}

const newest = async (author: string): Promise<string | undefined> =>
  (await clients.get(author as Name)!.get(`/api/v1/accounts/${idOf(author)}/statuses`, { limit: 1 })).json[0]?.id;

const some = <const T>(...values: T[]) => fc.constantFrom(...values);
const few = <T>(most: number, ...values: T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, fc.uniqueArray(some(...values), { maxLength: most }));
const title = some<"Choir" | "Close friends">("Choir", "Close friends");
const person = ["bob", "cara", "dora", "eve"] as const;

const asking: fc.Arbitrary<Asked> = fc.record({
  visibility: some(undefined, "public", "unlisted", "private", "direct", "local", "Choir", "list:Close friends"),
  localOnly: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  lists: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc
      .record({
        groups: fc.uniqueArray(title, { maxLength: 1 }),
        people: fc.uniqueArray(some(...person), { maxLength: 1 }),
        denied: fc.uniqueArray(some(...person), { maxLength: 1 }),
      })
      .filter(({ groups, people, denied }) => groups.length + people.length + denied.length > 0),
  ),
  address: few(2, "!!choir", '@!"Close friends"', "!!Close_Friends", "@!cara@hub.example", "@!eve"),
  privately: few(1, "dora", "eve"),
  mentioned: few(2, ...person),
});

test("a post reaches whom it was for", async () => {
  let [posted, n] = [0, 0];
  await fc.assert(
    fc.asyncProperty(some("ann", "ada"), asking, async (author, asked) => {
      const before = await newest(author);
      const { status, json } = await clients.get(author)!.post("/api/v1/statuses", formOf(author, asked, ++n));
      await world.work();
      const expected = oracleSees(author, asked);
      if (expected === "refused") {
        expect([status, await newest(author)]).toEqual([422, before]);
        return;
      }
      posted += 1;
      expect(status).toBe(200);
      expect([...(await whoSees(json.id))].toSorted()).toEqual([...expected].toSorted());
    }),
    { numRuns: size(30, 400) },
  );
  expect(posted).toBeGreaterThan(3);
});

const ranks = ["direct", "private", "unlisted", "public"];

test("an answer reaches nobody whom its thread does not, and is refused where it would be wider than asked", async () => {
  let n = 0;
  const visibility = some(undefined, "public", "unlisted", "private", "direct", "local", "Choir");
  await fc.assert(
    fc.asyncProperty(some("public", "unlisted", "private", "direct", "Choir"), visibility, async (of, wish) => {
      const none = { localOnly: false, lists: undefined, address: [], privately: [], mentioned: [] };
      const asked = { ...none, visibility: of, mentioned: ["bob" as const] };
      const top = (await clients.get("ann")!.post("/api/v1/statuses", formOf("ann", asked, ++n))).json;
      await world.work();
      const form = { ...formOf("ann", { ...none, visibility: wish }, ++n), in_reply_to_id: top.id };
      const { status, json } = await clients.get("ann")!.post("/api/v1/statuses", form);
      await world.work();
      const isOpen = of === "public" || of === "unlisted";
      const isRefused =
        of !== "direct" &&
        ((isOpen && ["private", "local", "Choir"].includes(wish ?? "")) ||
          wish === "local" ||
          (of === "private" && wish === "Choir"));
      expect([of, wish, status]).toEqual([of, wish, isRefused ? 422 : 200]);
      if (isRefused) return;
      const seen = await whoSees(json.id);
      const above = await whoSees(top.id);
      if (wish === "direct" && of !== "direct") expect([...seen]).toEqual(["ann"]);
      else expect([...seen].toSorted()).toEqual([...above].toSorted());
      expect(ranks.indexOf(json.visibility)).toBeLessThanOrEqual(ranks.indexOf(top.visibility));
      if (wish === "unlisted" && isOpen) expect(json.visibility).toBe("unlisted");
      const listed = (await clients.get("nobody")!.get("/api/v1/timelines/public", { limit: 5 })).json;
      expect(listed.some((one: any) => one.uri === json.uri)).toBe(json.visibility === "public");
    }),
    { numRuns: size(25, 200) },
  );
});

test.each(["!!Nobody", "@!unknown", "!!Choir !!Nobody", "!!Choir"])("%s alone is no post", async (line) => {
  const before = await newest("ann");
  const status = line === "!!Choir" ? line : `${line}\nwords`;
  expect((await clients.get("ann")!.post("/api/v1/statuses", { status })).status).toBe(422);
  expect(await newest("ann")).toBe(before);
});

test("a single group is named without quotes, too", async () => {
  const ann = clients.get("ann")!;
  const { json } = await ann.post("/api/v1/statuses", { status: "!!close friends\nhello", visibility: "public" });
  expect([json.visibility, json.content]).toEqual(["private", "<p>hello</p>"]);
  expect(json.hubbub.audience.groups.map((group: any) => group.title)).toEqual(["Close friends"]);
});

test("a first line with more than private mentions is no address, and stays", async () => {
  const { json } = await clients.get("ann")!.post("/api/v1/statuses", { status: "Dear @bob\nhello" });
  expect(json.content).toContain("Dear");
});
