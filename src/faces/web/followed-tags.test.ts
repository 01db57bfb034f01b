import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import { mark } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { block, connect, mute } from "../../domain/connections/connections.ts";
import { setPermissionLimits } from "../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../domain/identity/channels/roles.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { followTag, importFollowedTag, listFollowedTags, unfollowTag } from "../../domain/items/followed-tags.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { shareItem } from "../../domain/items/posting/share.ts";
import type { Draft } from "../../domain/items/types.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";

/** Hashtags that people follow (decision 84). */

let world: TestApp;
/** Ann reads; Bob writes, and is nobody to her. */
let ann: Person;
let bob: Person;
let round = 0;
let tag: string;

beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());
beforeEach(async () => {
  round += 1;
  tag = `bread${round}`;
  [ann, bob] = [await world.person(`ann${round}`), await world.person(`bob${round}`)];
});

async function stream(person: Person): Promise<string> {
  return (await person.get("/api/z/1.0/network/stream", { records: 50 })).text;
}

async function comes(draft: Partial<Draft> = {}): Promise<boolean> {
  await postItem(world.hub, bob.channel, { body: `A loaf #${tag.toUpperCase()} number${round}x`, ...draft });
  await world.work();
  return (await stream(ann)).includes(`number${round}x`);
}

describe("a post of a stranger with a followed tag", () => {
  test("comes, whatever the capitals, once, and not any more when the tag is not followed", async () => {
    expect(await comes()).toBe(false);
    await followTag(world.hub, ann.channel, `#${tag}`);
    await followTag(world.hub, ann.channel, tag.toUpperCase());
    expect(await comes()).toBe(true);
    const rows = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.item_unseen")
      .where("item.uid", "=", ann.channel.channel_id)
      .where("message.plain", "like", `%number${round}x%`)
      .execute();
    expect(rows).toEqual([{ item_unseen: 1 }]);
    await unfollowTag(world.hub, ann.channel, tag);
    expect(await listFollowedTags(world.hub, ann.channel.channel_id)).toEqual([]);
    await postItem(world.hub, bob.channel, { body: `Later #${tag}` });
    await world.work();
    expect(await stream(ann)).not.toContain("Later");
  });

  test("with its answers", async () => {
    await followTag(world.hub, ann.channel, tag);
    const top = await postItem(world.hub, bob.channel, { body: `Dough #${tag}` });
    await world.work();
    await postItem(world.hub, bob.channel, { body: `rising${round}x`, parent: { id: top.id } });
    await world.work();
    expect(await stream(ann)).toContain(`rising${round}x`);
  });

  test("but not what somebody else shares of it", async () => {
    await followTag(world.hub, ann.channel, tag);
    const before = await postItem(world.hub, bob.channel, { body: `Crust #${tag}` });
    await world.work();
    const cleo = await world.person(`cleo${round}`);
    await shareItem(world.hub, cleo.channel, { mid: before.mid });
    await world.work();
    const rows = await world.hub.db.selectFrom("item").select("id").where("uid", "=", ann.channel.channel_id).execute();
    expect(rows).toHaveLength(1);
  });

  const kept: [string, Partial<Draft> | (() => Promise<unknown>)][] = [
    ["that is for some", { publicPolicy: "contacts" }],
    ["that stands in no list", { unlisted: true }],
    ["of somebody muted", () => mute(world.hub, ann.channel, somebody(bob))],
    ["of somebody blocked", () => block(world.hub, ann.channel, somebody(bob))],
    ["of somebody who has blocked the reader", () => block(world.hub, bob.channel, somebody(ann))],
    [
      "of a wall that not everybody may read",
      () => setPermissionLimits(world.hub, bob.channel.channel_id, { view_stream: limits.site }),
    ],
    [
      "of somebody whom the site limits",
      () =>
        world.hub.db
          .updateTable("xchan")
          .set({ xchan_censored: 1 })
          .where("xchan_hash", "=", bob.channel.channel_hash)
          .execute(),
    ],
    [
      "that the filter of a connection keeps out",
      async () => {
        await connect(world.hub, ann.channel, { xchan_hash: bob.channel.channel_hash });
        await mark(world.hub, ann.channel, bob.channel, { excl: "loaf" });
      },
    ],
  ];
  test.each(kept)("does not come: one %s", async (_, why) => {
    await followTag(world.hub, ann.channel, tag);
    if (typeof why === "function") await why();
    expect(await comes(typeof why === "function" ? {} : why)).toBe(false);
  });

  test("does not come: one for lists", async () => {
    await followTag(world.hub, ann.channel, tag);
    const lists = { allow_cid: [bob.channel.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] };
    expect(await comes({ audience: lists })).toBe(false);
  });

  const somebody = ({ channel }: Person): Pick<Xchan, "xchan_hash" | "xchan_network"> => ({
    xchan_hash: channel.channel_hash,
    xchan_network: "zot",
  });
});

describe("of elsewhere", () => {
  const note = (author: Xchan, more: object = {}) => ({
    id: `https://far.example/deeds/${round}`,
    type: "Create",
    actor: author.xchan_hash,
    to: ["https://www.w3.org/ns/activitystreams#Public"],
    object: {
      id: `https://far.example/notes/${round}`,
      type: "Note",
      attributedTo: author.xchan_hash,
      to: ["https://www.w3.org/ns/activitystreams#Public"],
      content: `<p>far${round}x</p>`,
      tag: [{ type: "Hashtag", name: `#${tag}`, href: `https://far.example/tags/${tag}` }],
      published: "2026-03-01T11:00:00Z",
      ...more,
    },
  });

  const old = { published: "2026-02-01T11:00:00Z" };
  const unlisted = { to: [], cc: ["https://www.w3.org/ns/activitystreams#Public"] };
  test.each([
    ["a new post comes", {}, true],
    ["an old one is no news", old, false],
    ["one that stands in no list stays away", unlisted, false],
  ])("%s", async (_, more, expected) => {
    await followTag(world.hub, ann.channel, tag);
    const carla = await meetActor(world.hub, actorOf(`carla${round}`));
    await arrivesIn(world.hub)(note(carla, more));
    expect((await stream(ann)).includes(`far${round}x`)).toBe(expected);
  });

  test("somebody muted stays away", async () => {
    await followTag(world.hub, ann.channel, tag);
    const carla = await meetActor(world.hub, actorOf(`carla${round}`));
    await mute(world.hub, ann.channel, carla);
    await arrivesIn(world.hub)(note(carla));
    expect(await stream(ann)).not.toContain(`far${round}x`);
  });
});

describe("on pages", () => {
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = visitorOf(world.app);
    await visitor.logIn(`ann${round}`, password);
  });

  test("the page of a tag has the button, and the settings have the list", async () => {
    const page = await visitor.get(`/search?tag=${tag}`);
    expect(page.text).toContain("Follow it, and new posts");
    const done = await visitor.post("/settings/tags", { tag, back: `/search?tag=${tag}` });
    expect(done.location).toBe(`/search?tag=${tag}&done=tagfollowed`);
    expect((await visitor.get(`/search?search=%23${tag}`)).text).toContain("You follow this hashtag");
    expect((await visitor.get("/settings/tags")).text).toContain(`#${tag}`);
    expect((await visitor.post("/settings/tags/unfollow", { tag })).location).toBe("/settings/tags?done=tagleft");
    expect((await visitor.get("/settings/tags")).text).toContain("You follow no hashtag");
  });

  test("what is no hashtag is refused with a sentence, and so is one too many", async () => {
    await visitor.get("/settings/tags");
    const wrong = await visitor.post("/settings/tags", { tag: "two words" });
    expect([wrong.status, wrong.text.includes("A hashtag is one word")]).toEqual([422, true]);
    const rows = Array.from({ length: 400 }, (_, n) => ({
      uid: ann.channel.channel_id,
      term: `t${n}`,
      term_key: `t${n}`,
      created: "2026-03-01 12:00:00",
    }));
    await world.hub.db.insertInto("followed_tag").values(rows).execute();
    expect((await visitor.post("/settings/tags", { tag })).status).toBe(403);
  });

  test("nobody sees what others follow", async () => {
    await followTag(world.hub, bob.channel, tag);
    expect((await visitor.get("/settings/tags")).text).not.toContain(tag);
    await visitor.post("/settings/tags/unfollow", { tag });
    expect(await listFollowedTags(world.hub, bob.channel.channel_id)).toHaveLength(1);
  });
});

test("exports carry them, and imports take them over", async () => {
  await followTag(world.hub, ann.channel, tag);
  const { json } = await ann.get("/api/z/1.0/channel/export/basic", { sections: "config" });
  expect(json.followed_tag).toEqual([{ term: tag, created: expect.any(String) }]);
  const take = () => importFollowedTag(world.hub, bob.channel, json.followed_tag[0]);
  expect([await take(), await take()]).toEqual(["imported", "there"]);
  expect(await listFollowedTags(world.hub, bob.channel.channel_id)).toMatchObject([{ term: tag }]);
});

test("an imported one is followed since then", async () => {
  await importFollowedTag(world.hub, bob.channel, { term: "since", created: "2024-05-06 07:08:09" });
  const tags = await listFollowedTags(world.hub, bob.channel.channel_id);
  expect(tags.find(({ term }) => term === "since")?.created).toBe("2024-05-06 07:08:09");
});
