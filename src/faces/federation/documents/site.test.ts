import { createPublicKey } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../../../../test/support/client.ts";
import type { Client } from "../../../../test/support/client.ts";
import { hubbubJson, newPlace, openPlace } from "../../../../test/support/command.ts";
import type { Place } from "../../../../test/support/command.ts";
import { makeChannel, password, takeKeys } from "../../../../test/support/hub.ts";
import { readConfig } from "../../../config/config.ts";
import { register } from "../../../domain/identity/accounts/register.ts";
import { siteFigures } from "../../../domain/identity/site/site-figures.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { createApp, startHub } from "../../../main.ts";
import type { RunningHub } from "../../../main.ts";

/** A hub on which there were people before it had an actor. */

let place: Place;
let running: RunningHub;
let anonymous: Client;
let alma: Client;

const start = () => startHub(readConfig({ ...place.env, HUBBUB_BASE_URL: place.url }), { makeKeys: takeKeys });

beforeAll(async () => {
  place = await newPlace();
  const before = await openPlace(place);
  await makeChannel(before, "alma");
  await before.close();
  running = await start();
  const app = createApp(running.hub);
  [anonymous, alma] = [clientOf(app), clientOf(app, `alma:${password}`)];
});
afterAll(async () => {
  await running.close();
  await place.remove();
});

const actor = async () => (await (await fetch(`${place.url}/actor`)).json()) as Record<string, any>;

describe("the site's actor", () => {
  test("is made at the start, with keys that can be read", async () => {
    const response = await fetch(`${place.url}/actor`, { headers: { accept: "text/html" } });
    expect(response.headers.get("content-type")).toBe("application/activity+json");
    const document = (await response.json()) as Record<string, any>;
    const id = `${place.url}/actor`;
    expect(document).toMatchObject({
      id,
      type: "Application",
      preferredUsername: "instance.actor",
      name: "Hubbub",
      inbox: `${place.url}/inbox`,
      outbox: `${id}/outbox`,
      endpoints: { sharedInbox: `${place.url}/inbox` },
      publicKey: { id: `${id}#main-key`, owner: id },
      assertionMethod: [{ id: `${id}#ed25519-key`, type: "Multikey", controller: id }],
    });
    const row = await running.hub.db
      .selectFrom("channel")
      .selectAll()
      .where("channel_system", "=", 1)
      .executeTakeFirstOrThrow();
    expect(document["publicKey"].publicKeyPem).toBe(row.channel_pubkey);
    expect(createPublicKey(document["publicKey"].publicKeyPem).asymmetricKeyDetails?.modulusLength).toBe(2048);
    // 0xed 0x01 and 32 bytes in base58 always begin and end like this.
    expect(document["assertionMethod"][0].publicKeyMultibase).toMatch(/^z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/);
    expect(JSON.stringify(document)).not.toContain("PRIVATE");
    expect((await anonymous.get("/actor/outbox")).json).toMatchObject({ totalItems: 0, orderedItems: [] });
  });

  test("goes by the name of the site", async () => {
    await changeSite(running.hub, { name: "Our hub" });
    expect((await actor())["name"]).toBe("Our hub");
    await changeSite(running.hub, { name: "Hubbub" });
  });

  test("keeps its keys when the hub starts again", async () => {
    const before = await actor();
    await running.close();
    running = await start();
    const app = createApp(running.hub);
    [anonymous, alma] = [clientOf(app), clientOf(app, `alma:${password}`)];
    expect(await actor()).toEqual(before);
    const { count } = await running.hub.db
      .selectFrom("channel")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(2);
  });
});

describe("nobody meets the site's channel among people", () => {
  const nick = "instance.actor";

  test.each([
    ["the directory", "/directory", {}],
    ["a search", "/search", { q: nick }],
    ["users/search", "/api/users/search", { q: nick }],
    ["users/search by address", "/api/users/search", { q: `${nick}@127.0.0.1` }],
    ["the accounts page", "/channels", {}],
    ["its own export", "/api/z/1.0/channel/export/basic", {}],
    ["the channels of the account", "/api/z/1.0/channel/list", {}],
  ])("%s does not have it", async (_, path, query) => {
    const answer = await alma.get(path, query);
    expect(answer.text.replaceAll(/value="[^"]*"|q=[^"&]*|“[^”]*”/g, "")).not.toContain(nick);
  });

  test.each([
    ["its page", `/channel/${nick}`, {}],
    ["its profile", `/profile/${nick}`, {}],
    ["its feed", `/feed/${nick}`, {}],
    ["users/show", "/api/users/show", { screen_name: nick }],
    ["a connection", "/api/friendships/create", { screen_name: nick }],
  ])("%s is that of somebody unknown", async (_, path, query) => {
    const method = path.endsWith("create") ? "post" : "get";
    const answer = await alma[method](path, query);
    const unknown = await alma[method](path.replace(nick, "some.body"), { ...query, screen_name: "some.body" });
    const comparable = (text: string) => text.replaceAll(/instance\.actor|some\.body|[0-9a-f]{10}-\w+/g, "<>");
    expect([answer.status, comparable(answer.text)]).toEqual([unknown.status, comparable(unknown.text)]);
    expect(answer.status).toBe(404);
  });

  test("it has no identity, no picture of its own and no log-in", async () => {
    const { db } = running.hub;
    const site = await db.selectFrom("channel").selectAll().where("channel_system", "=", 1).executeTakeFirstOrThrow();
    expect(
      await db.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", site.channel_hash).execute(),
    ).toEqual([]);
    const picture = (id: number) => anonymous.get(`/photo/profile/s/${id}`);
    expect((await picture(site.channel_id)).headers.get("etag")).toBe((await picture(9999)).headers.get("etag"));
    const logIn = await clientOf(createApp(running.hub), `${nick}:${password}`).get("/api/account/verify_credentials");
    expect(logIn.status).toBe(401);
  });

  test("counts and lists are without it, and nobody takes its nick", async () => {
    expect((await siteFigures(running.hub)).channels).toBe(1);
    const listed = await hubbubJson<{ nick: string }[]>(place, "channel", "list");
    expect(listed.map((channel) => channel.nick)).toEqual(["alma"]);
    await expect(
      register(running.hub, { email: "b@example.org", password: "a horse of mine", nick, name: "B" }),
    ).rejects.toMatchObject({ kind: "invalid", field: "nick" });
  });
});
