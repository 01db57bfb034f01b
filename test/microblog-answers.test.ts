import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import * as answers from "./support/microblog-shapes.ts";
import { entitiesObject, statusObject, userObject, userWithStatus } from "./support/microblog-shapes.ts";
import * as records from "./support/microblog-shapes.ts";
import { befriend } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";

/** Every endpoint that reads, in a world where nothing is empty, against the objects of microblog contract 7 to 9. */

let world: TestApp;
let ann: Person;
let ids: Record<string, string | number>;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  const [bob, cara, dora] = [await world.person("bob"), await world.person("cara"), await world.person("dora")];
  await befriend(world.hub, ann.channel, bob.channel);
  await cara.post("/api/friendships/create", { screen_name: "ann" });
  await ann.post("/api/friendships/create", { screen_name: "dora" });
  const jpeg = await picture(1400, 900).jpeg().toBuffer();
  const upload = () => formWith({ alt_text: "A boat" }, [["media", jpeg, "boat.jpg", "image/jpeg"]]);
  const media = (await ann.send("POST", "/api/media/upload", upload())).json;
  const said = { status: "Tea at https://example.org/tea #tea @bob", title: "Four o'clock", media_ids: media.media_id };
  const status = (await ann.post("/api/statuses/update", { ...said, lat: 59.9, long: 10.7, location: "Oslo" })).json;
  await world.work();
  const seen = (await bob.get("/api/statuses/home_timeline")).json[0];
  const reply = (await bob.post("/api/statuses/update", { status: "Yes @ann", in_reply_to_status_id: seen.id })).json;
  await bob.post(`/api/statuses/retweet/${seen.id}`);
  for (const verb of ["like", "attendyes"]) await bob.post(`/api/svc/activity/${verb}`, { id: seen.id });
  await ann.post(`/api/favorites/create/${status.id}`);
  for (const [from, to] of [
    [ann, "bob"],
    [bob, "ann"],
  ] as const)
    await from.post("/api/direct_messages/new", { screen_name: to, text: "Come" });
  const eve = await world.person("eve");
  await ann.post("/api/blocks/create", { screen_name: "eve" });
  const friend = (await ann.get("/api/users/show/bob")).json;
  const list = (await ann.post("/api/lists/create", { name: "Tea drinkers" })).json;
  await ann.post("/api/lists/members/create", { list_id: list.id, user_id: friend.id });
  const search = (await ann.post("/api/saved_searches/create", { query: "#tea" })).json;
  const photo = (
    await ann.send(
      "POST",
      "/api/svc/photo/create",
      formWith({ album: "Boats" }, [["media", jpeg, "b.jpg", "image/jpeg"]]),
    )
  ).json;
  await world.work();
  const [message] = (await ann.get("/api/direct_messages")).json;
  ids = {
    STATUS: status.id,
    REPLY: reply.id,
    BOB: friend.id,
    CID: friend.cid,
    LIST: list.id,
    SEARCH: search.id,
    PHOTO: photo.id,
    MESSAGE: message.id,
    URI: encodeURIComponent(message.svc_parent_uri),
    DORA: dora.channel.xchan_id,
    EVE: eve.channel.xchan_id,
  };
});
afterAll(() => world.close());

/** Something must be there, else nothing would be looked at. */
const some = (schema: z.ZodType) => z.array(schema).min(1);
const withEntities = statusObject.extend({
  entities: entitiesObject,
  extended_entities: z.strictObject({ media: z.array(z.unknown()) }),
});
const own = userWithStatus.required({
  profile_sidebar_fill_color: true,
  profile_link_color: true,
  profile_background_color: true,
});
const filled = <T extends z.ZodType<{ total_count: number }>>(schema: T) =>
  schema.refine(({ total_count }) => total_count > 0);
const users = filled(answers.cursoredUsers);
const usersWithStatus = filled(answers.cursoredUsersWithStatus);
const idList = filled(answers.cursoredIds);
const numbers = some(z.int().positive());

const table: [path: string, schema: z.ZodType][] = [
  ["account/verify_credentials", own.required({ status: true })],
  ["account/verify_credentials?skip_status=true", own.omit({ status: true }).strict()],
  ["account/rate_limit_status", answers.rateLimitObject],
  ["application/rate_limit_status", answers.applicationRates],
  ["account/settings", answers.settingsObject],
  ["statuses/home_timeline", some(statusObject)],
  ["statuses/friends_timeline?include_entities=true", some(withEntities)],
  ["1.1/statuses/home_timeline", some(withEntities)],
  ["statuses/public_timeline", some(statusObject)],
  ["statuses/networkpublic_timeline", some(statusObject)],
  ["statuses/mentions", some(statusObject)],
  ["statuses/replies", some(statusObject)],
  ["1.1/statuses/mentions_timeline", some(withEntities)],
  ["statuses/user_timeline", some(statusObject)],
  ["statuses/user_timeline/bob?include_entities=1", some(withEntities)],
  ["statuses/retweets_of_me", some(statusObject)],
  ["statuses/show/STATUS", statusObject],
  ["statuses/show/STATUS?include_entities=true", withEntities],
  ["statuses/show/REPLY?conversation=true", some(statusObject)],
  ["statuses/lookup?id=STATUS,REPLY", some(statusObject)],
  ["statuses/retweets/STATUS", some(statusObject)],
  ["statuses/retweeters/ids?id=STATUS", idList],
  ["favorites", some(statusObject)],
  ["favorites/list", some(statusObject)],
  ["conversation/show/STATUS", some(statusObject)],
  ["compat/conversation/STATUS", some(statusObject)],
  ["statusnet/conversation/STATUS", some(statusObject)],
  ["search?q=tea", some(statusObject)],
  ["search/tweets?q=%23tea", some(statusObject)],
  ["1.1/search/tweets?q=%23tea", answers.searchObject],
  ["1.1/search?q=%23tea&count=1", answers.searchObject],
  ["saved_searches/list", some(answers.savedSearch)],
  ["saved_searches/show/SEARCH", answers.savedSearch],
  ["users/show/bob", userWithStatus.required({ status: true })],
  ["users/show?user_id=BOB&skip_status=1", userObject],
  ["users/show/EVE", userWithStatus],
  ["externalprofile/show?profileurl=http://hub.example/channel/bob", userWithStatus.required({ status: true })],
  ["users/search?q=bob", some(userWithStatus.required({ status: true }))],
  ["users/lookup?user_id=BOB,DORA", some(userWithStatus)],
  ["friends/ids", numbers],
  ["friends/ids?stringify_ids=true", some(z.string().regex(/^\d+$/))],
  ["friends/ids?cursor=-1", idList],
  ["1.1/friends/ids", idList],
  ["followers/ids", numbers],
  ["1.1/followers/ids", idList],
  ["statuses/friends", some(userWithStatus)],
  ["statuses/followers", some(userWithStatus)],
  ["friends/list", usersWithStatus],
  ["friends/list?skip_status=true", users],
  ["followers/list", usersWithStatus],
  ["friendships/incoming", numbers],
  ["1.1/friendships/incoming", idList],
  ["friendships/outgoing", numbers],
  ["1.1/friendships/outgoing", idList],
  ["friendships/show?target_screen_name=bob", answers.relationshipObject],
  ["friendships/show?source_screen_name=bob&target_screen_name=dora", answers.relationshipObject],
  ["friendships/lookup?user_id=BOB,DORA,EVE", answers.knownConnections],
  ["friendships/exists?user_a=ann&user_b=bob", z.literal(true)],
  ["blocks/list", some(userObject.extend({ statusnet_blocking: z.literal(true) }))],
  ["1.1/blocks/list", users],
  ["blocks/ids", numbers],
  ["1.1/blocks/ids", idList],
  ["lists/ownerships", z.looseObject({ lists: some(answers.listObject), next_cursor: z.literal(0) })],
  ["lists/list", some(answers.listObject)],
  ["lists/subscriptions", some(answers.listObject)],
  ["lists/show?list_id=LIST", answers.listObject],
  ["lists/statuses?list_id=LIST", some(statusObject)],
  ["lists/members?list_id=LIST", usersWithStatus],
  ["lists/members/show?list_id=LIST&user_id=BOB", userWithStatus],
  ["lists/memberships?user_id=BOB", filled(answers.cursoredLists)],
  ["direct_messages", some(records.messageObject)],
  ["direct_messages?include_entities=true", some(records.messageWithEntities)],
  ["direct_messages/sent?getUserObjects=false", some(records.messageWithoutUsers)],
  ["direct_messages/all", some(records.messageObject)],
  ["direct_messages/conversation?uri=URI", some(records.messageObject)],
  ["direct_messages/show/MESSAGE", records.messageObject],
  ["help/test", z.literal("ok")],
  ["help/configuration", answers.helpConfiguration],
  ["compat/config", answers.configObject],
  ["statusnet/config", answers.configObject],
  ["compat/version", z.literal("0.9.7")],
  ["svc/group_show", some(records.groupRecord)],
  ["friendica/circle_show?gid=LIST", some(records.groupRecord)],
  ["svc/notifications", some(records.noteRecord)],
  ["svc/photo?photo_id=PHOTO", answers.photoObject],
  ["svc/photo?photo_id=PHOTO&scale=0", answers.photoWithData],
  ["svc/photo?photo_id=PHOTO&scale=2", answers.photoWithData],
  ["friendica/photo?photo_id=PHOTO", answers.photoWithLinks],
  ["svc/photos/list", some(answers.photoEntry)],
  ["svc/photoalbums", some(answers.albumRecord)],
  ["svc/photoalbum?album=Boats", some(answers.albumPhoto)],
  [
    "svc/direct_messages_search?searchstring=come",
    z.strictObject({ success: z.literal(true), search_results: some(records.messageObject) }),
  ],
  ["svc/profile/show", some(records.profileRecord)],
  ["friendica/profile/show", records.profilesObject],
];

test.each(table)("GET %s", async (path, schema) => {
  const [name = "", query] = path.replace(/\b[A-Z]{3,}\b/g, (word) => String(ids[word] ?? word)).split("?");
  const answer = await ann.get(`/api/${name}.json${query === undefined ? "" : `?${query}`}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(schema.safeParse(answer.json).error?.issues ?? []).toEqual([]);
});

describe("what writes", () => {
  const steps: [method: string, path: string, form: Record<string, string>, schema: z.ZodType][] = [
    ["POST", "account/update_profile", { name: "Ann A" }, own.required({ status: true })],
    ["POST", "account/update_profile", { name: "Ann", skip_status: "1" }, own.omit({ status: true }).strict()],
    ["POST", "account/settings", { lang: "de" }, answers.settingsObject],
    ["POST", "statuses/update", { status: "Plain" }, statusObject],
    ["PUT", "statuses/update", { status: "#put", include_entities: "true" }, withEntities],
    ["POST", "favorites/create/REPLY", {}, statusObject.extend({ favorited: z.literal(true) })],
    ["DELETE", "favorites/destroy/REPLY", {}, statusObject.extend({ favorited: z.literal(false) })],
    ["POST", "statuses/retweet/REPLY", {}, statusObject.required({ retweeted_status: true })],
    ["POST", "statuses/unretweet/REPLY", {}, statusObject.extend({ retweeted: z.literal(false) })],
    ["POST", "statuses/lookup", { id: "STATUS" }, some(statusObject)],
    ["POST", "users/lookup", { screen_name: "bob,dora" }, some(userWithStatus)],
    ["POST", "friendships/create", { screen_name: "cara" }, userWithStatus.extend({ following: z.literal(true) })],
    ["DELETE", "friendships/destroy", { screen_name: "cara" }, userWithStatus.extend({ following: z.literal(false) })],
    ["POST", "blocks/create", { screen_name: "cara" }, userWithStatus.extend({ statusnet_blocking: z.literal(true) })],
    [
      "POST",
      "blocks/destroy",
      { screen_name: "cara" },
      userWithStatus.extend({ statusnet_blocking: z.literal(false) }),
    ],
    ["POST", "lists/create", { name: "Another one" }, answers.listObject],
    ["POST", "lists/update", { slug: "another-one", owner_screen_name: "ann", name: "New" }, answers.listObject],
    ["POST", "lists/members/create_all", { list_id: "LIST", screen_name: "bob" }, answers.listObject],
    ["POST", "lists/destroy", { slug: "new", owner_screen_name: "ann" }, answers.listObject],
    ["POST", "saved_searches/create", { query: "milk" }, answers.savedSearch],
    ["DELETE", "saved_searches/destroy/SEARCH", {}, answers.savedSearch],
    ["PUT", "direct_messages/new", { user_id: "BOB", text: "Hi" }, records.messageObject],
    ["DELETE", "direct_messages/destroy/MESSAGE", {}, records.messageObject],
    ["POST", "svc/activity/attendno", { id: "STATUS" }, z.literal("ok")],
    ["POST", "svc/group_create", { name: "Crew", json: '{"user":[{"cid":CID}]}' }, some(records.groupChange)],
    ["POST", "friendica/group_create", { name: "Fleet", json: "[]" }, records.groupResult],
    ["POST", "statuses/destroy/STATUS", {}, statusObject],
  ];

  test.each(steps)("%s %s %j", async (method, path, form, schema) => {
    const fill = (text: string) => text.replace(/\b[A-Z]{3,}\b/g, (word) => String(ids[word] ?? word));
    const sent = Object.entries(form).map(([name, value]): [string, string] => [name, fill(value)]);
    const answer = await ann.send(method, `/api/${fill(path)}.json`, new URLSearchParams(sent));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(schema.safeParse(answer.json).error?.issues ?? []).toEqual([]);
  });

  test("media, in JSON", async () => {
    const bytes = await picture(50, 40).png().toBuffer();
    const form = () => formWith({}, [["media", bytes, "a.png", "image/png"]]);
    for (const path of ["media/upload", "1.1/media/upload"])
      answers.mediaRecord.parse((await ann.send("POST", `/api/${path}.json`, form())).json);
    const photo = (form: Record<string, string>) =>
      formWith({ album: "Boats", ...form }, [["media", bytes, "a.png", "image/png"]]);
    for (const [path, schema] of [
      ["svc/photo", answers.photoObject],
      ["friendica/photo", answers.photoWithLinks],
    ] as const) {
      const made = schema.parse((await ann.send("POST", `/api/${path}/create`, photo({}))).json);
      schema.parse((await ann.send("POST", `/api/${path}/update`, photo({ photo_id: made.id }))).json);
    }
    const image = formWith({}, [["image", bytes, "a.png", "image/png"]]);
    const changed = (await ann.send("POST", "/api/account/update_profile_image", image)).json;
    own.parse(changed);
    const [shown] = (await ann.get("/api/svc/photoalbum", { album: "Profile Photos" })).json;
    const avatar = answers.photoObject.parse((await ann.get("/api/svc/photo", { photo_id: shown.id })).json);
    expect([avatar.profile, Object.keys(avatar.link)]).toEqual([1, expect.arrayContaining(["4", "5", "6"])]);
  });
});
