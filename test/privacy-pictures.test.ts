import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeAudience } from "../src/domain/cloud/change.ts";
import { choosePhotoFor } from "../src/domain/cloud/channel-photos.ts";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
import { deleteItem } from "../src/domain/items/posting/delete.ts";
import { editItem } from "../src/domain/items/posting/edit.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import type { Item } from "../src/domain/items/types.ts";
import { recallMessage } from "../src/domain/messages/remove.ts";
import { sendMessage } from "../src/domain/messages/send.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { put } from "./support/files.ts";
import { password } from "./support/hub.ts";
import { mastodonPerson, postStatus } from "./support/mastodon.ts";
import { befriend, nobody } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";
import { size } from "./support/size.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** Pictures have the audience of what shows them, at every address, as long as it shows them (decision 85). */

let world: TestApp;
let ann: Person;
let app: Client;
let cara: Client;
let group: { id: number; hash: string };
/** In this order: in the group, connected, nobody. */
const visitors: Visitor[] = [];

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  const bob = await world.person("bob");
  const { channel } = await world.person("cara");
  for (const other of [bob.channel, channel]) await befriend(world.hub, ann.channel, other);
  group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  app = await mastodonPerson(world, ann.channel);
  cara = await mastodonPerson(world, channel);
  for (const nick of ["bob", "cara"]) {
    const visitor = visitorOf(world.app);
    await visitor.logIn(nick, password);
    visitors.push(visitor);
  }
  visitors.push(visitorOf(world.app));
});
afterAll(() => world.close());

const everybody = [200, 200, 200];
const members = [200, 404, 404];
const noOne = [404, 404, 404];

async function uploaded(): Promise<{ id: string; hash: string }> {
  const bytes = await picture(60, 40).png().toBuffer();
  const { json } = await app.send("POST", "/api/v2/media", formWith({}, [["file", bytes, "a.png", "image/png"]]));
  return { id: json.id, hash: /\/photo\/([0-9a-f]{64})/.exec(json.url)![1]! };
}

const asObject = { accept: "application/activity+json" };

/** What its readers are answered at the addresses of a picture; all of these tell the same. Its object is for everybody or nobody. */
async function seen(hash: string): Promise<number[]> {
  const at = async (path: string) => {
    const statuses: number[] = [];
    for (const visitor of visitors) statuses.push((await visitor.get(path)).status);
    return statuses;
  };
  const [first, ...others] = [
    await at(`/photo/${hash}-2`),
    await at(`/photo/${hash}-0.png`),
    await at(`/attach/${hash}`),
  ];
  for (const other of others) expect(other).toEqual(first);
  for (const path of [`/photo/${hash}`, `/photo/${hash}-2`, `/attach/${hash}`])
    for (const visitor of visitors) expect((await visitor.get(path, asObject)).status).toBe(first.at(-1));
  return first;
}

const native = (hash: string, audience = nobody as { [Name in keyof typeof nobody]: string[] }): Promise<Item> =>
  postItem(world.hub, ann.channel, { body: `[img]${world.hub.config.baseUrl}/photo/${hash}-2.png[/img]`, audience });
const toGroup = () => ({ ...nobody, allow_gid: [group.hash] });

test("a post that is deleted and written anew for fewer takes its picture along", async () => {
  const { id, hash } = await uploaded();
  expect(await seen(hash)).toEqual(noOne);
  const open = await postStatus(world, app, { status: "see", media_ids: [id], visibility: "public" });
  expect(await seen(hash)).toEqual(everybody);
  const cached = await visitors[2]!.get(`/photo/${hash}-2`);
  expect(cached.headers.get("cache-control")).toBe("public, no-cache");
  const [{ url }] = (await cara.get(`/api/v1/statuses/${open.id}`)).json.media_attachments;
  expect((await app.send("DELETE", `/api/v1/statuses/${open.id}`)).status).toBe(200);
  expect(await seen(hash)).toEqual(noOne);
  await postStatus(world, app, { status: "see", media_ids: [id], visibility: `list:${group.id}` });
  expect(await seen(hash)).toEqual(members);
  expect((await visitors[2]!.get(new URL(url).pathname)).status).toBe(404);
  expect((await visitors[2]!.get(`/photo/${hash}-2`, { "if-none-match": cached.headers.get("etag")! })).status).toBe(
    404,
  );
});

test("one that several posts show has the audience of the oldest that is left", async () => {
  const { hash } = await uploaded();
  const first = await native(hash, toGroup());
  const second = await native(hash);
  expect(await seen(hash)).toEqual(members);
  await deleteItem(world.hub, ann.channel, { id: first.id });
  expect(await seen(hash)).toEqual(everybody);
  const third = await native(hash, toGroup());
  await editItem(world.hub, ann.channel, second.id, { body: "without it" });
  expect(await seen(hash)).toEqual(members);
  await deleteItem(world.hub, ann.channel, { id: third.id });
  expect(await seen(hash)).toEqual(noOne);
});

test("one that its owner has shown by hand stays as it is", async () => {
  const { hash } = await uploaded();
  const item = await native(hash, toGroup());
  await changeAudience(world.hub, ann.channel, ann.channel, hash, nobody);
  await deleteItem(world.hub, ann.channel, { id: item.id });
  expect(await seen(hash)).toEqual(everybody);
  const bytes = await picture(60, 40).png().toBuffer();
  const album = await put(world.hub, ann.channel, "b.png", bytes, { folder: { path: "Album" }, audience: nobody });
  const posted = await native(album.hash, toGroup());
  await deleteItem(world.hub, ann.channel, { id: posted.id });
  expect(await seen(album.hash)).toEqual(everybody);
});

test("one that became the cover stays when the post goes that showed it first", async () => {
  const { hash } = await uploaded();
  const item = await native(hash);
  await choosePhotoFor(world.hub, "cover", ann.channel, hash);
  await deleteItem(world.hub, ann.channel, { id: item.id });
  expect(await seen(hash)).toEqual(everybody);
});

test("one in an answer goes with it, and with its thread", async () => {
  const [one, other] = [await uploaded(), await uploaded()];
  const top = await postStatus(world, cara, { status: "mine", visibility: "public" });
  const answers: any[] = [];
  for (const { id } of [one, other])
    answers.push(await postStatus(world, app, { status: "@cara see", media_ids: [id], in_reply_to_id: top.id }));
  expect([await seen(one.hash), await seen(other.hash)]).toEqual([everybody, everybody]);
  await app.send("DELETE", `/api/v1/statuses/${answers[0].id}`);
  expect([await seen(one.hash), await seen(other.hash)]).toEqual([noOne, everybody]);
  await cara.send("DELETE", `/api/v1/statuses/${top.id}`);
  expect(await seen(other.hash)).toEqual(noOne);
});

test("one in a message goes when the message is taken back", async () => {
  const { id, hash } = await uploaded();
  const to = (
    await world.hub.db
      .selectFrom("channel")
      .select("channel_hash")
      .where("channel_address", "=", "bob")
      .executeTakeFirstOrThrow()
  ).channel_hash;
  const mail = await sendMessage(world.hub, ann.channel, { to, body: "see", mediaIds: [Number(id)] });
  expect(await seen(hash)).toEqual(members);
  await recallMessage(world.hub, ann.channel, mail.id);
  expect(await seen(hash)).toEqual(noOne);
});

test("one on a page follows the audience of the page", async () => {
  const { hash } = await uploaded();
  const body = `[img]${world.hub.config.baseUrl}/photo/${hash}-2.png[/img]`;
  const page = await postItem(world.hub, ann.channel, { body, itemType: 3, pageTitle: "pictures" });
  expect(await seen(hash)).toEqual(everybody);
  await editItem(world.hub, ann.channel, page.id, { body, audience: toGroup() });
  expect(await seen(hash)).toEqual(members);
});

test("whatever is posted, edited, shown by hand and deleted, in whatever order, nobody else sees it", async () => {
  const { hash } = await uploaded();
  const body = `[img]${world.hub.config.baseUrl}/photo/${hash}-2.png[/img]`;
  const deed = fc.record({
    what: fc.constantFrom("post", "delete", "empty", "refill", "hand"),
    open: fc.boolean(),
    at: fc.nat(4),
  });
  const standing: { item: Item; open: boolean; shows: number }[] = [];
  let byHand: boolean | undefined;
  let moment = 0;
  await fc.assert(
    fc.asyncProperty(deed, async ({ what, open, at }) => {
      const one = standing[at % Math.max(standing.length, 1)];
      if (what === "post") {
        const item = await native(hash, open ? nobody : toGroup());
        standing.push({ item, open, shows: byHand === undefined ? ++moment : 0 });
      } else if (what === "hand") {
        if (at > 0) return;
        await changeAudience(world.hub, ann.channel, ann.channel, hash, open ? nobody : toGroup());
        byHand = open;
        for (const each of standing) each.shows = 0;
      } else if (one && what === "delete") {
        await deleteItem(world.hub, ann.channel, { id: one.item.id });
        standing.splice(standing.indexOf(one), 1);
      } else if (one) {
        const shows = what === "refill" && byHand === undefined;
        await editItem(world.hub, ann.channel, one.item.id, { body: what === "refill" ? body : "nothing" });
        one.shows = shows ? one.shows || ++moment : 0;
      }
      const [oldest] = standing.filter(({ shows }) => shows > 0).toSorted((a, b) => a.shows - b.shows);
      const audience = byHand ?? oldest?.open;
      expect(await seen(hash)).toEqual(audience === undefined ? noOne : audience ? everybody : members);
    }),
    { numRuns: size(20, 600) },
  );
});
