import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { mastodonClient, mastodonPeople, mastodonPerson, postStatus } from "../../../../test/support/mastodon.ts";
import type { MastodonPerson } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { formWith, picture } from "../../../../test/support/pictures.ts";
import { moveTo } from "../../../domain/identity/channels/moved.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { appoint, scoutOf } from "../../../domain/peers/scout.ts";

/** People, lists and searches as applications use them (mastodon contract 11.1, 11.2, 11.17, 11.18, 13.2, 13.5, 13.7). */

let world: TestApp;
let ann: MastodonPerson;
let bob: MastodonPerson;
let cara: MastodonPerson;
let dora: MastodonPerson;
let nobody: Client;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = await mastodonPeople(world, "ann", "bob");
  cara = await mastodonPerson(world, (await world.person("cara", { role: "custom" })).channel);
  [dora] = await mastodonPeople(world, "dora");
  nobody = mastodonClient(world);
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  await world.work();
});
afterAll(() => world.close());

const idOf = ({ channel }: MastodonPerson): string => String(channel.xchan_id);
const names = (accounts: { acct: string }[]): string[] => accounts.map(({ acct }) => acct);
const update = (client: MastodonPerson, form: object) => client.patch("/api/v1/accounts/update_credentials", form);

describe("the caller's own account", () => {
  test("changes as a whole, and is shown to others as it is then", async () => {
    const fields = [
      { name: "Homepage", value: "https://ann.example/" },
      { name: "Pronouns", value: "she & <b>her</b>" },
      { name: "Garden", value: "see https://garden.example/a?b=1&c" },
      { name: " ", value: "" },
    ];
    const { status, json } = await update(ann, {
      display_name: "Ann B.",
      note: "I [b]sing[/b]",
      bot: true,
      discoverable: false,
      hide_collections: true,
      fields_attributes: fields,
      attribution_domains: ["News.example"],
      source: { privacy: "private", sensitive: true, language: "de", quote_policy: "followers" },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      display_name: "Ann B.",
      note: "<p>I sing</p>",
      bot: true,
      discoverable: false,
      hide_collections: true,
      fields: [
        { name: "Homepage", value: expect.stringContaining('href="https://ann.example/"'), verified_at: null },
        { name: "Pronouns", value: "she &amp; &lt;b&gt;her&lt;/b&gt;" },
        { name: "Garden", value: expect.stringMatching(/^see <a href="https:\/\/garden\.example\/a\?b=1&amp;c"/) },
      ],
      source: {
        note: "I [b]sing[/b]",
        fields: fields.slice(0, 3),
        privacy: "private",
        sensitive: true,
        language: "de",
        hide_collections: true,
        discoverable: false,
        quote_policy: "followers",
        attribution_domains: ["news.example"],
      },
    });
    expect((await ann.get("/api/v1/accounts/verify_credentials")).json).toEqual(json);
    expect((await ann.get("/api/v1/preferences")).json).toMatchObject({
      "posting:default:visibility": "private",
      "posting:default:sensitive": true,
      "posting:default:language": "de",
      "posting:default:quote_policy": "followers",
    });
    const seen = (await bob.get(`/api/v1/accounts/${idOf(ann)}`)).json;
    expect([seen.display_name, seen.fields.length, seen.following_count]).toEqual(["Ann B.", 3, 0]);
    expect((await ann.get("/api/v1/profile")).json).toMatchObject({
      note: "I [b]sing[/b]",
      avatar: null,
      header: null,
    });
    expect((await ann.put("/api/v1/profile", { display_name: "Ann C." })).json.display_name).toBe("Ann C.");
    const back = { privacy: "public", sensitive: false, language: "", quote_policy: "public" };
    const { json: undone } = await update(ann, {
      bot: false,
      discoverable: true,
      hide_collections: false,
      fields_attributes: [],
      source: back,
    });
    expect(undone.source).toMatchObject({ ...back, language: "en", note: "I [b]sing[/b]", fields: undone.fields });
  });

  test("takes pictures as files and as data URLs, and drops them again", async () => {
    const png = await picture(400, 400).png().toBuffer();
    const form = formWith({ "fields_attributes[0][name]": "Voice", "fields_attributes[0][value]": "Alto" }, [
      ["avatar", png, "a.png", "image/png"],
    ]);
    const first = await bob.send("PATCH", "/api/v1/accounts/update_credentials", form);
    expect([first.status, first.json.fields]).toEqual([200, [{ name: "Voice", value: "Alto", verified_at: null }]]);
    const second = await update(bob, { header: `data:image/png;base64,${png.toString("base64")}` });
    expect(second.json.header).not.toMatch(/missing\.png$/);
    expect((await bob.get("/api/v1/profile")).json).toMatchObject({
      avatar: expect.any(String),
      header: second.json.header,
    });
    const { header } = (await bob.send("DELETE", "/api/v1/profile/header")).json;
    expect(header).toMatch(/\/missing\.png$/);
    const none = await world.app.request(header, { headers: { host: "hub.example" } });
    expect([none.status, none.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await bob.send("DELETE", "/api/v1/profile/avatar")).status).toBe(200);
    expect((await bob.get("/api/v1/profile")).json).toMatchObject({ avatar: null, header: null });
  });

  test("asks first where the role leaves that to its owner", async () => {
    expect((await update(cara, { locked: false })).json.locked).toBe(false);
    expect((await update(cara, { locked: true })).json.locked).toBe(true);
    expect((await update(bob, { locked: true })).json.locked).toBe(true);
    expect((await update(bob, { locked: false })).status).toBe(422);
  });

  test.each([
    [{ display_name: "" }, /^Validation failed: /],
    [{ display_name: "x".repeat(192) }, /^Validation failed: Display name is too long/],
    [{ display_name: "New", avatar: "data:text/plain;base64,aGVsbG8=" }, /picture/],
    [{ display_name: "New", header: "https://far.example/a.png" }, /picture/],
    [{ display_name: "New", fields_attributes: Array.from({ length: 17 }, () => ({ name: "a", value: "b" })) }, /16/],
    [{ display_name: "New", fields_attributes: [{ name: "x".repeat(256), value: "b" }] }, /longer/],
    [{ display_name: "New", source: { privacy: "unlisted" } }, /privacy/],
    [{ display_name: "New", source: { language: "no language" } }, /language/],
  ])("refuses what cannot be, as a whole (%#)", async (form, error) => {
    const answer = await update(dora, form);
    expect([answer.status, answer.json.error]).toEqual([422, expect.stringMatching(error)]);
    expect((await dora.get("/api/v1/accounts/verify_credentials")).json.display_name).toBe("Dora");
  });
});

describe("lists", () => {
  const member = (client: Client, method: string, list: string, ids: string[]) =>
    client.send(method, `/api/v1/lists/${list}/accounts`, JSON.stringify({ account_ids: ids }), {
      headers: { "content-type": "application/json" },
    });

  test("come, get other names and members, and go", async () => {
    const made = await ann.post("/api/v1/lists", { title: " Choir " });
    expect([made.status, made.json.title]).toEqual([200, "Choir"]);
    const { id } = made.json;
    expect((await ann.post("/api/v1/lists", { title: "Choir" })).json.error).toBe(
      "Validation failed: Title has already been taken",
    );
    for (const title of ["", "x".repeat(192)]) expect((await ann.post("/api/v1/lists", { title })).status).toBe(422);
    const renamed = await ann.send("PUT", `/api/v1/lists/${id}`, new URLSearchParams({ title: "Band" }));
    expect(renamed.json.title).toBe("Band");
    expect((await member(ann, "POST", id, [idOf(bob), idOf(cara), idOf(bob)])).status).toBe(200);
    expect((await member(ann, "POST", id, [idOf(bob)])).status).toBe(200);
    for (const wrong of [idOf(dora), "999999", "x"]) {
      const { status, json } = await member(ann, "POST", id, [idOf(bob), wrong]);
      expect([wrong, status, json.error]).toEqual([wrong, 404, "Record not found"]);
    }
    const first = await ann.get(`/api/v1/lists/${id}/accounts`, { limit: 1 });
    expect([names(first.json), first.headers.get("link")]).toEqual([["cara"], expect.stringContaining('rel="next"')]);
    expect(names((await ann.get(`/api/v1/lists/${id}/accounts`, { limit: 1, max_id: idOf(cara) })).json)).toEqual([
      "bob",
    ]);
    expect(names((await ann.get(`/api/v1/lists/${id}/accounts`, { limit: 0 })).json)).toEqual(["cara", "bob"]);
    expect((await ann.get(`/api/v1/accounts/${idOf(bob)}/lists`)).json).toMatchObject([
      { title: "Friends" },
      { id, title: "Band" },
    ]);
    expect((await bob.get(`/api/v1/accounts/${idOf(dora)}/lists`)).json).toEqual([]);
    expect((await ann.send("DELETE", `/api/v1/lists/${id}/accounts?account_ids[]=${idOf(bob)}`)).status).toBe(200);
    expect((await member(ann, "DELETE", id, [idOf(bob)])).status).toBe(200);
    expect(names((await ann.get(`/api/v1/lists/${id}/accounts`)).json)).toEqual(["cara"]);
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await bob.send(method, `/api/v1/lists/${id}?title=Mine`)).status).toBe(404);
    expect((await member(bob, "POST", id, [idOf(ann)])).status).toBe(404);
    expect((await ann.send("DELETE", `/api/v1/lists/${id}`)).json).toEqual({});
    expect((await ann.get(`/api/v1/lists/${id}`)).status).toBe(404);
  });
});

describe("people", () => {
  test("who have moved say as whom they go on", async () => {
    const own = `http://hub.example/channel/${dora.channel.channel_address}`;
    const [gus, hugo, ida] = [
      await meetActor(world.hub, actorOf("gus", { movedTo: own })),
      await meetActor(world.hub, actorOf("hugo", { movedTo: "https://far.example/users/ida" })),
      await meetActor(world.hub, actorOf("ida", { movedTo: "https://far.example/users/nobody" })),
    ];
    const moved = async ({ xchan_id }: { xchan_id: number }) =>
      (await nobody.get(`/api/v1/accounts/${xchan_id}`)).json.moved?.acct;
    expect([await moved(gus), await moved(hugo), await moved(ida)]).toEqual(["dora", "ida@far.example", undefined]);
    const [eve, home] = [
      (await world.person("eve")).channel,
      await meetActor(world.hub, actorOf("eve", { alsoKnownAs: ["http://hub.example/channel/eve"] })),
    ];
    await postStatus(world, await mastodonPerson(world, eve), { status: "I go" });
    await moveTo(world.hub, eve, home);
    expect(await moved(eve)).toBe("eve@far.example");
    const [{ account }] = (await nobody.get(`/api/v1/accounts/${eve.xchan_id}/statuses`)).json;
    expect([account.acct, account.moved.acct]).toEqual(["eve", "eve@far.example"]);
    const gone = await mastodonPerson(world, eve);
    expect((await gone.get("/api/v1/accounts/verify_credentials")).json.moved.acct).toBe("eve@far.example");
  });

  test("of elsewhere show the day of the newest post for all that has come", async () => {
    const actor = actorOf("jo");
    const jo = await meetActor(world.hub, actor);
    const arrives = async (n: number, published: string, to: string) => {
      const object = {
        type: "Note",
        id: `${actor.id}/${n}`,
        attributedTo: actor.id,
        to,
        published,
        content: "<p>Hi</p>",
      };
      await arrivesIn(world.hub)({ id: `${object.id}/create`, type: "Create", actor: actor.id, to, object }, [
        ann.channel,
      ]);
      return (await nobody.get(`/api/v1/accounts/${jo.xchan_id}`)).json.last_status_at;
    };
    await connect(world.hub, ann.channel, jo);
    await receiveAccept(world.hub, ann.channel, jo);
    const everybody = "https://www.w3.org/ns/activitystreams#Public";
    expect(await arrives(1, "2026-02-27T10:00:00Z", everybody)).toBe("2026-02-27");
    expect(await arrives(2, "2026-02-25T10:00:00Z", everybody)).toBe("2026-02-27");
    expect(await arrives(3, "2026-02-28T10:00:00Z", "http://hub.example/channel/ann")).toBe("2026-02-27");
  });

  test("are ignored for a while or for good, noted about, and dropped as followers", async () => {
    const about = async (what: string, form = {}) =>
      (await dora.post(`/api/v1/accounts/${idOf(bob)}/${what}`, form)).json;
    const { muting, muting_expires_at: ends } = await about("mute", { duration: 3600 });
    expect([muting, ends]).toEqual([true, expect.any(String)]);
    expect((await dora.post(`/api/v1/accounts/${idOf(bob)}/mute`, { duration: "a while" })).status).toBe(422);
    expect((await dora.get("/api/v1/mutes")).json).toMatchObject([{ acct: "bob", mute_expires_at: ends }]);
    expect(await about("mute")).toMatchObject({ muting: true, muting_notifications: true, muting_expires_at: null });
    expect((await dora.get("/api/v1/mutes")).json).toMatchObject([{ acct: "bob", mute_expires_at: null }]);
    expect(names((await dora.get("/api/v1/mutes")).json)).toEqual(["bob"]);
    expect(await about("unmute")).toMatchObject({ muting: false });
    expect(await about("unmute")).toMatchObject({ muting: false });
    expect(await about("note", { comment: " Plays the bass " })).toMatchObject({ note: "Plays the bass" });
    expect((await ann.get("/api/v1/accounts/relationships", { id: idOf(bob) })).json[0].note).toBe("");
    expect(await about("note")).toMatchObject({ note: "" });
    const long = await dora.post(`/api/v1/accounts/${idOf(bob)}/note`, { comment: "x".repeat(2001) });
    expect(long.status).toBe(422);
    for (const what of ["mute", "block", "follow"])
      expect([what, (await dora.post(`/api/v1/accounts/${idOf(dora)}/${what}`)).status]).toEqual([what, 403]);
    expect((await bob.post(`/api/v1/accounts/${idOf(ann)}/remove_from_followers`)).json).toMatchObject({
      following: true,
      followed_by: false,
    });
    expect((await bob.post(`/api/v1/accounts/${idOf(dora)}/remove_from_followers`)).status).toBe(200);
    await befriend(world.hub, ann.channel, bob.channel);
  });

  test("ask to follow, are let in and refused by their own ids", async () => {
    const [eva, finn] = await mastodonPeople(world, "eva", "finn");
    for (const one of [eva, finn]) await one.post(`/api/v1/accounts/${idOf(dora)}/follow`);
    await world.work();
    expect(names((await dora.get("/api/v1/follow_requests")).json)).toEqual(["finn", "eva"]);
    const answer = (person: MastodonPerson, how: string) => dora.post(`/api/v1/follow_requests/${idOf(person)}/${how}`);
    expect((await answer(eva, "authorize")).json).toMatchObject({ followed_by: true, requested_by: false });
    expect((await answer(finn, "reject")).json).toMatchObject({ followed_by: false, requested_by: false });
    expect((await dora.get("/api/v1/follow_requests")).json).toEqual([]);
    for (const how of ["authorize", "reject"]) expect((await answer(finn, how)).status).toBe(404);
  });

  test("are blocked with their whole server", async () => {
    const far = await meetActor(world.hub, actorOf("zoe"));
    const related = async () =>
      (await dora.get("/api/v1/accounts/relationships", { id: String(far.xchan_id) })).json[0].domain_blocking;
    expect((await dora.post("/api/v1/domain_blocks", { domain: "far.example" })).json).toEqual({});
    expect([(await dora.get("/api/v1/domain_blocks")).json, await related()]).toEqual([["far.example"], true]);
    for (const domain of ["a b", "hub.example"])
      expect((await dora.post("/api/v1/domain_blocks", { domain })).status).toBe(422);
    for (const again of [1, 2])
      expect([again, (await dora.send("DELETE", "/api/v1/domain_blocks?domain=far.example")).status]).toEqual([
        again,
        200,
      ]);
    expect(await related()).toBe(false);
  });
});

describe("searches", () => {
  test("find people, posts and hashtags, each only what the caller may see", async () => {
    const open = (await ann.post("/api/v1/statuses", { status: "zebra crossing #stripes", visibility: "public" })).json;
    const closed = (await ann.post("/api/v1/statuses", { status: "zebra secret #stripesecret", visibility: "direct" }))
      .json;
    await world.work();
    const search = async (client: Client, query: Record<string, string | number>) =>
      (await client.get("/api/v2/search", query)).json;
    const found = await search(bob, { q: "zebra" });
    expect(found.statuses.map(({ uri }: { uri: string }) => uri)).toEqual([open.uri]);
    expect((await search(ann, { q: "zebra", limit: 1, offset: 1 })).statuses).toHaveLength(1);
    expect((await search(ann, { q: "zebra", account_id: idOf(bob) })).statuses).toEqual([]);
    expect((await search(ann, { q: "#stripes" })).hashtags.map(({ name }: { name: string }) => name)).toEqual([
      "stripes",
      "stripesecret",
    ]);
    for (const client of [bob, nobody]) {
      const { hashtags, statuses } = await search(client, { q: "stripes", type: "hashtags" });
      expect([hashtags.map(({ name }: { name: string }) => name), statuses]).toEqual([["stripes"], []]);
    }
    expect((await search(nobody, { q: "zebra" })).statuses).toEqual([]);
    for (const asked of [{ resolve: "true" }, { offset: 1 }])
      expect((await nobody.get("/api/v2/search", { q: "zebra", ...asked })).status).toBe(401);
    expect((await search(bob, { q: closed.url })).statuses).toEqual([]);
    const byUrl = await search(bob, { q: open.url });
    expect([byUrl.statuses.length, byUrl.accounts, byUrl.hashtags]).toEqual([1, [], []]);
    expect(names((await search(bob, { q: "http://hub.example/channel/ann" })).accounts)).toEqual(["ann"]);
    expect(names((await search(bob, { q: "@ann@hub.example" })).accounts)).toEqual(["ann"]);
    expect((await bob.get("/api/v1/search", { q: "stripes" })).json.hashtags).toEqual(["stripes"]);
    expect((await bob.get("/api/v1/tags/StripeS")).json).toMatchObject({ name: "stripes", following: false });
    expect((await bob.get("/api/v1/tags/stripesecret")).json.id).toBe("0");
    expect((await nobody.get("/api/v1/tags/stripes")).json.following).toBeUndefined();
    for (const q of ['""', "%", "_", "\\", "from:", "👍".repeat(500)])
      expect([q.slice(0, 9), (await bob.get("/api/v2/search", { q })).status]).toEqual([q.slice(0, 9), 200]);
    expect((await bob.get("/api/v2/search", { q: "x".repeat(501) })).status).toBe(422);
    expect((await bob.get("/api/v2/search", { q: "" })).status).toBe(400);
  });

  test("find people by name, those whom one follows alone, and ask other servers when told to", async () => {
    const people = async (query: Record<string, string | number>) =>
      names((await ann.get("/api/v1/accounts/search", query)).json);
    await world.person("bobby");
    expect(await people({ q: "bob" })).toEqual(["bob", "bobby"]);
    expect(await people({ q: "bob", limit: 1, offset: 1 })).toEqual(["bobby"]);
    expect(await people({ q: "bob", following: "true" })).toEqual(["bob"]);
    const asked: string[] = [];
    appoint(world.hub, {
      ...scoutOf(world.hub),
      async lookUp(hub, _channel, address) {
        asked.push(address);
        return { person: await meetActor(hub, actorOf("yan")) };
      },
    });
    expect([await people({ q: "yan@far.example" }), asked]).toEqual([[], []]);
    expect(await people({ q: "yan@far.example", resolve: "true" })).toEqual(["yan@far.example"]);
    expect(await people({ q: "yan@far.example", resolve: "true" })).toEqual(["yan@far.example"]);
    expect(asked).toEqual(["yan@far.example"]);
  });

  test("ask other servers thirty times an hour, by whichever search", async () => {
    const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
    const [eva, fay] = await mastodonPeople(limited, "eva", "fay");
    appoint(limited.hub, { ...scoutOf(limited.hub), lookUp: () => Promise.resolve({ fault: "unknown" }) });
    const ask = async (who: Client, path: string, n: number) =>
      who.get(path, { q: `nobody${n}@far.example`, resolve: "true" });
    for (let n = 0; n < 30; n++) {
      const path = n % 2 === 0 ? "/api/v2/search" : "/api/v1/accounts/search";
      expect([n, (await ask(eva, path, n)).status]).toEqual([n, 200]);
    }
    for (const path of ["/api/v2/search", "/api/v1/search", "/api/v1/accounts/search"]) {
      const refused = await ask(eva, path, 30);
      expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 3600]);
    }
    expect((await eva.get("/api/v2/search", { q: "nobody@far.example" })).status).toBe(200);
    expect((await ask(fay, "/api/v2/search", 0)).status).toBe(200);
    await limited.close();
  });
});
