import { afterAll, beforeAll, expect, test } from "vitest";
import sharp from "sharp";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { changeSite } from "../../domain/identity/site/site-settings.ts";

/** What makes an app of the hub: manifest, icons, service worker, the page without a network, and what other apps share. */

let world: TestApp;
let ann: Visitor;

beforeAll(async () => {
  world = await openTestApp();
  await world.person("ann");
  await changeSite(world.hub, { name: "Our <Garden> hub" });
  ann = visitorOf(world.app);
  await ann.logIn("ann", password);
});
afterAll(() => world.close());

type Manifest = {
  name: string;
  start_url: string;
  scope: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  share_target: { action: string; method: string; params: Record<string, string> };
};

test("each page names the manifest, whose icons are what it says", async () => {
  const { text, headers } = await ann.get("/network");
  expect(text).toContain('<link rel="manifest" href="/manifest.webmanifest"');
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain("manifest-src 'self'");
  expect(policy).toMatch(/worker-src https?:\/\/hub\.example\/service-worker\.js(;|$)/);
  const manifest = JSON.parse((await visitorOf(world.app).get("/manifest.webmanifest")).text) as Manifest;
  expect(manifest).toMatchObject({ name: "Our <Garden> hub", start_url: "/network", scope: "/" });
  const touch = /rel="apple-touch-icon" href="([^"]+)"/.exec(text)![1]!;
  const drawn = manifest.icons.filter(({ type }) => type === "image/png");
  for (const { src, sizes } of [...drawn, { src: touch, sizes: "180x180" }]) {
    const answer = await world.app.request(`http://hub.example${src}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
  expect(drawn.map(({ purpose }) => purpose)).toContain("maskable");
});

test("the service worker may work for all pages", async () => {
  const { headers, text } = await ann.get("/service-worker.js");
  expect(headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'");
  expect(text).toContain('addEventListener("fetch"');
  expect((await world.app.request("http://hub.example/service-worker.js", { method: "POST" })).status).not.toBe(200);
});

test("what is kept for the time without a network is nobody's", async () => {
  const { status, text } = await visitorOf(world.app).get("/offline");
  expect([status, text.includes("The hub cannot be reached")]).toEqual([200, true]);
  expect(text).not.toMatch(/form_security_token|class="member"/);
});

test("what another app shares stands in the form for a post", async () => {
  const query = new URLSearchParams({
    title: "A <b>walk</b>",
    text: "Through the dunes",
    url: "https://far.example/x",
  });
  const { text } = await ann.get(`/network?${query.toString()}`);
  expect(text).toMatch(
    /name="body"[^>]*>\s*A &lt;b&gt;walk&lt;\/b&gt;\nThrough the dunes\nhttps:\/\/far\.example\/x<\/textarea>/,
  );
  const there = await visitorOf(world.app).get(`/network?${query.toString()}`);
  expect(there.location).toContain(encodeURIComponent("text=Through"));
});
