import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { htmlTokens, attributeOf } from "../bodies/html-tokens.ts";
import { proxied, proxiedBy } from "./addresses.ts";
import { withProxiedMedia } from "./media-in-html.ts";

let hub: TestHub;

beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

const partsOf = (address: string): [string, string] => address.split("/").slice(-2) as [string, string];

test("an address of another site becomes one of ours that says whose, and what may be kept", () => {
  const url = "https://far.example/a%20b/ü.jpg?size=1&x=%22";
  const ours = proxied(hub, url);
  expect(ours).toMatch(/^http:\/\/hub\.example\/proxy\/[\w-]{43}\/[\w-]+$/);
  expect(proxiedBy(hub, ...partsOf(ours))).toEqual({ url, keeping: "cache" });
  expect(proxiedBy(hub, ...partsOf(proxied(hub, url, "proxy")))).toEqual({ url, keeping: "proxy" });
});

test("an address may say which bytes are meant", () => {
  const digest = "0".repeat(64);
  const ours = proxied(hub, "https://far.example/a.jpg", "private", digest);
  expect(proxiedBy(hub, ...partsOf(ours))).toEqual({ url: "https://far.example/a.jpg", keeping: "private", digest });
  const [signature] = partsOf(proxied(hub, "https://far.example/a.jpg"));
  expect(proxiedBy(hub, signature, partsOf(ours)[1])).toBeUndefined();
});

test("nobody else can make one", () => {
  const [signature, encoded] = partsOf(proxied(hub, "https://far.example/a.jpg"));
  expect(proxiedBy(hub, signature, Buffer.from("https://far.example/b.jpg").toString("base64url"))).toBeUndefined();
  expect(proxiedBy(hub, "", encoded)).toBeUndefined();
  expect(proxiedBy({ ...hub, mediaKey: "another" }, signature, encoded)).toBeUndefined();
});

test.each(["http://hub.example/photo/1", "/photo/1", "data:image/png;base64,AAAA", "ftp://far.example/a.jpg", ""])(
  "%s stays as it is",
  (url) => expect(proxied(hub, url)).toBe(url),
);

test("in HTML, whatever a browser would fetch by itself goes through us; the rest stays to the letter", () => {
  const html = `<p>1 &gt; 0 <a href="https://far.example/">a</a><!--viewer if observer=1-->
    <img src="https://far.example/a.jpg?x=1&amp;y=2" alt="src=&quot;"><!--viewer end-->
    <img class="avatar" src="http://hub.example/photo/1" alt="">
    <video controls poster="https://far.example/p.jpg" src="https://far.example/v.mp4"></video>
    <audio><source src="http://far.example/s.ogg" type="audio/ogg"></audio></p>`;
  const shown = withProxiedMedia(hub, html);
  const sources = htmlTokens(shown).flatMap((token) =>
    token.kind === "open" ? ["src", "poster"].map((name) => attributeOf(token.attributes, name)) : [],
  );
  const foreign = ["a.jpg?x=1&y=2", "v.mp4", "p.jpg"].map((name) => proxied(hub, `https://far.example/${name}`));
  expect(sources.filter((url) => url !== "")).toEqual([
    foreign[0],
    "http://hub.example/photo/1",
    foreign[1],
    foreign[2],
    proxied(hub, "http://far.example/s.ogg"),
  ]);
  expect(shown.replaceAll(/ (?:src|poster)="[^"]*"/g, "")).toBe(html.replaceAll(/ (?:src|poster)="[^"]*"/g, ""));
  expect(withProxiedMedia(hub, shown, () => ({ keeping: "proxy" }))).toBe(shown);
  expect(withProxiedMedia(hub, "<p>no media</p>")).toBe("<p>no media</p>");
});
