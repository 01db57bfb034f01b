import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { webPages } from "../../faces/web/web.ts";
import { observeAs } from "../identity/channels/observe-as.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { meetActor } from "../peers/meet-actor.ts";
import { observerUnmet } from "../identity/channels/observer.ts";
import { may } from "../permissions/may.ts";
import { blockHost, connect, findConnectionTo, listHostBlocks, receiveFollow, unblockHost } from "./connections.ts";
import { unwantedBy } from "./unwanted.ts";

let world: TestApp;
let alma: Person;
let bob: Person;
let round = 0;

beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());
beforeEach(async () => {
  round += 1;
  alma = await world.person(`alma${round}`, { role: "feed" });
  bob = await world.person(`bob${round}`, { role: "feed" });
});

const idOf = (who: Person): string => `${world.hub.config.baseUrl}/channel/${who.nick}`;
const personAt = (host: string, nick = `p${round}`): Promise<Xchan> => {
  const id = `https://${host}/users/${nick}`;
  const places = { inbox: `${id}/inbox`, sharedInbox: "", outbox: "", followers: "", following: "" };
  return meetActor(world.hub, actorOf(nick, { id, address: `${nick}@${host}`, url: id, keys: [], ...places }));
};
const follow = (who: Person, from: Xchan) =>
  receiveFollow(world.hub, who.channel, from, `${from.xchan_hash}/follows/${who.nick}`);
const reads = async (who: Person, from: Xchan) =>
  may(world.hub, await observeAs(world.hub, from), "view_stream", who.channel.channel_id);
const unwanted = async (who: Person, which: "ignored too" | "only blocked" = "ignored too") => {
  const rows = await unwantedBy(who.channel.channel_id, which).execute(world.hub.db);
  return rows.rows.map(({ id }) => id);
};
const row = (who: Person, { xchan_hash }: Xchan) => findConnectionTo(world.hub, who.channel.channel_id, xchan_hash);

describe("a channel that blocks a host", () => {
  test("is not shown to anybody there, shows nothing of theirs, and is followed no more, until it ends", async () => {
    const [near, port] = [await personAt(`bad${round}.example`), await personAt(`bad${round}.example:8443`)];
    const [sub, like] = [await personAt(`x.bad${round}.example`), await personAt(`bad${round}.example.org`)];
    for (const person of [near, port, sub, like]) expect(await follow(alma, person)).toBe("accepted");
    await connect(world.hub, alma.channel, port);
    await follow(bob, near);
    await blockHost(world.hub, alma.channel, ` https://BAD${round}.example/ `, "block");
    expect(await unwanted(alma)).toEqual([near.xchan_id, port.xchan_id]);
    expect(await unwanted(alma, "only blocked")).toEqual([near.xchan_id, port.xchan_id]);
    expect(await Promise.all([near, port, sub, like].map((person) => reads(alma, person)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const unmet = ["", ":8443", ".org"].map((end) => observerUnmet(`https://bad${round}.example${end}/users/una`));
    const seen = unmet.map((one) => may(world.hub, one, "view_stream", alma.channel.channel_id));
    expect(await Promise.all(seen)).toEqual([false, false, true]);
    expect(await row(alma, near)).toBeUndefined();
    expect(await row(alma, port)).toMatchObject({ follow_in: "none", follow_out: "requested" });
    expect(await row(alma, sub)).toMatchObject({ follow_in: "accepted" });
    expect(await follow(alma, near)).toBe("silent");
    expect([await reads(bob, near), await unwanted(bob)]).toEqual([true, []]);
    await unblockHost(world.hub, alma.channel, `bad${round}.example`);
    expect([await reads(alma, near), await unwanted(alma)]).toEqual([true, []]);
    expect(await follow(alma, near)).toBe("accepted");
    await expect(unblockHost(world.hub, alma.channel, `bad${round}.example`)).rejects.toMatchObject({
      kind: "missing",
    });
  });

  test("and one that mutes it only sees nothing of theirs", async () => {
    const person = await personAt(`loud${round}.example`);
    for (const who of [alma, bob]) await follow(who, person);
    await blockHost(world.hub, alma.channel, `loud${round}.example`, "mute");
    expect([await unwanted(alma), await unwanted(alma, "only blocked")]).toEqual([[person.xchan_id], []]);
    const id = `${person.xchan_hash}/notes/1`;
    const note = { id, type: "Note", attributedTo: person.xchan_hash, to: [alma, bob].map(idOf), content: "loud" };
    await arrivesIn(world.hub)(
      { type: "Create", actor: person.xchan_hash, object: { ...note, directMessage: true } },
      [alma, bob].map(({ channel }) => channel),
    );
    const texts = async (who: Person) => (await who.get("/api/direct_messages")).json.map((one: any) => one.text);
    expect([await texts(alma), await texts(bob)]).toEqual([[], [expect.stringContaining("loud")]]);
    expect(await reads(alma, person)).toBe(true);
    expect(await row(alma, person)).toMatchObject({ follow_in: "accepted" });
    await blockHost(world.hub, alma.channel, `loud${round}.example`, "block");
    expect(await listHostBlocks(world.hub, alma.channel.channel_id)).toMatchObject([{ kind: "block" }]);
  });
});

test("members block servers on a page of theirs", async () => {
  const visitor = visitorOf(webPages(world.hub), world.hub.config.host);
  await visitor.logIn(alma.nick, password);
  await visitor.get("/connections/hosts");
  const save = (host: string, kind = "mute") => visitor.post("/connections/hosts", { host, kind });
  expect((await save("loud.example")).status).toBe(303);
  expect((await visitor.get("/connections/hosts?host=other.example")).text).toMatch(
    /value="other\.example"[^]*loud\.example/,
  );
  for (const [host, kind] of [
    ["a b", "mute"],
    ["hub.example", "block"],
    ["x.example", "hard"],
  ] as const)
    expect([host, (await save(host, kind)).status]).toEqual([host, 422]);
  expect((await visitor.post("/connections/hosts/end", { host: "loud.example" })).status).toBe(303);
  expect(await listHostBlocks(world.hub, alma.channel.channel_id)).toEqual([]);
});
