import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { childOf, childrenOf, readXml, textAt } from "../../../test/support/microblog.ts";
import { befriend } from "../../../test/support/people.ts";
import type { Tag } from "../../../test/support/microblog.ts";
import { picture } from "../../../test/support/pictures.ts";

/** The roots of all answers and what stands in them, in a world where nothing is empty: microblog contract 10.2. */

const hostile = `]]> & <b>"é😀'</b> &amp; \\u0000`;
/** A name cannot hold everything. */
const name = "Ann & <Co> ]]> 😀";

let world: TestApp;
let ann: Person;
let ids: Record<string, string | number>;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  const bob = await world.person("bob");
  await befriend(world.hub, ann.channel, bob.channel);
  await ann.post("/api/account/update_profile", { name, description: hostile });
  const { id: status } = (await ann.post("/api/statuses/update", { status: `${hostile} #tea @bob`, title: hostile }))
    .json;
  await world.work();
  const [seen] = (await bob.get("/api/statuses/home_timeline")).json;
  await bob.post("/api/statuses/update", { status: hostile, in_reply_to_status_id: seen.id });
  await bob.post("/api/svc/activity/like", { id: seen.id });
  await ann.post("/api/favorites/create", { id: status });
  await bob.post("/api/direct_messages/new", { screen_name: "ann", text: hostile, title: hostile });
  await ann.post("/api/direct_messages/new", { screen_name: "bob", text: hostile });
  await world.work();
  await ann.post("/api/saved_searches/create", { query: hostile });
  const contact = (await ann.get("/api/users/show/bob")).json;
  const [group] = (
    await ann.post("/api/svc/group_create", { name: "A & B", json: JSON.stringify({ user: [{ cid: contact.cid }] }) })
  ).json;
  const bytes = await picture(700, 500).jpeg().toBuffer();
  const upload = new FormData();
  upload.set("media", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), 'a "&" <b>.jpg');
  upload.set("album", "Tea & <milk>");
  upload.set("desc", hostile);
  const photo = (await ann.send("POST", "/api/svc/photo/create", upload)).json;
  const [received] = (await ann.get("/api/direct_messages")).json;
  const uri = encodeURIComponent(received.svc_parent_uri);
  ids = { status, group: group.gid, photo: photo.id, dm: received.id, uri, bob: contact.id };
});
afterAll(() => world.close());

/** Path, root, children of the root in their order (`*`: any number of the one before), namespaces on the root. */
const answers = `
statuses/home_timeline | statuses | status | all
statuses/user_timeline?include_entities=1 | statuses | status | all
statuses/networkpublic_timeline | statuses | status | all
favorites | statuses | status | all
search?q=%23tea | statuses | status | all
1.1/search/tweets?q=%23tea | statuses | status | all
conversation/show/STATUS | statuses | status | all
statusnet/conversation/STATUS | statuses | status | all
statuses/show/STATUS?conversation=1 | statuses | status | all
statuses/lookup?id=STATUS | statuses | status | all
statuses/show/STATUS | status | - | all
users/show/bob | user | - | all
account/verify_credentials | user | - | all
users/lookup?user_id=BOB | users | user | all
users/search?q=bob | users | user | all
statuses/friends | users | user | all
statuses/followers | users | user | all
friends/list | users_list | users next_cursor previous_cursor total_count | all
1.1/blocks/list | users_list | users next_cursor previous_cursor total_count | all
friends/ids | ids | id | none
1.1/followers/ids | id_list | ids next_cursor previous_cursor total_count | none
direct_messages | direct-messages | direct_message | all
direct_messages/sent | direct-messages | direct_message | all
direct_messages/all | direct-messages | direct_message | all
direct_messages/conversation?uri=URI | direct-messages | direct_message | all
direct_messages/show/DM | direct_message | - | all
svc/direct_messages_search?searchstring=amp | direct_message_search | success search_results | all
svc/direct_messages_search?searchstring=nowhere | direct_message_search | success search_results | all
svc/direct_messages_setseen?id=0 | direct_messages_setseen | result message | all
lists/list | lists | list | all
lists/ownerships | lists | list | all
lists/show?list_id=GROUP | list | - | all
lists/members?list_id=GROUP | users_list | users next_cursor previous_cursor total_count | all
svc/group_show | groups | group | all
svc/notifications | notes | note | none
svc/photo?photo_id=PHOTO | photo | - | all
svc/photos/list | photos | photo | none
svc/photoalbums | albums | album | none
svc/profile/show | profiles | profile | all
friendica/profile/show | friendica_profiles | multi_profiles global_dir svc:owner profiles | all
account/rate_limit_status | hash | - | none
compat/config | config | site attachments | none
compat/version | version | - | none
help/test | ok | - | none
friendships/show?target_screen_name=bob | relationship | source target | all
friendships/lookup?screen_name=bob | relationships | relationship | all
saved_searches/list | terms | search | all
statuses/show/987654 | status | error code request | all`
  .trim()
  .split("\n")
  .map((line) => line.split(" | ") as [path: string, root: string, children: string, namespaces: string]);

function filled(path: string, format: string): string {
  const [where = "", query] = path.split("?");
  const full = `/api/${where}.${format}${query === undefined ? "" : `?${query}`}`;
  return Object.entries(ids).reduce((text, [key, value]) => text.replace(key.toUpperCase(), String(value)), full);
}

async function xmlOf(path: string): Promise<Tag> {
  return readXml(await ann.get(filled(path, "xml")));
}

test.each(answers)("%s: %s", async (path, root, children, namespaces) => {
  const answer = await ann.get(filled(path, "xml"));
  const tag = readXml(answer);
  const declared = Object.keys(tag.attributes).filter((key) => key.startsWith("xmlns"));
  expect([tag.name, declared]).toEqual([
    root,
    namespaces === "all" ? ["xmlns:statusnet", "xmlns:svc", "xmlns:georss"] : [],
  ]);
  if (namespaces === "all") expect(tag.attributes["xmlns:svc"]).toBe("urn:hubbub:schema:svc:1");
  expect(answer.text).not.toMatch(/<friendica_(?!profiles)/);
  expect(answer.text.includes("\u0000")).toBe(false);
  const { json } = await ann.get(filled(path, "json"));
  const names = tag.children.map((child) => child.name);
  const list = Array.isArray(json) ? json : (json.statuses ?? (root === "lists" ? json.lists : undefined));
  if (list) {
    expect(list.length).toBeGreaterThan(0);
    expect(names).toEqual(list.map(() => children));
  } else if (children !== "-") expect(names).toEqual(children.split(" "));
});

describe("what is special", () => {
  test("texts come back as they are in JSON", async () => {
    const { json } = await ann.get(filled("statuses/show/STATUS", "json"));
    const tag = await xmlOf("statuses/show/STATUS");
    for (const [element, field] of [
      ["text", "text"],
      ["statusnet:html", "statusnet_html"],
      ["svc:html", "svc_html"],
      ["svc:title", "svc_title"],
    ] as const)
      expect([element, textAt(tag, element)]).toEqual([element, json[field]]);
    expect(textAt(tag, "user", "name")).toBe(name);
    expect(json.text).toContain("]]>");
  });

  test("notes are attributes", async () => {
    const { json } = await ann.get("/api/svc/notifications.json");
    const notes = (await xmlOf("svc/notifications")).children;
    notes.forEach((note, at) => {
      const expected = Object.fromEntries(Object.entries(json[at]).map(([key, value]) => [key, String(value)]));
      expect([note.attributes, note.children]).toEqual([expected, []]);
    });
  });

  test("groups have users", async () => {
    const [group] = (await xmlOf("svc/group_show")).children;
    expect(group!.children.map((child) => child.name)).toEqual(["name", "gid", "users"]);
    expect(textAt(group!, "name")).toBe("A & B");
    expect(childOf(group!, "users").children.map((child) => [child.name, textAt(child, "screen_name")])).toEqual([
      ["user", "bob"],
    ]);
  });

  test("what became of a group has the numbers that named nobody", async () => {
    const form = { gid: ids["group"], name: "A & B", json: JSON.stringify({ user: [{ cid: 987_654 }] }) };
    const changed = readXml(await ann.post("/api/svc/group_update.xml", form));
    expect([changed.name, changed.children.map((child) => child.name)]).toEqual(["groups", ["group"]]);
    const [record] = changed.children;
    expect([textAt(record!, "success"), textAt(record!, "status")]).toEqual(["true", "missing user"]);
    expect(childOf(record!, "wrong_users").children).toMatchObject([{ name: "id", text: "987654" }]);
    const alias = readXml(await ann.post("/api/friendica/group_update.xml", form));
    expect(alias.name).toBe("group_update");
    expect(childOf(alias, "wrong_users").children).toMatchObject([{ name: "id", text: "987654" }]);
  });

  test("a photo has links, and its bytes when they are asked for", async () => {
    const tag = await xmlOf("svc/photo?photo_id=PHOTO");
    for (const field of [
      "id",
      "created",
      "edited",
      "title",
      "desc",
      "album",
      "filename",
      "type",
      "height",
      "width",
      "profile",
    ])
      expect(childrenOf(tag, field)).toHaveLength(1);
    expect(textAt(tag, "album")).toBe("Tea & <milk>");
    const links = childOf(tag, "links");
    expect(links.attributes).toEqual({ type: "array" });
    const { json } = await ann.get(filled("svc/photo?photo_id=PHOTO", "json"));
    expect(links.children.map(({ name, attributes }) => [name, attributes])).toEqual(
      Object.entries(json.link).map(([scale, href]) => ["link", { type: "image/jpeg", scale, href }]),
    );
    expect(childrenOf(tag, "link")).toEqual([]);
    expect(childOf(tag, "scales").children.map((child) => child.name)).toEqual(json.scales.map(() => "scale"));
    expect(json.scales.length).toBeGreaterThan(0);
    expect(childOf(tag, "svc:activities").children.map((child) => child.name)).toEqual(
      ["like", "dislike", "attendyes", "attendno", "attendmaybe"].map((verb) => `svc:${verb}`),
    );
    const withData = await xmlOf("svc/photo?photo_id=PHOTO&scale=2");
    const data = childOf(withData, "data");
    expect(data.attributes).toEqual({ encode: "base64" });
    expect(Buffer.from(data.text, "base64")).toHaveLength(Number(textAt(withData, "datasize")));
  });

  test("the list of photos is attributes and the thumbnail", async () => {
    const tag = await xmlOf("svc/photos/list");
    expect(tag.attributes).toEqual({ type: "array" });
    const [photo] = (await ann.get("/api/svc/photos/list.json")).json;
    const { id, album, filename, type, thumb } = photo;
    expect(tag.children[0]).toMatchObject({ name: "photo", attributes: { id, album, filename, type }, text: thumb });
  });

  test("operations have roots of their own", async () => {
    const { photo } = ids;
    const update = { photo_id: photo, album: "Tea & <milk>", desc: "new" };
    const operations: [string, string, string, Record<string, unknown>][] = [
      ["POST", "svc/photo/update", "photo_update", update],
      ["POST", "svc/photoalbum/update", "photoalbum_update", { album: "Tea & <milk>", album_new: "Milk" }],
      ["DELETE", "svc/photo/delete", "photo_delete", { photo_id: photo }],
    ];
    for (const [method, path, root, query] of operations) {
      const answer = await ann.send(method, `/api/${path}.xml`, undefined, { query });
      expect([path, answer.status, answer.text.slice(0, 400)]).toEqual([path, 200, expect.anything()]);
      const tag = readXml(answer);
      expect([tag.name, tag.children.map((child) => child.name)]).toEqual([root, ["result", "message"]]);
      expect(tag.attributes).toHaveProperty("xmlns:svc");
    }
  });

  test("small answers", async () => {
    const { status, dm } = ids;
    expect(readXml(await ann.post("/api/svc/activity/like.xml", { id: status }))).toMatchObject({
      name: "ok",
      attributes: {},
      text: "true",
    });
    expect((await ann.get("/api/friendships/exists.xml", { user_a: "ann", user_b: "bob" })).text).toContain(
      "<friends>true</friends>",
    );
    const note = (await ann.get("/api/svc/notifications")).json.find((one: any) => one.iid > 0);
    const seen = readXml(await ann.post("/api/svc/notifications/seen.xml", { id: note.id }));
    expect([seen.name, seen.children.map((child) => child.name)]).toEqual(["statuses", ["status"]]);
    const verbose = readXml(await ann.post("/api/direct_messages/destroy.xml", { id: dm, svc_verbose: "true" }));
    expect([verbose.name, textAt(verbose, "result")]).toEqual(["direct_messages_delete", "ok"]);
  });

  test("trap 55: a message's sender begins with the id", async () => {
    const [message] = (await xmlOf("direct_messages/sent")).children;
    expect(childOf(message!, "sender").children[0]!.name).toBe("id");
  });

  test("an error has its three fields and no query", async () => {
    const tag = readXml(await ann.get("/api/statuses/show/987654.xml?secret=word"));
    expect(tag.children.map((child) => [child.name, child.text])).toEqual([
      ["error", "There is no status with this id."],
      ["code", "404"],
      ["request", "api/statuses/show/987654.xml"],
    ]);
  });
});
