import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { befriend } from "../../../../test/support/people.ts";
import { connect, receiveAccept, updateConnection } from "../../../domain/connections/connections.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { updateDefaultProfile } from "../../../domain/people/change-profile.ts";

let world: TestApp;
let alma: Person;
let bruno: Person;

const base = "http://hub.example";
const accept = "application/activity+json";
const get = (path: string) => world.anonymous.get(path);

async function post(who: Person, form: Record<string, unknown>): Promise<{ id: string; uuid: string }> {
  const { id, mid } = (await who.post("/api/z/1.0/item/update", form)).json.item;
  return { id, uuid: mid.split("/").at(-1) };
}

/** All that a collection holds, page after page. */
async function walk(path: string): Promise<any[]> {
  const items: any[] = [];
  let next: string | undefined = (await get(path)).json.first;
  for (let pages = 0; next && pages < 10; pages++) {
    const { json } = await get(next.slice(base.length));
    items.push(...json.orderedItems);
    next = json.next;
  }
  return items;
}

beforeAll(async () => {
  world = await openTestApp();
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
  await befriend(world.hub, alma.channel, bruno.channel);
});
afterAll(() => world.close());

describe("the outbox", () => {
  test("names what is shared by an address, also where its own id is none", async () => {
    const sharer = await world.person("sharer");
    const { id, uuid } = await post(bruno, { body: "from far away" });
    await sharer.post(`/api/statuses/retweet/${id}`);
    const { xchan_id } = await meetActor(world.hub, actorOf("ann"));
    const plink = "https://far.example/notes/1";
    await world.hub.db
      .updateTable("message")
      .set({ mid: "urn:note:1", plink, author_id: xchan_id })
      .where("uuid", "=", uuid)
      .execute();
    expect((await get("/outbox/sharer?page=first")).json.orderedItems).toEqual([
      expect.objectContaining({ type: "Announce", object: plink }),
    ]);
  });

  test("has what everybody may see of one's own, the newest first, and nothing else", async () => {
    const own = await post(alma, { body: "public" });
    await post(alma, { body: "private", contact_allow: [bruno.channel.channel_hash] });
    await post(bruno, { body: "not hers" });
    const comment = await post(alma, { body: "a comment", parent: own.id });
    const theirs = await post(bruno, { body: "shared" });
    await world.work();
    const shared = (await alma.get("/api/statuses/home_timeline", { count: 50 })).json.find(
      (status: { text: string }) => status.text.includes("shared"),
    );
    await alma.post(`/api/statuses/retweet/${shared.id}`);
    await alma.post("/api/svc/activity/like", { id: own.id });
    const items = await walk("/outbox/alma");
    const everybody = "https://www.w3.org/ns/activitystreams#Public";
    const common = { actor: `${base}/channel/alma`, to: [everybody], cc: [`${base}/followers/alma`] };
    expect(items).toEqual([
      expect.objectContaining({ ...common, type: "Announce", object: `${base}/item/${theirs.uuid}` }),
      expect.objectContaining({ ...common, type: "Create", object: `${base}/item/${comment.uuid}` }),
      {
        ...common,
        id: `${base}/activity/${own.uuid}`,
        type: "Create",
        object: `${base}/item/${own.uuid}`,
        published: "2026-03-01T12:00:00Z",
      },
    ]);
    expect((await get("/outbox/alma")).json).toEqual({
      "@context": "https://www.w3.org/ns/activitystreams",
      id: `${base}/outbox/alma`,
      type: "OrderedCollection",
      totalItems: 3,
      first: `${base}/outbox/alma?page=first`,
    });
  });

  test("is read in pages by key: what is new meanwhile moves nothing", async () => {
    const writer = await world.person("writer");
    const uuids: string[] = [];
    for (let n = 0; n < 25; n++) uuids.unshift((await post(writer, { body: `post ${n}` })).uuid);
    const first = (await get("/outbox/writer?page=first")).json;
    expect(first).toMatchObject({ type: "OrderedCollectionPage", partOf: `${base}/outbox/writer`, totalItems: 25 });
    await post(writer, { body: "one more" });
    const second = (await get(first.next.slice(base.length))).json;
    const found = [...first.orderedItems, ...second.orderedItems].map(({ object }) => object);
    expect(found).toEqual(uuids.map((uuid) => `${base}/item/${uuid}`));
    expect([first.orderedItems.length, second.next]).toEqual([20, undefined]);
  });

  describe("of who comments in threads of other hubs", () => {
    let olga: Person;
    const carla = actorOf("carla");
    const everybody = "https://www.w3.org/ns/activitystreams#Public";

    beforeAll(async () => {
      olga = await world.person("olga");
      const person = await meetActor(world.hub, carla);
      await connect(world.hub, olga.channel, person);
      await receiveAccept(world.hub, olga.channel, person);
      const arrives = arrivesIn(world.hub);
      for (const [name, to] of [
        ["open", everybody],
        ["closed", carla.followers],
      ]) {
        const id = `https://far.example/notes/${name}`;
        const common = { to: [to], cc: [] };
        const object = { ...common, id, type: "Note", attributedTo: carla.id, content: name };
        const create = { ...common, id: `${id}/create`, type: "Create", actor: carla.id, object };
        await arrives(create, [olga.channel]);
      }
    });

    const comment = (thread: "open" | "closed") =>
      post(olga, { body: "well", parent_mid: `https://far.example/notes/${thread}` });

    test("has those that everybody may see", async () => {
      const own = await post(olga, { body: "one's own" });
      const open = await comment("open");
      const closed = await comment("closed");
      expect(await walk("/outbox/olga")).toEqual([
        expect.objectContaining({
          id: `${base}/activity/${open.uuid}`,
          type: "Create",
          actor: `${base}/channel/olga`,
          to: [everybody],
          object: `${base}/item/${open.uuid}`,
        }),
        expect.objectContaining({ object: `${base}/item/${own.uuid}` }),
      ]);
      expect((await get("/outbox/olga")).json.totalItems).toBe(2);
      const found = (uuid: string) => world.anonymous.get(`/item/${uuid}`, {}, { headers: { accept } });
      expect([(await found(open.uuid)).status, (await found(closed.uuid)).status]).toEqual([200, 404]);
    });

    test("has them in their place among the rest, on whatever page that is", async () => {
      const before = (await walk("/outbox/olga")).length;
      const uuids: string[] = [];
      const top = await post(olga, { body: "a top" });
      uuids.unshift(top.uuid);
      for (let n = 0; n < 12; n++) {
        uuids.unshift((await comment("open")).uuid);
        await comment("closed");
        uuids.unshift((await post(olga, { body: "here", parent: top.id })).uuid);
      }
      const first = (await get("/outbox/olga?page=first")).json;
      expect(first.orderedItems).toHaveLength(20);
      const objects = (await walk("/outbox/olga")).map(({ object }) => object);
      expect(objects.slice(0, uuids.length)).toEqual(uuids.map((uuid) => `${base}/item/${uuid}`));
      expect(objects).toHaveLength(before + uuids.length);
      expect((await get("/outbox/olga")).json.totalItems).toBe(objects.length);
    });

    test("has none that is gone, and none where strangers may not read the channel", async () => {
      const gone = await comment("open");
      expect((await walk("/outbox/olga"))[0].object).toBe(`${base}/item/${gone.uuid}`);
      await olga.post(`/api/statuses/destroy/${gone.id}`);
      expect(JSON.stringify(await walk("/outbox/olga"))).not.toContain(gone.uuid);
      const answer = await world.anonymous.get(`/item/${gone.uuid}`, {}, { headers: { accept } });
      expect([answer.status, answer.json.type]).toEqual([410, "Tombstone"]);
      await setPermissionLimits(world.hub, olga.channel.channel_id, { view_stream: 8 });
      expect((await get("/outbox/olga?page=first")).status).toBe(404);
      await setPermissionLimits(world.hub, olga.channel.channel_id, { view_stream: 1 });
    });
  });

  test("is a stub where strangers may not read the channel, or the site", async () => {
    const shy = await world.person("shy");
    await post(shy, { body: "for some" });
    const stub = {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: `${base}/outbox/shy`,
      type: "OrderedCollection",
    };
    await setPermissionLimits(world.hub, shy.channel.channel_id, { view_stream: 8 });
    expect((await get("/outbox/shy")).json).toEqual(stub);
    expect((await get("/outbox/shy?page=first")).status).toBe(404);
    await setPermissionLimits(world.hub, shy.channel.channel_id, { view_stream: 1 });
    expect((await get("/outbox/shy")).json.totalItems).toBe(1);
    await changeSite(world.hub, { blockPublic: true });
    expect((await get("/outbox/shy")).json).toEqual(stub);
    await changeSite(world.hub, { blockPublic: false });
  });
});

describe("followers and following", () => {
  test("name those who may be named", async () => {
    const [seen, hidden, unlisted] = [
      await world.person("seen"),
      await world.person("hidden"),
      await world.person("unlisted", { role: "social_private" }),
    ];
    for (const other of [seen, hidden, unlisted]) await befriend(world.hub, alma.channel, other.channel);
    const row = await world.hub.db
      .selectFrom("abook")
      .select("abook_id")
      .where("abook_channel", "=", alma.channel.channel_id)
      .where("abook_xchan", "=", hidden.channel.channel_hash)
      .executeTakeFirstOrThrow();
    await updateConnection(world.hub, alma.channel, row.abook_id, { hidden: true });
    for (const list of ["followers", "following"]) {
      expect(await walk(`/${list}/alma`)).toEqual([`${base}/channel/seen`, `${base}/channel/bruno`]);
      expect((await get(`/${list}/alma`)).json).toMatchObject({ id: `${base}/${list}/alma`, totalItems: 4 });
    }
  });

  test("are stubs where the channel shows neither names nor numbers", async () => {
    const stub = (list: string) => ({
      "@context": "https://www.w3.org/ns/activitystreams",
      id: `${base}/${list}/bruno`,
      type: "OrderedCollection",
    });
    await updateDefaultProfile(world.hub, bruno.channel.channel_id, { hide_friends: 1 });
    for (const list of ["followers", "following"]) {
      expect((await get(`/${list}/bruno`)).json).toEqual(stub(list));
      expect((await get(`/${list}/bruno?page=first`)).status).toBe(404);
    }
    await updateDefaultProfile(world.hub, bruno.channel.channel_id, { hide_friends: 0 });
    await setPermissionLimits(world.hub, bruno.channel.channel_id, { view_contacts: 8 });
    expect((await get("/followers/bruno")).json).toEqual(stub("followers"));
  });
});

describe("odd requests", () => {
  test.each(["outbox", "followers", "following"])(
    "%s of nobody, of somebody gone, and of pages that are none",
    async (list) => {
      const { channel } = await world.person(`gone-${list}`);
      await removeChannel(world.hub, channel.channel_id);
      const [nobody, gone] = [await get(`/${list}/nobody`), await get(`/${list}/gone-${list}`)];
      expect(nobody.status).toBe(404);
      if (list === "outbox") {
        const tombstone = { type: "Tombstone", id: `${base}/outbox/gone-outbox`, formerType: "OrderedCollection" };
        expect([gone.status, gone.json]).toEqual([410, expect.objectContaining(tombstone)]);
      } else expect(gone.text).toBe(nobody.text);
      for (const path of ["Alma", "instance.actor", "a%00b", "alma?page=x", "alma?page=-1", "alma?page=1e9"])
        expect([path, (await get(`/${list}/${path}`)).text]).toEqual([path, nobody.text]);
      expect((await get(`/${list}/alma?page=0`)).json.orderedItems).toEqual([]);
      expect((await get(`/${list}/alma?unknown=1`)).json.first).toBeDefined();
      expect((await world.anonymous.send("POST", `/${list}/alma`)).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    },
  );
});
