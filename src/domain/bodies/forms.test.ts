import { describe, expect, test } from "vitest";
import { detectLanguage } from "./language.ts";
import { eventHtml } from "./event-html.ts";
import { imagesOf } from "./media.ts";
import { plainLine } from "./names.ts";
import { personalise } from "./personalise.ts";
import { withNamedPictures, withoutPictures } from "./picture-links.ts";
import { plainText } from "./plain-text.ts";
import { renderBody } from "./render.ts";
import { simpleHtml } from "./simple-html.ts";

const site = { baseUrl: "https://hub.example", name: "Hub" };
const bbcode = (body: string): string => renderBody(body, "text/bbcode", site);

describe("personalise", () => {
  const viewer = {
    name: "Ann <b>",
    address: "ann@a.example",
    url: "https://a.example/channel/ann",
    photo: 'https://a.example/p"x',
    language: "en-gb",
    local: false,
  };

  test.each([
    ["[observer=1]in[/observer][observer=0]out[/observer]", "in", "out"],
    ["[channel=1]in[/channel][channel=0]out[/channel]", "out", "out"],
    ["[observer.language=en]a[/observer][observer.language!=en]b[/observer]", "a", "b"],
    ["[observer=1]a[channel=1]b[/channel]c[/observer]d", "acd", "d"],
    ["[observer.name]", "Ann &lt;b&gt;", ""],
    ["[observer.address] [observer.webname]", "ann@a.example ann", " "],
    ["[observer.url] [observer.baseurl]", "https://a.example/channel/ann https://a.example", " "],
    ["[observer.photo]", '<img class="avatar" src="https://a.example/p&quot;x" alt="">', ""],
    ["plain", "plain", "plain"],
  ])("%s", (body, known, anonymous) => {
    expect(personalise(bbcode(body), viewer)).toBe(known);
    expect(personalise(bbcode(body), undefined)).toBe(anonymous);
  });

  test("times are told on the clock of the viewer, as the renderer wrote them alone", () => {
    const time = (told: string, more = ""): string => `<time datetime="2026-03-01T10:00:00Z"${more}>${told}</time>`;
    const html = `<!--viewer if observer=1-->${time("2026-03-01 10:00 UTC")}<!--viewer end-->${time("soon")}${time("2026-03-01 10:00 UTC", ' class="x"')}`;
    const rest = `${time("soon")}${time("2026-03-01 10:00 UTC", ' class="x"')}`;
    expect(personalise(html, { ...viewer, zone: "Europe/Berlin" })).toBe(
      `${time("Sun, 1 Mar 2026, 11:00 CET")}${rest}`,
    );
    expect(personalise(html, viewer, { zone: "UTC" })).toBe(`${time("Sun, 1 Mar 2026, 10:00 UTC")}${rest}`);
    expect(personalise(html, viewer, { zone: "UTC", locale: "fr" })).toBe(
      `${time("dim. 1 mars 2026, 10:00 UTC")}${rest}`,
    );
    expect(personalise(html, viewer)).toBe(`${time("2026-03-01 10:00 UTC")}${rest}`);
    expect(personalise(html, undefined, { zone: "UTC" })).toBe(rest);
  });

  describe("of an event, in the words of the reader,", () => {
    const told = (start: string, finish: string, adjust = "0", locale = "en-GB"): string => {
      const html = eventHtml({ summary: "", start, finish, adjust, location: "", description: "" });
      return personalise(html, undefined, { zone: "Europe/Berlin", locale }).replaceAll(/<[^>]*>/g, "");
    };

    test.each<[string, Parameters<typeof told>, string]>([
      [
        "an evening names its day once",
        ["2026-03-01 18:00:00", "2026-03-01 20:30:00", "1"],
        "Sun, 1 Mar 2026, 19:00 CET – 21:30",
      ],
      [
        "a night names two days",
        ["2026-03-01 18:00:00", "2026-03-01 23:30:00", "1"],
        "Sun, 1 Mar 2026, 19:00 CET – Mon, 2 Mar 2026, 00:30 CET",
      ],
      [
        "what is at the same time everywhere has no zone",
        ["2026-03-01 18:00:00", "2026-03-01 20:30:00"],
        "Sun, 1 Mar 2026, 18:00 – 20:30",
      ],
      ["whole days have no time", ["2026-03-01 00:00:00", "2026-03-03 00:00:00"], "Sun, 1 Mar 2026 – Mon, 2 Mar 2026"],
      ["one whole day stands alone", ["2026-03-01 00:00:00", "2026-03-02 00:00:00", "0", "fr"], "dim. 1 mars 2026"],
      ["what is no time stays", ["in spring", "2026-03-02 10:00:00"], "in spring – Mon, 2 Mar 2026, 10:00"],
    ])("%s", (_case, times, words) => {
      expect(told(...times)).toBe(words);
    });

    test("two events one behind the other both name their day", () => {
      const time = (at: string): string => `<p><time datetime="2026-03-01T${at}:00">2026-03-01 ${at}:00</time></p>`;
      const shown = personalise(time("10:00") + time("12:00"), undefined, { zone: "UTC" });
      expect(shown.match(/Sun, 1 Mar 2026/g)).toHaveLength(2);
    });
  });

  test("photos that are no web address are left out", () => {
    expect(personalise(bbcode("[observer.photo]"), { ...viewer, photo: "javascript:1" })).toBe("");
  });

  test("bodies cannot write the marks", () => {
    const html = renderBody("<!--viewer name-->a<viewer-data what=name></viewer-data>", "text/html", site);
    expect(html).toBe("a");
  });
});

describe("plain text", () => {
  test.each([
    ["a\n\n\n\nb", "a\n\nb"],
    ["[h1]T[/h1]\ntext [b]b[/b] & <i>", "T\ntext b & <i>"],
    ["[list][*]a[*]b[/list]c", "a\nb\nc"],
    ["[quote=Ann]a[/quote]\nb", "Ann\na\nb"],
    ["[img]https://a.example/i.png[/img] [img=https://a.example/i]A[/img]", "A"],
    ["[code]\na\n  b[/code]", "a\n  b"],
    ["[table][tr][td]a[/td][td]b[/td][/tr][tr][td]c[/td][/tr][/table]", "a b\nc"],
  ])("of %s", (body, text) => expect(plainText(bbcode(body), "label")).toBe(text));

  test("links by label or by URL", () => {
    const html = bbcode(
      "[url=https://a.example/?a&b]l[/url] @[zrl=https://a.example]Ann[/zrl] #[zrl=https://a.example]t[/zrl] https://b.example",
    );
    expect(plainText(html, "label")).toBe("l @Ann #t https://b.example");
    expect(plainText(html, "url")).toBe("https://a.example/?a&b @Ann #t https://b.example");
    expect(plainText(bbcode("x [zrl=https://a.example/p][zmg]https://a.example/i[/zmg][/zrl]"), "url")).toBe("x");
  });

  test("data: images and Markdown paragraphs", () => {
    expect(plainText('<p>a</p>\n<p>b<img src="data:image/png;base64,AAAA"></p>', "url")).toBe("a\n\nb");
  });
});

test.each([
  ["", "<blockquote>a</blockquote>b", "<blockquote>a</blockquote><br>b"],
  ["", "a<blockquote>b</blockquote><br><br>c", "a<br><blockquote>b</blockquote><br>c"],
  ["A <b>", "b", "<h4>A &lt;b&gt;</h4><br>b"],
  ["", 'a<br><h2 id="x">b</h2>', 'a<br><h2 id="x">b</h2>'],
  ["T", "", "<h4>T</h4>"],
  ["", "a<hr>b<header>c</header>", "a<hr>b<header>c</header>"],
])("simple HTML of %s and %s", (title, html, simple) => expect(simpleHtml(title, html)).toBe(simple));

test("images without emoji and portraits", () => {
  const html =
    bbcode("[img=10x20]https://a.example/?a&b[/img][share author='a' avatar='https://a.example/p']x[/share]") +
    '<img class="emoji" src="https://a.example/e" alt="">';
  const image = { url: "https://a.example/?a&b", width: 10, height: 20, alt: "", blurhash: "", focus: "" };
  expect(imagesOf(html)).toEqual([image]);
});

test("one line of plain text", () => {
  expect(plainLine(" a <b>\n\tc ", 99)).toBe("a b c");
  expect(plainLine("😀😀😀", 2)).toBe("😀😀");
  expect(plainLine("abc", 2)).toBe("ab");
});

test.each([
  [
    "en",
    "The quick brown fox jumps over the lazy dog and then goes home to sleep for the night, because tomorrow will be another very long day.",
  ],
  [
    "de",
    "Der schnelle braune Fuchs springt über den faulen Hund und geht danach nach Hause, weil morgen wieder ein sehr langer Tag sein wird.",
  ],
  [
    "fr",
    "Le renard brun saute par-dessus le chien paresseux et rentre ensuite à la maison pour dormir, parce que demain sera une longue journée.",
  ],
  ["", "Too short to tell."],
  ["", "https://a.example/the/quick/brown/fox ".repeat(9)],
  ["", "asdf qwer zxcv 12324 ".repeat(9)],
])("language %s", (language, text) => expect(detectLanguage(text)).toBe(language));

describe("links around pictures", () => {
  const picture = '<img src="https://a.example/i.png" alt="">';
  const link = (inner: string, more = ""): string => `<a href="https://a.example"${more}>${inner}</a>`;

  test.each([
    [link(picture), link(picture, ' aria-label="Picture"')],
    [link(` <b>${picture}</b> `), link(` <b>${picture}</b> `, ' aria-label="Picture"')],
    [
      link(picture.replace("alt", 'title="a &amp; b" alt')),
      link(picture.replace("alt", 'title="a &amp; b" alt'), ' aria-label="a &amp; b"'),
    ],
    [link(picture, ' title="t"'), link(picture, ' title="t"')],
    [link(`${picture}words`), link(`${picture}words`)],
    [link(picture + picture.replace('alt=""', 'alt="d"')), link(picture + picture.replace('alt=""', 'alt="d"'))],
    [link(link(picture)), link(link(picture, ' aria-label="Picture"'))],
    [link("") + picture, link("") + picture],
  ])("have a name: %s", (html, named) => {
    expect(withNamedPictures(html)).toBe(named);
  });

  test("go with them, emoji and portraits stay", () => {
    const emoji = '<img class="emoji" src="https://a.example/e.png" alt=":e:">';
    expect(withoutPictures(`a${link(picture)}b${link(` ${picture} `)}c${link(`${picture}d`)}${link(emoji)}`)).toBe(
      `abc${link("d")}${link(emoji)}`,
    );
  });
});
