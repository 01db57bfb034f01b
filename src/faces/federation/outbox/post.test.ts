import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicKey } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { finding } from "../../../../test/support/signed-requests.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import { closeChannel } from "../../../domain/identity/channels/channels.ts";
import { siteActor } from "../../../domain/identity/channels/site-actor.ts";
import { inTransaction } from "../../../hub.ts";
import { verifyRequest } from "../signatures/verify.ts";

/** What leaves the hub, as the inbox of another one sees it: over a real connection. */

let world: TestApp;
let alma: Person;
let sink: Server;
let base: string;
let got: { request: IncomingMessage; body: Buffer }[];
let answer: (request: IncomingMessage) => [status: number, headers?: Record<string, string>];
let names = 0;

beforeAll(async () => {
  sink = createServer(async (request, response) => {
    got.push({ request, body: Buffer.concat(await Array.fromAsync(request)) });
    response.writeHead(...answer(request)).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  world = await openTestApp({ env: { HUBBUB_BASE_URL: "http://127.0.0.1:1", HUBBUB_ALLOW_PRIVATE: "on" } });
  alma = await world.person("alma");
});
afterAll(async () => {
  await world.close();
  sink.close();
});
beforeEach(async () => {
  await world.hub.db.deleteFrom("delivery").execute();
  await world.hub.db.updateTable("peer").set({ scheme: "" }).execute();
  [got, answer] = [[], () => [202]];
});

async function send(sender: number, bytes = '{"type":"Note","content":"Grüße"}') {
  const to = [{ inbox: `${base}/inbox?a=b`, people: [1], shared: true }];
  await sendOut(world.hub, [{ deed: `create ${++names}`, variant: "", sender, objectId: `o${names}`, bytes, to }]);
  await world.work();
  return world.hub.db.selectFrom("delivery").selectAll().executeTakeFirstOrThrow();
}

/** Whose key has signed it, and in which way. */
async function verdict({ request, body }: (typeof got)[number], publicKey: string) {
  const { method, url, headers, rawHeaders } = request;
  const received = { method: method!, target: url!, host: headers.host!, base, rawHeaders, body };
  return verifyRequest(received, world.hub.clock(), finding(createPublicKey(publicKey), "anybody"));
}

test("is the bytes that were queued, signed by the channel, or by the site for itself", async () => {
  expect(await send(alma.channel.channel_id)).toMatchObject({ state: "done", last_status: 202, attempts: 1 });
  const [{ request, body }] = got as [(typeof got)[number]];
  expect(body.toString()).toBe('{"type":"Note","content":"Grüße"}');
  expect([request.method, request.url, request.headers["content-type"]]).toEqual([
    "POST",
    "/inbox?a=b",
    "application/activity+json",
  ]);
  expect(request.headers["user-agent"]).toMatch(/^Hubbub\/\S+ \(\+http:\/\/127\.0\.0\.1:1\)$/);
  expect(request.headers["signature"]).toContain('keyId="http://127.0.0.1:1/channel/alma#main-key"');
  expect(await verdict(got[0]!, alma.channel.channel_pubkey)).toMatchObject({ signed: true, scheme: "cavage" });
  const site = await siteActor(world.hub);
  await send(site.channel_id);
  expect(got[1]!.request.headers["signature"]).toContain('keyId="http://127.0.0.1:1/actor#main-key"');
  expect(await verdict(got[1]!, site.channel_pubkey)).toMatchObject({ signed: true });
});

test("is signed the other way where the first contact is refused, and then at once", async () => {
  answer = ({ headers }) => [headers["signature-input"] === undefined ? 401 : 202];
  expect(await send(alma.channel.channel_id)).toMatchObject({ state: "done", attempts: 1 });
  expect(await verdict(got[1]!, alma.channel.channel_pubkey)).toMatchObject({ signed: true, scheme: "rfc9421" });
  await world.hub.db.deleteFrom("delivery").execute();
  await send(alma.channel.channel_id);
  expect(got.map(({ request }) => "signature-input" in request.headers)).toEqual([false, true, true]);
});

test("is tried both ways once, if neither is taken, and as the host asks for it", async () => {
  answer = () => [403];
  expect(await send(alma.channel.channel_id)).toMatchObject({ state: "waiting", last_error: "refused" });
  expect(got).toHaveLength(2);
  world.hub.advance(4 * 3600);
  await world.work();
  expect(got).toHaveLength(3);
  await world.hub.db.deleteFrom("delivery").execute();
  await world.hub.db.updateTable("peer").set({ scheme: "cavage", scheme_since: "2030-01-01 00:00:00" }).execute();
  answer = ({ headers }) =>
    headers["signature-input"] === undefined ? [401, { "accept-signature": "sig1=()" }] : [202];
  expect(await send(alma.channel.channel_id)).toMatchObject({ state: "done" });
  expect(got).toHaveLength(5);
});

test("waits as long as the answer says, in seconds or until a date", async () => {
  for (const value of ["7200", new Date(world.hub.clock().getTime() + 7200_000).toUTCString()]) {
    answer = () => [503, { "retry-after": value }];
    const { next_at } = await send(alma.channel.channel_id);
    expect(Date.parse(`${next_at}Z`) - world.hub.clock().getTime()).toBe(7200_000);
    await world.hub.db.deleteFrom("delivery").execute();
  }
});

test("goes nowhere that is not to be asked, and does not follow", async () => {
  answer = () => [307, { location: `${base}/elsewhere` }];
  expect(await send(alma.channel.channel_id)).toMatchObject({ state: "waiting", last_status: 307 });
  expect(got).toHaveLength(1);
  await world.hub.db.deleteFrom("delivery").execute();
  const to = [{ inbox: "ftp://127.0.0.1/inbox", people: [1], shared: false }];
  const other = { deed: "ftp", variant: "", sender: alma.channel.channel_id, objectId: "ftp", bytes: "", to };
  await sendOut(world.hub, [other]);
  await world.work();
  const rows = await world.hub.db.selectFrom("delivery").select(["state", "last_error"]).execute();
  expect(rows).toEqual([{ state: "failed", last_error: "unusable" }]);
});

test("tells that a channel is removed, as long as it has its keys", async () => {
  const gone = await world.person("gone");
  await inTransaction(world.hub, (hub) => closeChannel(hub, gone.channel));
  expect(await send(gone.channel.channel_id)).toMatchObject({ state: "done" });
  expect(await verdict(got[0]!, gone.channel.channel_pubkey)).toMatchObject({ signed: true });
  await world.hub.db.deleteFrom("delivery").execute();
  expect(await send(12_345)).toMatchObject({ state: "failed", last_error: "unusable" });
});
