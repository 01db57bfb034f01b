import { anonymous } from "../../../test/support/observers.ts";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { cavageRequest, keys, messageRequest, now, pemOf } from "../../../test/support/signed-requests.ts";
import type { Plan } from "../../../test/support/signed-requests.ts";
import { removeSiteBlock, setSiteBlock } from "../../domain/peers/site-blocks.ts";
import { recordPeer } from "../../domain/peers/peers.ts";
import { recordSoftware } from "../../domain/peers/software.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";
import type { Hub } from "../../hub.ts";
import type { Arrival } from "../../http/arrival.ts";
import { readerOf } from "./signer.ts";
import type { Received } from "./signatures/received.ts";

/** Who reads (federation contract 8.3): on a hub with its rows, by the requests as they come. */

let hub: TestHub;
let ids: Record<string, number>;
const elsewhere = openElsewhere();

const idOf = (nick: string): string => `https://far.example/users/${nick}`;
const keyOf = (nick: string) => ({
  id: `${idOf(nick)}#main-key`,
  kind: "rsa" as const,
  key: pemOf(keys.ann.publicKey),
});

beforeAll(async () => {
  const env = { HUBBUB_BASE_URL: "https://hub.example" };
  hub = await openTestHub({ env, clock: now, fetch: elsewhere.fetch });
  const ann = await meetActor(hub, actorOf("ann", { keys: [keyOf("ann")] }));
  const server = await meetActor(hub, actorOf("server", { type: "Application", keys: [keyOf("server")] }));
  const gone = await meetActor(hub, actorOf("gone", { keys: [keyOf("gone")] }));
  await hub.db
    .updateTable("actor")
    .set({ gone: "2026-01-01 00:00:00" })
    .where("xchan_id", "=", gone.xchan_id)
    .execute();
  await meetActor(hub, actorOf("changed", { keys: [keyOf("changed")] }));
  await meetActor(hub, actorOf("changed", { keys: [{ ...keyOf("changed"), id: `${idOf("changed")}#new-key` }] }));
  await meetActor(hub, actorOf("broken", { keys: [{ ...keyOf("broken"), key: "nonsense" }] }));
  ids = { ann: ann.xchan_id, server: server.xchan_id };
});
afterAll(() => hub.close());

const by = (nick: string, name: "keyId" | "keyid"): Plan => ({
  method: "GET",
  target: "/item/7d2b?page=2",
  parameters: { [name]: `"${idOf(nick)}#main-key"` },
});
const signed = {
  "draft-cavage": (nick: string, more: Plan = {}) => cavageRequest({ ...by(nick, "keyId"), ...more }),
  "RFC 9421": (nick: string, more: Plan = {}) => messageRequest({ ...by(nick, "keyid"), ...more }),
};

/** The request in memory. */
function arrivalOf({ method, target, rawHeaders }: Received) {
  const pairs = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1]!] as [string, string]] : [],
  );
  return { request: new Request(`http://127.0.0.1:8080${target}`, { method, headers: pairs }), incoming: undefined };
}

const signerOf = async (hub: Hub, arrival: Arrival) => (await readerOf(hub, arrival)).observer();
const signerIn = (received: Received) => signerOf(hub, arrivalOf(received));

describe.each(["draft-cavage", "RFC 9421"] as const)("by %s", (scheme) => {
  const request = signed[scheme];

  test("who is known reads in their own name", async () => {
    expect(await signerIn(request("ann"))).toEqual({
      xchanId: ids["ann"],
      hash: idOf("ann"),
      native: false,
      channelId: 0,
      seesPublic: true,
    });
  });

  test.each([
    ["somebody whom the hub has not met", "stranger"],
    ["the actor of a whole server", "server"],
    ["somebody who is gone", "gone"],
    ["a key that was given up", "changed"],
    ["a key that is none", "broken"],
  ])("%s is nobody", async (_, nick) => {
    expect(await signerIn(request(nick))).toEqual(anonymous);
  });

  test.each<[string, Plan]>([
    ["the key of somebody else", { key: keys.eve.privateKey }],
    ["another path", { seen: { target: "/item/other" } }],
  ])("%s makes nobody of them", async (_, more) => {
    expect(await signerIn(request("ann", more))).toEqual(anonymous);
  });

  test("those of a suspended hub are refused until that ends, and only they", async () => {
    await setSiteBlock(hub, { domain: "far.example", level: "suspend", noMedia: false });
    await expect(signerIn(request("ann"))).rejects.toMatchObject({ kind: "denied", code: "host_suspended" });
    expect(await signerIn(request("ann", { key: keys.eve.privateKey }))).toEqual(anonymous);
    await removeSiteBlock(hub, "far.example");
    expect(await signerIn(request("ann"))).toMatchObject({ xchanId: ids["ann"] });
  });

  test("an old signature makes nobody of them", async () => {
    hub.advance(3700);
    const found = await signerIn(request("ann"));
    hub.advance(-3700);
    expect(found).toEqual(anonymous);
  });
});

describe("somebody whose key is looked up", () => {
  const stranger = (nick: string) => signed["draft-cavage"](nick);
  const openers = () => elsewhere.asked.map(({ url }) => url);

  test("is somebody with an identity and nothing else, and only when it matters", async () => {
    elsewhere.actor("dora");
    elsewhere.asked.length = 0;
    const { host, observer } = await readerOf(hub, arrivalOf(stranger("dora")));
    expect([host, openers()]).toEqual([undefined, []]);
    expect(await observer()).toEqual({
      xchanId: 0,
      hash: `unmet ${idOf("dora")}`,
      native: false,
      channelId: 0,
      seesPublic: true,
    });
    await signerIn(stranger("dora"));
    expect(openers()).toEqual([idOf("dora")]);
    const rows = hub.db.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", idOf("dora"));
    expect(await rows.execute()).toEqual([]);
  });

  test("is nobody where they read for a whole server, and has signed all the same", async () => {
    elsewhere.actor("machine", { type: "Application" });
    expect(await signerIn(stranger("machine"))).toEqual(anonymous);
    expect(await (await readerOf(hub, arrivalOf(stranger("machine")))).signed()).toBe(true);
  });

  test("is nobody where their host names them as the one that reads for it, met or not, and others there are as ever", async () => {
    elsewhere.actor("finn");
    await recordPeer(hub, "far.example");
    for (const nick of ["ann", "finn"]) {
      expect(await signerIn(stranger(nick))).not.toEqual(anonymous);
      await recordSoftware(hub, "far.example", { name: "x", version: "1", application: idOf(nick) });
      expect(await signerIn(stranger(nick))).toEqual(anonymous);
    }
    await recordSoftware(hub, "far.example", { name: "x", version: "1", application: "" });
    expect(await signerIn(stranger("ann"))).not.toEqual(anonymous);
  });

  test("is nobody where the site has nothing to do with their hub, and nobody is asked", async () => {
    await setSiteBlock(hub, { domain: "far.example", level: "suspend", noMedia: false });
    elsewhere.asked.length = 0;
    await expect(readerOf(hub, arrivalOf(stranger("ann")))).rejects.toMatchObject({ code: "host_suspended" });
    await expect(signerIn(stranger("dora"))).rejects.toMatchObject({ kind: "denied" });
    expect(await signerIn(stranger("emil"))).toEqual(anonymous);
    expect(openers()).toEqual([]);
    await removeSiteBlock(hub, "far.example");
  });
});

test("a request without a signature is nobody's, and nothing is asked for elsewhere", async () => {
  elsewhere.asked.length = 0;
  const plain = { ...signed["draft-cavage"]("ann"), rawHeaders: ["Host", "hub.example"] };
  expect(await signerIn(plain)).toEqual(anonymous);
  expect(await (await readerOf(hub, arrivalOf(plain))).signed()).toBe(false);
  expect(elsewhere.asked).toEqual([]);
});

describe("on a socket", () => {
  /** What the hub sees of bytes that come in. */
  async function arrived(bytes: string): Promise<IncomingMessage> {
    const server = createServer();
    const incoming = new Promise<IncomingMessage>((resolve) =>
      server.on("request", (request, response) => {
        response.end();
        resolve(request);
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    connect((server.address() as AddressInfo).port, "127.0.0.1").end(bytes);
    const request = await incoming;
    server.close();
    return request;
  }

  const bytesOf = ({ method, target, rawHeaders }: Received, more = ""): string => {
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}\r\n`] : []));
    return `${method} ${target} HTTP/1.1\r\n${lines.join("")}${more}\r\n`;
  };

  test("path and query count letter by letter, and a second header is seen", async () => {
    const odd = signed["draft-cavage"]("ann", { target: "/item/../item/%37d2b?x=%2f&x" });
    const request = new Request("http://127.0.0.1/item/7d2b", { headers: { host: "hub.example" } });
    expect(await signerOf(hub, { request, incoming: await arrived(bytesOf(odd)) })).toMatchObject({
      xchanId: ids["ann"],
    });
    const doubled = await arrived(bytesOf(odd, `Date: ${now.toUTCString()}\r\n`));
    expect(await signerOf(hub, { request, incoming: doubled })).toEqual(anonymous);
  });
});

test("the host that was asked for is what the operator's own proxy hands on", async () => {
  const received = signed["draft-cavage"]("ann");
  const { request } = arrivalOf({
    ...received,
    rawHeaders: received.rawHeaders.map((text) => (text === "hub.example" ? "127.0.0.1:8080" : text)),
  });
  request.headers.set("x-forwarded-host", "hub.example");
  const behind = (trustProxy: boolean) => ({ ...hub, config: { ...hub.config, trustProxy } });
  expect(await signerOf(behind(true), { request, incoming: undefined })).toMatchObject({ xchanId: ids["ann"] });
  expect(await signerOf(behind(false), { request, incoming: undefined })).toEqual(anonymous);
});
