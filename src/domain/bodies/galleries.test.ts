import { describe, expect, test } from "vitest";
import { isWithin } from "../../../test/support/pace.ts";
import { filterHtml } from "./html-filter.ts";
import { splitAtPictures } from "./galleries.ts";

/** Pictures that stand by themselves (decision 65). */

const img = (name: string, more = ""): string => `<img src="https://a.example/${name}.png" alt="${name}"${more}>`;
const [a, b, c] = [img("a"), img("b"), img("c")];

/** Lists of pictures as the letters of their names between brackets. */
const cut = (html: string): string =>
  splitAtPictures(html)
    .map((part) => (typeof part === "string" ? part : `[${part.map(({ alt }) => alt).join("")}]`))
    .join("");

test.each([
  ["one", `Words<br><br>${a}`, "Words[a]"],
  ["several, with breaks", `Words<br>${a}<br>\n<br>${b}<br>More`, "Words[ab]More"],
  ["links that hold one", `Words<br><a href="https://b.example/">${a}</a><br><a href="/x"> ${b} </a>`, "Words[ab]"],
  ["in paragraphs", `<p>Words</p><p>${a}</p><p>${b}<br>${c}</p><p>End</p>`, "<p>Words</p>[abc]<p>End</p>"],
  ["before a paragraph with words", `<p>${a}</p><p>${b} words</p>`, `[a]<p>${b} words</p>`],
  ["in a line with words", `Words ${a}`, `Words ${a}`],
  ["before words in a line", `${a} words`, `${a} words`],
  ["in a list", `<ul><li>${a}</li></ul>`, `<ul><li>${a}</li></ul>`],
  ["with a style", img("a", ' style="float:left"'), img("a", ' style="float:left"')],
  ["a small one", img("a", ' width="88" height="31"'), img("a", ' width="88" height="31"')],
  ["an emoji", `<img class="emoji" src="x" alt="a">`, `<img class="emoji" src="x" alt="a">`],
  ["in a quotation of a post", quoted(`Hi<br>${a}<br>${b}`), quoted("Hi[ab]")],
  ["in a quotation of words", `<blockquote>${a}</blockquote>`, `<blockquote>${a}</blockquote>`],
  ["none", "<p>Words</p>", "<p>Words</p>"],
])("%s", (_, html, parts) => expect(cut(html)).toBe(parts));

function quoted(words: string): string {
  return `<article class="shared"><header>Ann</header><div class="shared-body">${words}</div></article>`;
}

test("a picture comes with where it leads, its size and its looks", () => {
  const picture = img(
    "a",
    ' title="T" width="640" height="480" data-blurhash="LNJRdVM{00Rj%Mayt7j[4nWBofRj" data-focus="0.10,-0.2"',
  );
  expect(splitAtPictures(filterHtml(`<a href="https://b.example/?a=1&amp;b=2">${picture}</a>`, ""))).toEqual([
    [
      {
        url: "https://a.example/a.png",
        alt: "a",
        title: "T",
        link: "https://b.example/?a=1&b=2",
        width: 640,
        height: 480,
        blurhash: "LNJRdVM{00Rj%Mayt7j[4nWBofRj",
        focus: "0.10,-0.2",
      },
    ],
  ]);
});

test.each([
  'data-blurhash="x&quot; onload=&quot;"',
  'data-blurhash="abc"',
  'data-focus="9,9,9"',
  'data-focus="url(x)"',
])("%s is no look of a picture", (said) =>
  expect(filterHtml(`<img src="https://a.example/a.png" ${said}>`, "")).not.toContain("data-"),
);

describe("many of them take linear time", () => {
  test.each([
    ["pictures and words in turn", `${a}<br>words<br>`],
    ["pictures in a row", a],
    ["breaks", "<br>"],
    ["empty paragraphs", "<p> </p>"],
    ["pictures that end in words", `${a}<br>`],
  ])("%s", (_, piece) => {
    const before = process.cpuUsage();
    splitAtPictures(`${a}${piece.repeat(20_000)}words`);
    const { user, system } = process.cpuUsage(before);
    const cost = (user + system) / 1000;
    expect([cost, isWithin(2000, cost)]).toEqual([cost, true]);
  });
});
