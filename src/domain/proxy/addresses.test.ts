import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { htmlTokens, attributeOf } from "../bodies/html-tokens.ts";
import { proxied, proxiedBy, sourceOf } from "./addresses.ts";
import { withProxiedMedia } from "./media-in-html.ts";

let hub: TestHub;

beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

const partsOf = (path: string): { signature: string; address: string } => {
  const [signature = "", address = ""] = path.split("/").slice(-2);
  return { signature, address };
};

test("an address of another site becomes one of ours that says whose, and what may be kept", () => {
  const url = "https://far.example/a%20b/ü.jpg?size=1&x=%22";
  const ours = proxied(hub, url);
  expect(ours).toMatch(/^http:\/\/hub\.example\/proxy\/[\w-]{43}\/[\w-]+$/);
  expect(proxiedBy(hub, partsOf(ours))).toEqual({ url, keeping: "cache" });
  expect(proxiedBy(hub, partsOf(proxied(hub, url, { keeping: "proxy" })))).toEqual({ url, keeping: "proxy" });
});

test("an address may say which bytes are meant", () => {
  const digest = "0".repeat(64);
  const ours = proxied(hub, "https://far.example/a.jpg", { keeping: "private", digest });
  expect(proxiedBy(hub, partsOf(ours))).toEqual({ url: "https://far.example/a.jpg", keeping: "private", digest });
  const { signature } = partsOf(proxied(hub, "https://far.example/a.jpg"));
  expect(proxiedBy(hub, { ...partsOf(ours), signature })).toBeUndefined();
});

test("an address may say in which text for some it is shown, and is no other without", () => {
  const [url, shownIn] = ["https://far.example/a.jpg", "https://far.example/notes/1"];
  const ours = proxied(hub, url, { keeping: "private", shownIn });
  const item = Buffer.from(shownIn).toString("base64url");
  expect(new URL(ours).pathname).toMatch(new RegExp(`^/proxy/item/${item}/[\\w-]{43}/[\\w-]+$`));
  expect(sourceOf(hub, ours)).toEqual({ url, keeping: "private", shownIn });
  expect(proxiedBy(hub, partsOf(ours))).toBeUndefined();
  const other = Buffer.from("https://far.example/notes/2").toString("base64url");
  expect(proxiedBy(hub, { ...partsOf(ours), item: other })).toBeUndefined();
  expect(proxiedBy(hub, { ...partsOf(proxied(hub, url)), item })).toBeUndefined();
});

test("nobody else can make one", () => {
  const parts = partsOf(proxied(hub, "https://far.example/a.jpg"));
  const address = Buffer.from("https://far.example/b.jpg").toString("base64url");
  expect(proxiedBy(hub, { ...parts, address })).toBeUndefined();
  expect(proxiedBy(hub, { ...parts, signature: "" })).toBeUndefined();
  expect(proxiedBy({ ...hub, mediaKey: "another" }, parts)).toBeUndefined();
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
