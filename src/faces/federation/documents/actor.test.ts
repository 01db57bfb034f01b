import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { picture } from "../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import { password } from "../../../../test/support/hub.ts";
import { uploadPhotoFor } from "../../../domain/cloud/channel-photos.ts";
import type { Use } from "../../../domain/photos/scales.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import { setAccountFlag } from "../../../domain/identity/accounts/accounts.ts";
import { changeChannelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import { createChannel, setRole, updateChannel } from "../../../domain/identity/channels/channels.ts";
import { leaveFor } from "../../../domain/identity/channels/moved.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { updateDefaultProfile } from "../../../domain/people/change-profile.ts";

let world: TestApp;
let alma: Person;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma", { name: "Alma <A>" });
});
afterAll(() => world.close());

const activity = { accept: "application/activity+json" };
const ask = (nick: string, accept = activity.accept) =>
  world.anonymous.get(`/channel/${nick}`, {}, { headers: { accept } });
const actor = async (nick: string) => (await ask(nick)).json;
const id = "http://hub.example/channel/alma";

describe("the document of a channel", () => {
  test("says who it is, where to reach it and with which keys it signs", async () => {
    await updateDefaultProfile(world.hub, alma.channel.channel_id, {
      about: "I am [b]here[/b].",
      homepage: "https://alma.example/?a=1&b=2",
      channels: "See https://forge.example/alma and nothing else",
    });
    const answer = await ask("alma");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/activity+json"]);
    expect(answer.json).toEqual({
      "@context": expect.arrayContaining(["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"]),
      id,
      type: "Person",
      preferredUsername: "alma",
      name: "Alma <A>",
      summary: expect.stringContaining("<strong>here</strong>"),
      url: id,
      published: "2026-03-01T12:00:00Z",
      updated: "2026-03-01T12:00:00Z",
      icon: {
        type: "Image",
        mediaType: "image/png",
        url: `http://hub.example/photo/profile/l/${alma.channel.channel_id}`,
      },
      inbox: "http://hub.example/inbox/alma",
      outbox: "http://hub.example/outbox/alma",
      followers: "http://hub.example/followers/alma",
      following: "http://hub.example/following/alma",
      featured: "http://hub.example/featured/alma",
      featuredTags: "http://hub.example/featured/alma/tags",
      interactionPolicy: {
        canQuote: { automaticApproval: [id, "https://www.w3.org/ns/activitystreams#Public"] },
      },
      generator: {
        type: "Application",
        id: "http://hub.example/actor",
        name: "Hubbub",
        url: "http://hub.example",
        implements: [expect.objectContaining({ name: "RFC-9421: HTTP Message Signatures" })],
      },
      endpoints: { sharedInbox: "http://hub.example/inbox" },
      webfinger: "alma@hub.example",
      manuallyApprovesFollowers: true,
      discoverable: true,
      indexable: true,
      attachment: [
        {
          type: "PropertyValue",
          name: "Homepage",
          value:
            '<a href="https://alma.example/?a=1&amp;b=2" rel="me nofollow noopener">https://alma.example/?a=1&amp;b=2</a>',
        },
        expect.objectContaining({ name: "forge.example" }),
        expect.objectContaining({ type: "VerifiableIdentityStatement", alsoKnownAs: id }),
      ],
      guid: alma.channel.channel_guid,
      guidSignature: alma.channel.channel_guid_sig,
      publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: alma.channel.channel_pubkey },
      assertionMethod: [expect.objectContaining({ id: `${id}#ed25519-key`, type: "Multikey", controller: id })],
    });
  });

  test("leaves what not everybody may read of the profile to those who may", async () => {
    await setPermissionLimits(world.hub, alma.channel.channel_id, { view_profile: 8 });
    expect(await actor("alma")).toMatchObject({
      summary: "",
      attachment: [{ type: "VerifiableIdentityStatement" }],
      name: "Alma <A>",
    });
    await setPermissionLimits(world.hub, alma.channel.channel_id, { view_profile: 1 });
    expect((await actor("alma")).summary).not.toBe("");
  });

  test.each([
    ["forum", "forum", undefined, { type: "Group", manuallyApprovesFollowers: false }],
    ["firm", "social", "organization", { type: "Organization" }],
    ["robot", "feed", "service", { type: "Service", manuallyApprovesFollowers: false }],
    ["shy", "social_private", undefined, { type: "Person", discoverable: false, indexable: false }],
  ] as const)("of %s has its type", async (nick, role, kind, expected) => {
    const { channel } = await world.person(nick, { role });
    if (kind) await changeChannelSettings(world.hub, channel.channel_id, { kind });
    expect(await actor(nick)).toMatchObject(expected);
  });

  test("is what the page of settings says", async () => {
    const visitor = visitorOf(world.app);
    await world.person("firm2");
    await visitor.logIn("firm2", password);
    await visitor.get("/settings/channel");
    await visitor.post("/settings/channel", {
      role: "social_restricted",
      kind: "organization",
      timezone: "UTC",
      expire: "0",
      default_group: "",
    });
    expect((await actor("firm2")).type).toBe("Organization");
  });
});

describe("what the settings of posts add", () => {
  let member: Visitor;
  const save = (more: Record<string, string>) =>
    member.post("/settings/posts", { moderate: "0", quoters: "everybody", tags: "1", ...more });

  beforeAll(async () => {
    await world.person("tagger");
    member = visitorOf(world.app);
    await member.logIn("tagger", password);
    await member.get("/settings/posts");
  });

  test("hashtags, sites that may name it as their author, and who may quote", async () => {
    await save({
      featured_tags: "#Bread, cats #bread",
      author_sites: "Blog.example.org other.example",
      quoters: "nobody",
    });
    const document = await actor("tagger");
    expect(document).toMatchObject({
      featuredTags: "http://hub.example/featured/tagger/tags",
      attributionDomains: ["blog.example.org", "other.example"],
      interactionPolicy: { canQuote: { automaticApproval: ["http://hub.example/channel/tagger"] } },
    });
    const { json } = await world.anonymous.get("/featured/tagger/tags");
    expect(json).toMatchObject({
      id: document.featuredTags,
      totalItems: 2,
      orderedItems: [
        { type: "Hashtag", name: "#Bread", href: "http://hub.example/search?tag=Bread" },
        { type: "Hashtag", name: "#cats" },
      ],
    });
    expect((await member.get("/settings/posts")).text).toContain("#Bread #cats");
  });

  test.each([
    [{ featured_tags: "a b c d e f g h i j k" }, "At most 10"],
    [{ featured_tags: "<b>" }, "one word"],
    [{ author_sites: "https://blog.example.org/" }, "without a path"],
  ])("%o is refused", async (typed, why) => {
    const answer = await save(typed);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(why)]);
  });

  test("hashtags are part of the profile", async () => {
    const { channel } = await world.person("secretive");
    await changeChannelSettings(world.hub, channel.channel_id, { featuredTags: ["hidden"] });
    await setPermissionLimits(world.hub, channel.channel_id, { view_profile: 8 });
    expect((await world.anonymous.get("/featured/secretive/tags")).json).toMatchObject({ totalItems: 0 });
  });
});

test("a program names the person of its account who is in the directory", async () => {
  const owner = await world.person("maker");
  const account = { account_id: owner.channel.channel_account_id };
  const { channel_id } = await createChannel(world.hub, account, { nick: "robot2", name: "Robot" });
  await changeChannelSettings(world.hub, channel_id, { kind: "service" });
  expect((await actor("robot2")).attributedTo).toBe("http://hub.example/channel/maker");
  await setRole(world.hub, owner.channel, "social_private");
  expect(await actor("robot2")).not.toHaveProperty("attributedTo");
});

/** Makes a new picture of this size the channel's profile or cover photo. */
async function use(what: Use, width: number, height: number): Promise<void> {
  const bytes = await picture(width, height).jpeg().toBuffer();
  const staged = await world.hub.blobs.stage(Readable.from([bytes]), bytes.length);
  await uploadPhotoFor(world.hub, what, alma.channel, staged, { filename: "a.jpg", type: "image/jpeg" });
}

describe("a change", () => {
  const changes: [string, () => Promise<unknown>, object][] = [
    ["of the name", () => updateChannel(world.hub, alma.channel.channel_id, { name: "Alma B" }), { name: "Alma B" }],
    [
      "of the profile",
      () => updateDefaultProfile(world.hub, alma.channel.channel_id, { about: "new" }),
      { summary: expect.stringContaining("new") },
    ],
    ["of the picture", () => use("profile", 400, 400), { icon: { mediaType: "image/jpeg" } }],
    [
      "of the cover",
      () => use("cover", 1300, 500),
      { image: { type: "Image", url: expect.stringMatching(/^http:\/\/hub\.example\/photo\/[0-9a-f-]+-7$/) } },
    ],
    ["of the role", () => setRole(world.hub, alma.channel, "feed"), { manuallyApprovesFollowers: false }],
    [
      "of the place",
      () => leaveFor(world.hub, alma.channel, { url: "https://new.example/", nick: "alma" }),
      { movedTo: "https://new.example/channel/alma" },
    ],
  ];

  test.each(changes)("%s makes the document anew, with its date", async (_, change, expected) => {
    const before = await ask("alma");
    world.hub.advance(60);
    await change();
    const after = await ask("alma");
    expect(after.json).toMatchObject(expected);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(after.json.updated).toBe(`${world.hub.clock().toISOString().slice(0, 19)}Z`);
  });

  test("of something else leaves it, and it is made once", async () => {
    const first = await ask("alma");
    world.hub.advance(60);
    await changeChannelSettings(world.hub, alma.channel.channel_id, { threadsPerPage: 5 });
    const stringify = vi.spyOn(JSON, "stringify");
    const again = await ask("alma");
    const made = stringify.mock.calls.filter(([value]) => (value as { type?: string } | null)?.type === "Person");
    stringify.mockRestore();
    expect([again.text, made]).toEqual([first.text, []]);
    const { headers } = await world.anonymous.get(
      "/channel/alma",
      {},
      {
        headers: { ...activity, "if-none-match": first.headers.get("etag")! },
      },
    );
    expect(headers.get("etag")).toBe(first.headers.get("etag"));
  });
});

describe("who is not there", () => {
  beforeAll(async () => {
    const [gone, held, waiting] = [
      await world.person("gone", { role: "forum" }),
      await world.person("held"),
      await world.person("waiting"),
    ];
    await removeChannel(world.hub, gone.channel.channel_id);
    await setAccountFlag(world.hub, held.channel.channel_account_id, "blocked", true);
    await setAccountFlag(world.hub, waiting.channel.channel_account_id, "pending", true);
  });

  test("leaves a tombstone with the key", async () => {
    const answer = await ask("gone");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([410, "application/activity+json"]);
    expect(answer.json).toEqual({
      "@context": "https://www.w3.org/ns/activitystreams",
      id: "http://hub.example/channel/gone",
      type: "Tombstone",
      formerType: "Group",
      deleted: expect.stringMatching(/Z$/),
      publicKey: expect.objectContaining({ id: "http://hub.example/channel/gone#main-key" }),
    });
  });

  test("or is blocked, looks gone to others, and is there again afterwards", async () => {
    expect([(await ask("held")).status, (await actor("held")).deleted]).toEqual([410, undefined]);
    const { account_id } = await world.hub.db
      .selectFrom("account")
      .select("account_id")
      .where("account_email", "=", "held@example.org")
      .executeTakeFirstOrThrow();
    await setAccountFlag(world.hub, account_id, "blocked", false);
    expect((await ask("held")).status).toBe(200);
    await setAccountFlag(world.hub, account_id, "blocked", true);
  });

  test.each(["waiting", "Alma", "a%00b", "x".repeat(70), "%e0%a4%a", "instance.actor"])(
    "or never was (%s), is like nobody",
    async (nick) => {
      const [answer, nobody] = [await ask(nick), await ask("nobody")];
      expect([answer.status, answer.text]).toEqual([404, nobody.text]);
    },
  );
});

describe("one address, two faces", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  test.each([
    [activity.accept, "application/activity+json"],
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', "application/activity+json"],
    ["application/ld+json", "application/activity+json"],
    ["application/json", "application/activity+json"],
    ["application/activity+json, text/html;q=0.5", "application/activity+json"],
    ["application/activity+json, application/ld+json, */*", "application/activity+json"],
    ["APPLICATION/Activity+JSON", "application/activity+json"],
    [browser, "text/html; charset=utf-8"],
    ["application/json, text/plain, */*", "text/html; charset=utf-8"],
    ["text/html, application/activity+json;q=0.9", "text/html; charset=utf-8"],
    ["application/activity+json;q=0, text/html", "text/html; charset=utf-8"],
    ["*/*", "text/html; charset=utf-8"],
    ["", "text/html; charset=utf-8"],
    ["nonsense", "text/html; charset=utf-8"],
    ["text/turtle", "application/json"],
  ])("Accept: %s", async (accept, type) => {
    const answer = await ask("firm", accept);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("vary")).toContain("Accept");
    expect(answer.status).toBe(type === "application/json" ? 406 : 200);
  });

  test("forms still reach the page, and a slash at the end leads away from itself", async () => {
    expect((await world.anonymous.send("POST", "/channel/firm", "body=x")).status).not.toBe(405);
    const slash = await world.anonymous.get("/channel/firm/", {}, { headers: activity });
    expect([slash.status, slash.headers.get("location")]).toEqual([308, "/channel/firm"]);
  });
});

test("a site for members only tells no more than is needed to reach somebody", async () => {
  await changeSite(world.hub, { blockPublic: true });
  expect(Object.keys(await actor("firm")).sort()).toEqual(
    ["@context", "assertionMethod", "endpoints", "featured", "followers", "following", "id", "inbox", "outbox"].concat([
      "preferredUsername",
      "publicKey",
      "type",
    ]),
  );
  await changeSite(world.hub, { blockPublic: false });
  expect((await actor("firm")).name).toBe("Firm");
});
