import { anonymous } from "../../../test/support/observers.ts";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { formWith, picture } from "../../../test/support/pictures.ts";
import { befriend, holders, mark, nobody } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { changeAudience, remove } from "../cloud/change.ts";
import { uploadPhotoFor } from "../cloud/channel-photos.ts";
import { upload } from "../cloud/upload.ts";
import { findFile } from "../files/find.ts";
import type { File } from "../files/types.ts";
import { addMembers, findGroup, removeMembers } from "../groups/groups.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { photoThread } from "../items/media/photo-thread.ts";
import { postItem } from "../items/posting/post.ts";
import { react } from "../items/posting/react.ts";
import { visibleThread, wall } from "../items/timelines/thread.ts";
import type { Item } from "../items/types.ts";
import { albums } from "./albums.ts";
import { findPhoto } from "./find.ts";
import { listPhotos } from "./list.ts";
import type { Photo } from "./columns.ts";

/** Whoever may not see a photo finds what is there for a photo that never was: by every scale, address, range and list. */

let world: TestApp;
let alma: Person;
let ben: Person;
let cara: Person;
let dora: Person;
let friends: string;
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  ben = await world.person("ben");
  cara = await world.person("cara");
  dora = await world.person("dora");
  for (const other of [ben, cara, dora]) await befriend(world.hub, alma.channel, other.channel);
  const group = (await findGroup(world.hub, alma.channel.channel_id, { name: "Friends" }))!;
  friends = group.hash;
  await world.hub.db.deleteFrom("pgrp_member").where("gid", "=", group.id).execute();
  await addMembers(world.hub, alma.channel.channel_id, group.id, [ben.channel.channel_hash, dora.channel.channel_hash]);
  await mark(world.hub, alma.channel, dora.channel, { blocked: true });
  for (const { nick } of [alma, ben, cara, dora]) {
    const visitor = visitorOf(world.app);
    await visitor.logIn(nick, password);
    visitors.set(nick, visitor);
  }
  visitors.set("nobody", visitorOf(world.app));
});
afterAll(() => world.close());

const everybody = ["alma", "ben", "cara", "dora", "nobody"];
const observers = (): [string, Observer][] => [
  ...[alma, ben, cara, dora].map(({ nick, channel }): [string, Observer] => [nick, observerOf(channel)]),
  ["nobody", anonymous],
];

async function stage(bytes: Buffer) {
  return world.hub.blobs.stage(Readable.from([bytes]), bytes.length);
}

async function uploaded(path: string, audience = nobody as { [Name in keyof typeof nobody]: string[] }): Promise<File> {
  const bytes = await picture(700, 500).jpeg().toBuffer();
  const sent = { filename: "p.jpg", type: "image/jpeg", folder: { path }, audience };
  return upload(world.hub, alma.channel, alma.channel, await stage(bytes), sent);
}

async function postedWith(fields: Record<string, string>): Promise<{ hash: string; item: any }> {
  const bytes = await picture(700, 500).jpeg().toBuffer();
  const form = formWith({ body: "x", ...fields }, [["media", bytes, "p.jpg", "image/jpeg"]]);
  const { json } = await alma.send("POST", "/api/z/1.0/item/update", form);
  expect(json.success).toBe(true);
  return { hash: /photo\/([0-9a-f]{64})-/.exec(json.item.body)![1]!, item: json.item };
}

/** Statuses of one address for everybody. */
async function statuses(path: string, headers: Record<string, string> = {}): Promise<number[]> {
  const all: number[] = [];
  for (const nick of everybody) all.push((await visitors.get(nick)!.get(path, headers)).status);
  return all;
}

const plain = ({ status, text, headers }: VisitedPage, hash: string, other: string) => ({
  status,
  text: withoutTokens(text).replaceAll(hash, "HASH").replaceAll(other, "HASH"),
  headers: [...headers].filter(([name]) => !["x-request-id", "date", "set-cookie", "content-length"].includes(name)),
});

describe("the image of a private post", () => {
  let hash: string;
  const never = "0123456789abcdef".repeat(4);
  beforeAll(async () => {
    ({ hash } = await postedWith({ "group_allow[]": friends }));
    await world.work();
  });

  test.each(["", "-0", "-1", "-2", "-3", "-2.jpg", "-0.png", ".jpg"])("at /photo/<hash>%s", async (end) => {
    expect(await statuses(`/photo/${hash}${end}`)).toEqual([200, 200, 404, 404, 404]);
    expect(await statuses(`/photo/${hash}${end}`, { range: "bytes=0-9" })).toEqual([206, 206, 404, 404, 404]);
    expect(await statuses(`/photo/${hash}${end}`, { range: "bytes=900000000-" })).toEqual([416, 416, 404, 404, 404]);
  });

  test.each(["/photo/HASH-2", "/photo/HASH", "/attach/HASH", "/attach/HASH/0", "/photos/alma/image/HASH"])(
    "%s is what an unknown one is",
    async (path) => {
      for (const nick of ["cara", "dora", "nobody"]) {
        const seen = await visitors.get(nick)!.get(path.replace("HASH", hash));
        const unknown = await visitors.get(nick)!.get(path.replace("HASH", never));
        expect(seen.status).toBe(404);
        expect(plain(seen, hash, never)).toEqual(plain(unknown, hash, never));
      }
    },
  );

  test("scales that it does not have are not there for anybody", async () => {
    for (const end of ["-4", "-6", "-7", "-9", "-10", "-x", "--2", "-2-2", "/2"])
      expect(await statuses(`/photo/${hash}${end}`)).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(`/photo/${hash.toUpperCase()}-2`)).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(`/photo/${hash.slice(0, 20)}-2`)).toEqual([404, 404, 404, 404, 404]);
  });

  test("a version that is known is no way in", async () => {
    const etag = (await visitors.get("ben")!.get(`/photo/${hash}-2`)).headers.get("etag")!;
    expect(await statuses(`/photo/${hash}-2`, { "if-none-match": etag })).toEqual([304, 304, 404, 404, 404]);
    const ranged = { range: "bytes=0-9", "if-range": etag };
    expect(await statuses(`/photo/${hash}-2`, ranged)).toEqual([206, 206, 404, 404, 404]);
  });

  test("it is kept by nobody's shared cache", async () => {
    const { headers } = await visitors.get("ben")!.get(`/photo/${hash}-2`);
    expect(headers.get("cache-control")).toContain("private");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).toBe("image/jpeg");
  });

  test("it is in nobody's albums and lists who may not see it", async () => {
    for (const [nick, observer] of observers()) {
      const sees = ["alma", "ben"].includes(nick);
      const found = await albums(world.hub, observer, alma.channel);
      expect(found.map(({ total }) => total)).toEqual(sees ? [1] : []);
      const listed: Photo[] = [];
      for await (const some of listPhotos(world.hub, observer, alma.channel, { start: 0, records: 0 }))
        listed.push(...some);
      expect(listed).toHaveLength(sees ? 4 : 0);
      const asked = findPhoto(world.hub, observer, { resource: hash, scale: 1 }, alma.channel.channel_id);
      if (sees) expect((await asked).imgscale).toBe(1);
      else await expect(asked).rejects.toMatchObject({ kind: "missing" });
    }
  });

  test("credentials of the API are no way to the picture, and the API of others knows nothing of it", async () => {
    expect((await ben.get(`/photo/${hash}-2`)).status).toBe(404);
    for (const client of [ben, cara, dora])
      expect((await client.get("/api/z/1.0/photo", { photo_id: hash })).json.reason).toBe("not_found");
  });

  test("who leaves the group sees it no more", async () => {
    const uid = alma.channel.channel_id;
    const group = (await findGroup(world.hub, uid, { name: "Friends" }))!;
    await removeMembers(world.hub, uid, group.id, [ben.channel.channel_hash]);
    expect(await statuses(`/photo/${hash}-2`)).toEqual([200, 404, 404, 404, 404]);
    await addMembers(world.hub, uid, group.id, [ben.channel.channel_hash]);
    expect(await statuses(`/photo/${hash}-2`)).toEqual([200, 200, 404, 404, 404]);
  });
});

describe("media take the audience of their post", () => {
  const only = (person: Person): string => person.channel.channel_hash;

  test.each<[string, () => Record<string, string>, number[]]>([
    ["public", () => ({ "contact_allow[]": "" }), [200, 200, 200, 404, 200]],
    ["one person", () => ({ "contact_allow[]": only(cara) }), [200, 404, 200, 404, 404]],
    ["all but one", () => ({ "contact_deny[]": only(cara) }), [200, 200, 404, 404, 404]],
    ["connections by scope word", () => ({ public_policy: "contacts" }), [200, 200, 200, 404, 404]],
    ["the channel alone", () => ({ public_policy: "self" }), [200, 404, 404, 404, 404]],
    ["one who is named privately", () => ({ body: "Psst @!cara" }), [200, 404, 200, 404, 404]],
  ])("%s", async (_name, fields, expected) => {
    const { hash, item } = await postedWith(fields());
    expect(await statuses(`/photo/${hash}-2`)).toEqual(expected);
    expect(item.item_private).toBe(expected[4] === 200 ? "0" : "1");
  });

  test("a comment's file has the thread's audience on one's own wall, and stays one's own elsewhere", async () => {
    const top = await postItem(world.hub, alma.channel, { body: "x", audience: { ...nobody, allow_gid: [friends] } });
    await world.work();
    const { hash } = await postedWith({ parent_mid: top.mid });
    expect(await statuses(`/photo/${hash}-2`)).toEqual([200, 200, 404, 404, 404]);
    const theirs = await postItem(world.hub, ben.channel, { body: "y" });
    await world.work();
    const comment = await postedWith({ parent_mid: theirs.mid });
    expect(await statuses(`/photo/${comment.hash}-2`)).toEqual([200, 404, 404, 404, 404]);
  });

  test("a file that somebody else may see already keeps its lists; one's own gets those of a later post", async () => {
    const shared = await uploaded("Shared", { ...nobody, allow_cid: [only(cara)] });
    const mine = await uploaded("Mine", { ...nobody, allow_cid: [only(alma)] });
    const body = [shared, mine].map(({ hash }) => `[img]http://hub.example/photo/${hash}-1.jpg[/img]`).join(" ");
    await postItem(world.hub, alma.channel, { body, audience: nobody });
    expect(await statuses(`/photo/${shared.hash}-2`)).toEqual([200, 404, 200, 404, 404]);
    expect(await statuses(`/photo/${mine.hash}-2`)).toEqual([200, 200, 200, 404, 200]);
  });

  test("a directory with lists of its own keeps its files to those", async () => {
    const file = await uploaded("Closed", { ...nobody, allow_cid: [only(alma)] });
    const folder = await findFile(world.hub, observerOf(alma.channel), { hash: file.folder });
    const toCara = { ...nobody, allow_cid: [only(cara)] };
    await changeAudience(world.hub, alma.channel, alma.channel, folder.hash, toCara);
    await postItem(world.hub, alma.channel, { body: `http://hub.example/attach/${file.hash}`, audience: nobody });
    expect(await statuses(`/photo/${file.hash}-2`)).toEqual([200, 404, 404, 404, 404]);
  });

  test("somebody else's post shares nothing of mine", async () => {
    const mine = await uploaded("Mine too", { ...nobody, allow_cid: [only(alma)] });
    const body = `[img]http://hub.example/photo/${mine.hash}-1.jpg[/img] [attachment]${mine.hash},0[/attachment]`;
    const item = await postItem(world.hub, ben.channel, { body });
    expect(item.attach).toBe("");
    expect(await statuses(`/photo/${mine.hash}-2`)).toEqual([200, 404, 404, 404, 404]);
  });

  test("a default audience holds for uploads, and not against the post's own", async () => {
    const { hub } = world;
    const set = (list: string) =>
      hub.db
        .updateTable("channel")
        .set({ channel_allow_gid: list })
        .where("channel_id", "=", alma.channel.channel_id)
        .execute();
    await set(`<${friends}>`);
    await setConfig(hub, alma.channel.channel_id, "system", "photo_path", "Another/%Y");
    expect(await statuses(`/photo/${(await postedWith({ "contact_allow[]": "" })).hash}-2`)).toEqual([
      200, 200, 200, 404, 200,
    ]);
    expect(await statuses(`/photo/${(await postedWith({})).hash}-2`)).toEqual([200, 200, 404, 404, 404]);
    await set("");
  });
});

describe("addresses of photos in use", () => {
  test("a profile photo is everybody's by its own address, a private image stays private by its others", async () => {
    const { choosePhotoFor } = await import("../cloud/channel-photos.ts");
    const file = await uploaded("Faces", { ...nobody, allow_gid: [friends] });
    await choosePhotoFor(world.hub, "profile", alma.channel, file.hash);
    expect(await statuses(`/photo/profile/l/${alma.channel.channel_id}`)).toEqual([200, 200, 200, 200, 200]);
    for (const scale of [0, 2, 4, 6])
      expect(await statuses(`/photo/${file.hash}-${scale}`)).toEqual([200, 200, 404, 404, 404]);
  });

  test("a cover is on the channel's page for those who may see files", async () => {
    const bytes = await picture(1300, 600).png().toBuffer();
    const cover = await uploadPhotoFor(world.hub, "cover", alma.channel, await stage(bytes), {
      filename: "cover.png",
      type: "image/png",
    });
    for (const scale of [7, 8, 9])
      expect(await statuses(`/photo/${cover.hash}-${scale}`)).toEqual([200, 200, 200, 404, 200]);
    expect((await visitors.get("nobody")!.get("/channel/alma")).text).toContain(`/photo/${cover.hash}-7`);
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_storage", "8");
    expect(await statuses(`/photo/${cover.hash}-7`)).toEqual([200, 200, 200, 404, 404]);
    expect((await visitors.get("nobody")!.get("/channel/alma")).text).not.toContain(cover.hash);
    expect((await visitors.get("ben")!.get("/channel/alma")).text).toContain(cover.hash);
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_storage", "1");
  });

  test("pictures without a file are public as faces only", async () => {
    const row = (resource_id: string, photo_usage: number) => ({
      aid: alma.channel.channel_account_id,
      uid: alma.channel.channel_id,
      resource_id,
      created: "2026-01-01 00:00:00",
      edited: "2026-01-01 00:00:00",
      blob: "none",
      mimetype: "image/png",
      imgscale: 4,
      photo_usage,
    });
    const [face, connection, other] = ["a", "b", "c"].map((letter) => letter.repeat(32)) as [string, string, string];
    await world.hub.db
      .insertInto("photo")
      .values([row(face, 1), row(connection, 2), row(other, 0)])
      .execute();
    for (const [, observer] of observers())
      for (const resource of [face, connection])
        expect((await findPhoto(world.hub, observer, { resource, scale: 4 })).resource_id).toBe(resource);
    expect(await statuses(`/photo/${other}-4`)).toEqual([expect.anything(), 404, 404, 404, 404]);
    await world.hub.db.deleteFrom("photo").where("blob", "=", "none").execute();
  });
});

describe("the item of a photo", () => {
  const itemOf = async (hash: string): Promise<Item> => {
    const { selectItems } = await import("../items/queries.ts");
    return selectItems(world.hub)
      .where("message.resource_id", "=", hash)
      .where("item.uid", "=", alma.channel.channel_id)
      .executeTakeFirstOrThrow();
  };
  const thread = (observer: Observer, file: File) => photoThread(world.hub, observer, file).then(({ items }) => items);
  const onWall = async (observer: Observer, item: Item): Promise<boolean> =>
    (await wall(world.hub, observer, alma.channel, { count: 100 })).items.some(({ id }) => id === item.id);

  test("is hidden until somebody answers, and then goes to its audience", async () => {
    const file = await uploaded("Seen", { ...nobody, allow_gid: [friends] });
    const item = await itemOf(file.hash);
    expect(item).toMatchObject({ item_hidden: 1, item_private: 1, allow_gid: `<${friends}>`, item_wall: 1 });
    for (const [, observer] of observers()) {
      if (observer.channelId !== alma.channel.channel_id)
        await expect(visibleThread(world.hub, observer, { id: item.id })).rejects.toMatchObject({ kind: "missing" });
      expect(await onWall(observer, item)).toBe(false);
    }
    expect((await thread(observerOf(ben.channel), file)).map(({ id }) => id)).toEqual([item.id]);
    for (const observer of [observerOf(cara.channel), observerOf(dora.channel), anonymous])
      expect(await thread(observer, file)).toEqual([]);

    for (const stranger of [cara, dora])
      for (const draft of [{ body: "hi" }, { body: "", verb: "like" }])
        await expect(
          postItem(world.hub, stranger.channel, { ...draft, parent: { id: item.id } }),
        ).rejects.toMatchObject({ kind: "missing" });
    expect((await itemOf(file.hash)).item_hidden).toBe(1);
    const people = [alma, ben, cara, dora].map(({ channel }) => channel);

    const comment = await postItem(world.hub, ben.channel, { body: "Fine", parent: { mid: item.mid } });
    await world.work();
    expect((await itemOf(file.hash)).item_hidden).toBe(0);
    expect((await thread(observerOf(alma.channel), file)).map(({ body }) => body).slice(1)).toEqual(["Fine"]);
    expect(await thread(observerOf(cara.channel), file)).toEqual([]);
    expect(await thread(anonymous, file)).toEqual([]);
    expect(await onWall(observerOf(ben.channel), item)).toBe(true);
    expect(await onWall(observerOf(cara.channel), item)).toBe(false);
    expect(comment.uid).toBe(ben.channel.channel_id);
    expect(await holders(world.hub, item, people)).toEqual(["alma", "ben"]);
  });

  test("appears with a like, too, and is hidden again when it is deleted while the photo stays", async () => {
    const file = await uploaded("Liked");
    const item = await itemOf(file.hash);
    await react(world.hub, cara.channel, { id: item.id }, "like", "stays");
    await world.work();
    // Public now, it goes to all connections, as a new post would.
    expect(await holders(world.hub, item, [alma.channel, ben.channel, cara.channel])).toEqual(["alma", "ben", "cara"]);
    expect((await itemOf(file.hash)).item_hidden).toBe(0);
    expect(await onWall(anonymous, item)).toBe(true);
    await deleteItem(world.hub, alma.channel, { id: item.id });
    await world.work();
    expect(await itemOf(file.hash)).toMatchObject({ item_hidden: 1, item_deleted: 0, resource_id: file.hash });
    expect(await onWall(anonymous, item)).toBe(false);
    const likes = await world.hub.db
      .selectFrom("item")
      .select("item_deleted")
      .where("parent", "=", item.id)
      .where("id", "<>", item.id)
      .execute();
    expect(likes.map((like) => like.item_deleted)).toEqual([1]);
    await postItem(world.hub, ben.channel, { body: "Back", parent: { id: item.id } });
    expect((await itemOf(file.hash)).item_hidden).toBe(0);
  });

  test("becomes a tombstone with the image, and so does what was said about it", async () => {
    const file = await uploaded("Deleted");
    const item = await itemOf(file.hash);
    await postItem(world.hub, ben.channel, { body: "A last word", parent: { id: item.id } });
    await world.work();
    await remove(world.hub, alma.channel, alma.channel, file.hash);
    const messages = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["item.item_deleted", "message.body", "message.obj"])
      .where("message.parent_mid", "=", item.mid)
      .execute();
    expect(messages.length).toBeGreaterThan(1);
    for (const one of messages) expect(one).toEqual({ item_deleted: 1, body: "", obj: "" });
    expect(await statuses(`/photo/${file.hash}-2`)).toEqual([404, 404, 404, 404, 404]);
    expect(await world.hub.db.selectFrom("photo").select("id").where("resource_id", "=", file.hash).execute()).toEqual(
      [],
    );
    await world.work();
    await expect(world.hub.blobs.read(file.blob)).rejects.toMatchObject({ kind: "missing" });
  });

  test("follows its image: audience and name; a public one that has been answered stays public", async () => {
    const file = await uploaded("Changing");
    const answered = await uploaded("Changing");
    await react(world.hub, ben.channel, { id: (await itemOf(answered.hash)).id }, "like", "stays");
    const toCara = { ...nobody, allow_cid: [cara.channel.channel_hash] };
    for (const { hash } of [file, answered]) await changeAudience(world.hub, alma.channel, alma.channel, hash, toCara);
    expect(await itemOf(file.hash)).toMatchObject({ item_private: 1, allow_cid: `<${cara.channel.channel_hash}>` });
    expect(await itemOf(answered.hash)).toMatchObject({ item_private: 0, allow_cid: "" });
    const { rename } = await import("../cloud/change.ts");
    await rename(world.hub, alma.channel, alma.channel, file.hash, "other.jpg");
    expect(JSON.parse((await itemOf(file.hash)).obj).title).toBe("other.jpg");
  });

  describe("public and answered, when its file is no longer for everybody", () => {
    let hash: string;
    const seen = [200, 200, 200, 404, 200];

    test("is narrowed by its owner, after somebody has liked it", async () => {
      ({ hash } = await uploaded("Stays"));
      const { id } = await itemOf(hash);
      const liked = await ben.post("/api/svc/activity/like.json", { id });
      expect([liked.status, liked.json]).toEqual([200, "ok"]);
      const changed = { photo_id: hash, album: "Stays", allow_cid: `<${cara.channel.channel_hash}>` };
      expect((await alma.post("/api/svc/photo/update.json", changed)).status).toBe(200);
    });

    test("the image stays to be seen by those who see the status, and nothing else of the file does", async () => {
      expect(await itemOf(hash)).toMatchObject({ item_private: 0, allow_cid: "" });
      for (const end of ["-0", "-1", "-2", "-3"]) expect(await statuses(`/photo/${hash}${end}`)).toEqual(seen);
      expect(await statuses(`/attach/${hash}`)).toEqual([200, 404, 200, 404, 404]);
      expect(await statuses(`/file/${hash}`)).toEqual([200, 404, 200, 404, 404]);
      const found = await Promise.all(
        observers().map(async ([, observer]) =>
          (await albums(world.hub, observer, alma.channel)).map(({ name }) => name),
        ),
      );
      expect(found.map((names) => names.includes("Stays"))).toEqual([true, false, true, false, false]);
    });

    test("its page leads those to the post who no longer see the file", async () => {
      expect(await statuses(`/photos/alma/image/${hash}`)).toEqual([200, 303, 200, 404, 303]);
      const { headers } = await visitors.get("nobody")!.get(`/photos/alma/image/${hash}`);
      const post = await visitors.get("nobody")!.get(headers.get("location")!);
      expect([post.status, post.text.includes(`/photo/${hash}-2`)]).toEqual([200, true]);
    });

    test("what is said of the file from then on stays with the file", async () => {
      const { rename } = await import("../cloud/change.ts");
      const before = await itemOf(hash);
      await rename(world.hub, alma.channel, alma.channel, hash, "secret.jpg");
      const moved = { photo_id: hash, album: "Stays", album_new: "Very private" };
      expect((await alma.post("/api/svc/photo/update.json", moved)).status).toBe(200);
      expect(await itemOf(hash)).toEqual(before);
      expect(await statuses(`/photo/${hash}-2`)).toEqual(seen);
    });

    test("a new image in its place is nobody's who may not see the file", async () => {
      const image = formWith({ photo_id: hash, album: "Very private" }, [
        ["media", await picture(300, 200).jpeg().toBuffer(), "n.jpg", "image/jpeg"],
      ]);
      expect((await alma.send("POST", "/api/svc/photo/update.json", image)).status).toBe(200);
      expect(await itemOf(hash)).toMatchObject({ item_private: 1 });
      expect(await statuses(`/photo/${hash}-2`)).toEqual([200, 404, 200, 404, 404]);
    });

    test("one request that narrows the audience and brings a new image shows that to nobody else", async () => {
      const { hash: other } = await uploaded("Stays too");
      await react(world.hub, ben.channel, { id: (await itemOf(other)).id }, "like", "stays");
      const fields = { photo_id: other, album: "Stays too", allow_cid: `<${cara.channel.channel_hash}>` };
      const image = formWith(fields, [["media", await picture(300, 200).jpeg().toBuffer(), "n.jpg", "image/jpeg"]]);
      expect((await alma.send("POST", "/api/svc/photo/update.json", image)).status).toBe(200);
      expect(await statuses(`/photo/${other}-2`)).toEqual([200, 404, 200, 404, 404]);
    });
  });

  test("in a directory for others is nobody's but the owner's", async () => {
    const file = await uploaded("Both", { ...nobody, allow_cid: [cara.channel.channel_hash] });
    const toFriends = { ...nobody, allow_gid: [friends] };
    await changeAudience(world.hub, alma.channel, alma.channel, file.folder, toFriends);
    expect(await statuses(`/photo/${file.hash}-2`)).toEqual([200, 404, 404, 404, 404]);
    const later = await uploaded("Both", { ...nobody, allow_cid: [cara.channel.channel_hash] });
    expect(await itemOf(later.hash)).toMatchObject({ item_private: 1, allow_cid: `<${alma.channel.channel_hash}>` });
    await expect(
      postItem(world.hub, cara.channel, { body: "hi", parent: { id: (await itemOf(file.hash)).id } }),
    ).rejects.toMatchObject({ kind: "missing" });
  });

  test("is as narrow as storage is, once it is shown among posts", async () => {
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_storage", "8");
    const file = await uploaded("Narrow");
    const item = await itemOf(file.hash);
    expect(item).toMatchObject({ item_private: 1, public_policy: "contacts" });
    await react(world.hub, ben.channel, { id: item.id }, "like", "stays");
    expect(await onWall(anonymous, item)).toBe(false);
    expect(await onWall(observerOf(cara.channel), item)).toBe(true);
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_storage", "1");
  });

  test("is answered by those who see photos and no posts", async () => {
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_stream", "0");
    const file = await uploaded("Only photos");
    const item = await itemOf(file.hash);
    await postItem(world.hub, cara.channel, { body: "Nice light", parent: { id: item.id } });
    expect(await onWall(observerOf(cara.channel), item)).toBe(false);
    expect((await thread(anonymous, file)).map(({ body }) => body).slice(1)).toEqual(["Nice light"]);
    await expect(visibleThread(world.hub, anonymous, { id: item.id })).rejects.toMatchObject({ kind: "missing" });
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_stream", "1");
  });
});
