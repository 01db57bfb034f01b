import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { commentOften } from "../../../../test/support/many-comments.ts";
import { onPostgres } from "../../../../test/support/hub.ts";
import { bearerFor, mastodonClient, mastodonPeople, postStatus } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { size } from "../../../../test/support/size.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";

/** Ids of copies, and walks by them while others post and delete (mastodon contract 5.2, 5.4, 7). */

const open = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let nobody: Client;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = await mastodonPeople(world, "ann", "bob", "cara");
  nobody = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  await setPermissionLimits(world.hub, ann.channel.channel_id, { post_comments: limits.site });
  await world.work();
});
afterAll(() => world.close());

const post = (client: Client, form: object) => postStatus(world, client, form);

describe("a copy that was named keeps its id", () => {
  test("through every deed, in contexts, and for an application with two accounts", async () => {
    const top = await post(ann, { status: "top", visibility: "public" });
    const reply = await post(ann, { status: "reply", in_reply_to_id: top.id });
    const deeper = await post(ann, { status: "deeper", in_reply_to_id: reply.id });
    const own = (await bob.get("/api/v1/timelines/home")).json.find((one: any) => one.uri === reply.uri);
    expect(own.id).not.toBe(reply.id);
    for (const id of [reply.id, own.id]) {
      for (const name of ["favourite", "bookmark", "mute", "unmute", "unbookmark", "unfavourite"])
        expect((await bob.post(`/api/v1/statuses/${id}/${name}`)).json.id).toBe(id);
      expect((await bob.get(`/api/v1/statuses/${id}`)).json.id).toBe(id);
      expect((await bob.get("/api/v1/statuses", { "id[]": id })).json[0].id).toBe(id);
      const { ancestors, descendants } = (await bob.get(`/api/v1/statuses/${id}/context`)).json;
      expect([ancestors.length, descendants[0].uri, descendants[0].in_reply_to_id]).toEqual([1, deeper.uri, id]);
      const { json } = await bob.get(`/api/v1/statuses/${id}`);
      expect(json.in_reply_to_id).toBe(ancestors[0].id);
    }
    // Whoever has no copy finds the one on the wall by any id.
    for (const id of [reply.id, top.id]) expect((await nobody.get(`/api/v1/statuses/${id}`)).json.id).toBe(id);
  });

  test("also when a deed makes the caller a copy", async () => {
    const { id } = await post(ann, { status: "far", visibility: "public" });
    expect((await cara.post(`/api/v1/statuses/${id}/favourite`)).json.id).toBe(id);
    expect((await cara.post(`/api/v1/statuses/${id}/bookmark`)).json).toMatchObject({ id, favourited: true });
    const [starred] = (await cara.get("/api/v1/bookmarks")).json;
    expect(starred.id).not.toBe(id);
    expect((await cara.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ id, bookmarked: true });
    const share = (await cara.post(`/api/v1/statuses/${id}/reblog`)).json;
    expect(share.id).not.toBe(share.reblog.id);
  });

  test("and ids are numbers that programs keep, larger ones later", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(Number((await post(ann, { status: `n ${n}` })).id));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(ids.every((id) => Number.isSafeInteger(id) && id < 2 ** 51)).toBe(true);
  });
});

describe("a context", () => {
  const under = async (parent: number, body: string): Promise<number> =>
    (await postItem(world.hub, ann.channel, { body, parent: { id: parent } })).id;
  const around = async (client: Client, id: number) => {
    const { ancestors, descendants } = (await client.get(`/api/v1/statuses/${id}/context`)).json;
    return { ancestors, descendants } as Record<"ancestors" | "descendants", { id: string; content: string }[]>;
  };

  test("shows a visitor 40 posts above and 60 below, to a depth of 20, and whoever has a token all of them", async () => {
    const chain = [(await postItem(world.hub, ann.channel, { body: "top", audience: open })).id];
    for (let n = 1; n <= 42; n++) chain.push(await under(chain.at(-1)!, `deep ${n}`));
    const [top, last] = [chain[0]!, chain[42]!];
    expect((await around(nobody, top)).descendants.map(({ id }) => id)).toEqual(chain.slice(1, 21).map(String));
    expect((await around(ann, top)).descendants).toHaveLength(42);
    expect((await around(nobody, last)).ancestors.map(({ id }) => id)).toEqual(chain.slice(2, 42).map(String));
    expect((await around(ann, last)).ancestors.map(({ id }) => id)).toEqual(chain.slice(0, 42).map(String));
    const wide = (await postItem(world.hub, ann.channel, { body: "wide", audience: open })).id;
    const below: number[] = [];
    for (let n = 0; n < 61; n++) below.push(await under(wide, `wide ${n}`));
    expect((await around(nobody, wide)).descendants.map(({ id }) => id)).toEqual(below.slice(0, 60).map(String));
    expect((await around(ann, wide)).descendants).toHaveLength(61);
  });
});

type Disturbance = { adds: boolean; drops: number | undefined };
const scripts: fc.Arbitrary<Disturbance[]> = fc.array(
  fc.record({ adds: fc.boolean(), drops: fc.option(fc.nat(20), { nil: undefined }) }),
  { minLength: 8, maxLength: 8 },
);
let count = 0;

describe("walks without a gap or a double", () => {
  const linkTo = (link: string | null, rel: string): Record<string, string> | undefined => {
    const address = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(link ?? "")?.[1];
    return address === undefined ? undefined : Object.fromEntries(new URL(address).searchParams);
  };

  test.each([
    ["home", () => bob, "/api/v1/timelines/home"],
    ["the author's page", () => bob, "account"],
    ["what is public", () => nobody, "/api/v1/timelines/public"],
  ] as const)("of %s, while others post and delete", async (_, reader, path) => {
    const place = path === "account" ? `/api/v1/accounts/${ann.channel.xchan_id}/statuses` : path;
    const read = async (query: Record<string, string>) => {
      const { json, headers } = await reader().get(place, { limit: "5", ...query });
      return { page: json.map((one: any) => ({ id: Number(one.id), uri: one.uri })), link: headers.get("link") };
    };
    const walk = async (disturbances: readonly Disturbance[]): Promise<void> => {
      const all: { id: string; uri: string }[] = [];
      const deleted = new Set<string>();
      const add = async () => all.push(await post(ann, { status: `walk ${(count += 1)}`, visibility: "public" }));
      const script = [...disturbances];
      const disturb = async () => {
        const { adds, drops } = script.pop() ?? { adds: false, drops: undefined };
        if (adds) await add();
        const victim = drops === undefined ? undefined : all[drops % all.length];
        if (!victim || deleted.has(victim.uri)) return;
        deleted.add(victim.uri);
        await ann.send("DELETE", `/api/v1/statuses/${victim.id}`);
      };
      for (let n = 0; n < 12; n++) await add();
      const before = all.map(({ uri }) => uri);
      const down: { id: number; uri: string }[] = [];
      let next: Record<string, string> | undefined = {};
      for (let pages = 0; next && pages < 1000; pages++) {
        const { page, link } = await read(next);
        down.push(...page);
        next = page.length === 0 ? undefined : linkTo(link, "next");
        if (page.length > 0) await disturb();
      }
      expect(down.map(({ id }) => id)).toEqual(
        [...new Set(down.map(({ id }) => id))].toSorted((one, other) => other - one),
      );
      const found = new Set(down.map(({ uri }) => uri));
      expect(before.filter((uri) => !deleted.has(uri) && !found.has(uri))).toEqual([]);

      const up: { id: number; uri: string }[] = [];
      let min: string | undefined = String(down.at(-1)!.id - 1);
      for (let pages = 0; min !== undefined && pages < 1000; pages++) {
        const { page, link }: Awaited<ReturnType<typeof read>> = await read({ min_id: min });
        up.push(...page.toReversed());
        min = page.length === 0 ? undefined : linkTo(link, "prev")?.["min_id"];
        if (page.length > 0) await disturb();
      }
      expect(up.map(({ id }) => id)).toEqual(
        [...new Set(up.map(({ id }) => id))].toSorted((one, other) => one - other),
      );
      const seen = new Set(up.map(({ uri }) => uri));
      expect([all.flatMap(({ id, uri }) => (deleted.has(uri) || seen.has(uri) ? [] : [id])), up.length]).toEqual([
        [],
        up.length,
      ]);
    };
    await fc.assert(fc.asyncProperty(scripts, walk), { numRuns: size(2, 12), endOnFailure: true });
  });
});

// After the walks, which would lead through all of it.
test("the context of a post shows whoever has a token 4,096 answers, the first ones", async () => {
  const top = (await postItem(world.hub, ann.channel, { body: "top", audience: open })).id;
  const below = await commentOften(world.hub, ann.channel, top, 4098);
  // Nobody does it in tests, and nothing is quick while PostgreSQL takes the tables for empty ones.
  if (onPostgres) await sql`analyze item, message`.execute(world.hub.db);
  const authorization = `Bearer ${await bearerFor(world, ann.channel)}`;
  // Past the schemas: so many would take them long.
  const asked = await world.anonymous.get(`/api/v1/statuses/${top}/context`, {}, { headers: { authorization } });
  const { descendants } = asked.json as { descendants: { id: string }[] };
  expect(descendants.map(({ id }) => id)).toEqual(below.slice(0, 4096).map(String));
});
