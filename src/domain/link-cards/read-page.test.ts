import { describe, expect, test } from "vitest";
import { linkedPage } from "../bodies/linked-page.ts";
import { pageText } from "./page-text.ts";
import { oneLine, webAddress } from "./one-line.ts";
import { readPage } from "./read-page.ts";
import { filmWordsAt, playerOf } from "./video-sites.ts";

const at = "https://news.example/2026/mill.html";
const head = (inside: string): string => `<!doctype html><html lang="de-CH"><head>${inside}</head><body>`;

test("a page says what it is called in the words that count most", async () => {
  const page = head(`<title>Plain</title>
    <meta name="description" content="Less">
    <meta property="og:title" content=" The  mill &amp; the&#32;river ">
    <meta property="og:description" content="More">
    <meta property="og:site_name" content="News">
    <meta name="author" content="Ann">
    <meta property="og:image" content="/mill.jpg?a=1&amp;b=2">
    <meta property="og:image:alt" content="A mill">`);
  expect(await readPage(page, at)).toEqual({
    title: "The mill & the river",
    description: "More",
    site: "News",
    author: "Ann",
    language: "de-CH",
    picture: "https://news.example/mill.jpg?a=1&b=2",
    pictureText: "A mill",
  });
  const plain = await readPage(head("<TITLE>Plain\n words</TITLE><meta name=description content='Less'>"), at);
  expect([plain.title, plain.description, plain.picture]).toEqual(["Plain words", "Less", ""]);
});

test("nothing in the text of a page counts", async () => {
  const page = `${head("")}<svg><title>Not me</title></svg><meta property="og:title" content="Nor me">`;
  expect((await readPage(page, at)).title).toBe("");
});

describe("hostile pages", () => {
  test.each([
    ["a script as title", "<title><script>alert(1)</script></title>", "<script>alert(1)</script>"],
    ["a title without end", `<title>${"a".repeat(900_000)}`, ""],
    ["a long title", `<title>${"a ".repeat(500)}</title>`, `${"a ".repeat(149)}a…`],
    ["a title that turns around", "<title>good\u202e\u0000lave\u2066</title>", "good lave"],
    ["half a character", `<meta property="og:title" content="&#xD800;x">`, "\ufffdx"],
    ["a tag without end", `<title>ok</title><meta ${'x="y" '.repeat(100_000)}`, "ok"],
    ["many tags", `<title>ok</title>${"<meta name=description content=x>".repeat(20_000)}`, "ok"],
    ["depth", `${"<div>".repeat(100_000)}<title>too late</title>`, ""],
    ["a little depth", `${"<div>".repeat(50)}<title>ok</title>`, "ok"],
  ])("%s", async (_, inside, title) => {
    const before = process.cpuUsage();
    expect((await readPage(head(inside), at)).title).toBe(title);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  test.each([
    ["javascript:alert(1)", ""],
    ["data:image/png;base64,AA", ""],
    ["//cdn.example/a.png", "https://cdn.example/a.png"],
    ["http://[", ""],
    [`/${"a".repeat(3000)}`, ""],
  ])("the picture %s", (address, whole) => expect(webAddress(address, at)).toBe(whole));

  test("others get a turn while a long page is read", async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await readPage(head(`<!-- ${"a".repeat(1_000_000)} -->`), at);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });
});

test("texts are cut between characters", () => expect(oneLine("🐝🐝🐝🐝", 3)).toBe("🐝🐝…"));

describe("charsets", () => {
  const latin = (text: string): Buffer => Buffer.from(text, "latin1");
  test.each([
    ["the header", latin("\xe4"), "text/html; charset=iso-8859-1", "ä"],
    ["the page", latin(`<meta charset="windows-1251">\xc4`), "text/html", `<meta charset="windows-1251">Д`],
    ["the older form", latin(`<meta content="a; charset=koi8-r">\xc4`), "", `<meta content="a; charset=koi8-r">д`],
    ["a mark", Buffer.from("\ufeffä"), "text/html; charset=iso-8859-1", "ä"],
    ["UTF-16 by its mark", Buffer.from("\ufeffä", "utf16le"), "", "ä"],
    ["nobody, UTF-8", Buffer.from("ä"), "text/html", "ä"],
    ["nobody, cut in two", Buffer.from("aä").subarray(0, 2), "text/html", "a"],
    ["nobody, none", latin("\xe4b"), "text/html", "äb"],
    ["an unknown name", Buffer.from("ä"), "text/html; charset=klingon", "ä"],
    ["a lie", latin("\xff\xe4"), "text/html; charset=utf-8", "\ufffd\ufffd"],
    ["an impossible one", Buffer.from(`<meta charset="utf-16">ä`), "", `<meta charset="utf-16">ä`],
  ])("%s says it", (_, bytes, type, text) => expect(pageText(bytes, type)).toBe(text));
});

describe("what a text is about", () => {
  const hub = "https://hub.example";
  const far = "https://far.example/a";
  test.each([
    ["a link", `See <a href="${far}?x=1&amp;y=2">this</a>`, `${far}?x=1&y=2`],
    ["the first of several", `<a href="${far}">one</a> <a href="https://b.example/">two</a>`, far],
    ["no mention", `<a class="u-url mention" href="https://m.example/@ann">@ann</a> <a href="${far}">x</a>`, far],
    ["no hashtag", `#<a href="https://m.example/tags/a">a</a> <a href="${far}">x</a>`, far],
    ["none of this hub", `<a href="${hub}/channel/bob">Bob</a>`, undefined],
    ["no head of a quotation", `<header><a href="https://m.example/@ann">Ann</a></header><a href="${far}">x</a>`, far],
    ["none beside pictures", `<a href="${far}">x</a><img src="${far}.png" alt="">`, undefined],
    ["one beside a smiley", `<a href="${far}">x</a><img class="emoji" src="${far}.png" alt=":x:">`, far],
    ["no address of another kind", '<a href="mailto:a@b.example">x</a>', undefined],
    ["no long one", `<a href="${far}${"a".repeat(2048)}">x</a>`, undefined],
    ["no link at all", "words", undefined],
  ])("%s", (_, html, url) => expect(linkedPage(html, hub)).toBe(url));
});

test.each([
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
  ["https://youtu.be/dQw4w9WgXcQ?si=x", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
  ["https://m.youtube.com/shorts/dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
  ["https://vimeo.com/123456789", "https://player.vimeo.com/video/123456789"],
  ["https://www.dailymotion.com/video/x8abcde", "https://geo.dailymotion.com/player.html"],
  ["https://www.youtube.com/@somebody", undefined],
  ["https://evil.example/https://youtu.be/dQw4w9WgXcQ", undefined],
  ["https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ", undefined],
])("the film at %s is played at %s", (url, player) => {
  expect(playerOf(url)?.split("?")[0]).toBe(player);
  expect(filmWordsAt(url) === undefined).toBe(player === undefined);
});
