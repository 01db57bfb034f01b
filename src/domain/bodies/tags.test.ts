import { describe, expect, test } from "vitest";
import { findTags, rewriteTags, splitCategories } from "./tags.ts";
import type { FoundMention } from "./tags.ts";

const baseUrl = "https://hub.example";

/** Writes a mention in short: form, name, and what else is set. */
function short(mention: FoundMention): string {
  const flags = [mention.forum ? "forum" : "", mention.private ? "private" : "", mention.connectionId ?? ""];
  return [mention.form, mention.name, ...flags].filter((part) => part !== "").join(" ");
}

const mentions = (body: string, mimetype = "text/bbcode"): string[] => findTags(body, mimetype).mentions.map(short);
const hashtags = (body: string, mimetype = "text/bbcode"): string[] =>
  findTags(body, mimetype).hashtags.map(({ tag }) => tag);

test.each([
  ["@{ann@hub.example}", ["address ann@hub.example"]],
  ["@{https://hub.example/channel/ann}", ["address https://hub.example/channel/ann"]],
  ['@"Ann Example"', ["fullname Ann Example"]],
  ["@ann", ["name ann"]],
  ["@Ann_Example.", ["name Ann_Example"]],
  ["(@ann), @bob: @käthe!", ["name ann", "name bob", "name käthe"]],
  [
    "@ann@host.example:8080: @bob@host.example: @cleo:80",
    ["name ann@host.example:8080", "name bob@host.example", "name cleo"],
  ],
  ["@ann@hub.example.", ["name ann@hub.example"]],
  ["@ann.@!bob and @cleo.@", ["name ann", "name bob private", "name cleo"]],
  ["@ann+123", ["connection ann 123"]],
  ["@ann+", ["name ann forum"]],
  ["!ann", ["name ann forum"]],
  ["@!ann", ["name ann private"]],
  ['@!"Close Friends"', ["fullname Close Friends private"]],
  ["@!{ann@hub.example}", ["address ann@hub.example private"]],
  ["[b]@ann[/b] [color=red]@bob[/color]", ["name ann", "name bob"]],
  ["[observer=1]@ann[/observer]", ["name ann"]],
  ["a@ann 1@ann =@ann /@ann ?@ann", []],
  ["Hello!World wow!!! !", []],
  ["[code]@ann[/code] [nobb]@ann[/nobb] [noparse]@ann[/noparse] [pre]@ann[/pre]", []],
  ["https://a.example/@ann [url=https://a.example/@x]@ann[/url] [url]https://@ann[/url]", []],
  ["[quote]@ann[/quote] [quote=@bob]x[/quote] [share author='a']@ann[/share]", []],
  ["[img=@ann]@ann[/img] [color=@ann]x[/color]", []],
  ["[code]@ann", ["name ann"]],
  ["@[zrl=https://a.example/ann]Ann[/zrl]", ["address https://a.example/ann"]],
  ["@![zrl=https://a.example/ann]Ann[/zrl]", ["address https://a.example/ann private"]],
  [
    "@[zrl=https://a.example/f]F+[/zrl] ![zrl=https://a.example/f]F[/zrl]",
    Array(2).fill("address https://a.example/f forum"),
  ],
  ["[quote]@[zrl=https://a.example/ann]Ann[/zrl][/quote]", []],
])("mentions in %s", (body, found) => {
  expect(mentions(body)).toEqual(found);
  expect(mentions(body, "text/html")).toEqual([]);
});

test.each([
  ["#tag #Tag_2 #a-b #käse #日本", ["tag", "Tag_2", "a-b", "käse", "日本"]],
  ['#"two words"', ["two words"]],
  ["#a. #b, #c; #d: #e? (#f) #g!", ["a", "b", "c", "d", "e", "f", "g"]],
  ["#c++ #a/b #it's", ["c++", "a/b", "it's"]],
  ['#1 #2020 #"2020" ## ##x #^ #', []],
  ["#1a", ["1a"]],
  ["a#b /#b ?#b =#b &#39;", []],
  ["https://a.example/#b [color=#fff]x[/color] [url=#x]#y[/url]", []],
  ["[code]#a[/code] [quote]#a[/quote] [nobb]#a[/nobb]", []],
  ["#[zrl=https://hub.example/search?tag=x%20y]x y[/zrl]", ["x y"]],
  ["[b]#a[/b]", ["a"]],
])("hashtags in %s", (body, found) => expect(hashtags(body)).toEqual(found));

test("bookmarks", () => {
  const found = findTags(
    "#^[url=https://a.example]A[/url] #^[zrl]https://b.example[/zrl] [url=https://c.example]C[/url]",
    "text/bbcode",
  );
  expect(found.bookmarks).toEqual([
    { url: "https://a.example", title: "A" },
    { url: "https://b.example", title: "https://b.example" },
  ]);
});

describe("Markdown, multicode and plain text", () => {
  const code = "```\n@a #a\n```\n\n    @b #b\n\n`@c #c` ``@d ` #d``\n\n@e #e [x](/@f#f) <a title='@g'>\n";

  test("code protects its content", () => {
    expect(mentions(code, "text/markdown")).toEqual(["name e"]);
    expect(hashtags(code, "text/markdown")).toEqual(["e"]);
    expect(mentions(code, "text/x-multicode")).toEqual(["name e"]);
    expect(mentions("`[b]@a[/b]` [code]`[/code] @b `@[zrl=u]x[/zrl]`", "text/x-multicode")).toEqual(["name b"]);
  });

  test("plain text has no code", () => {
    expect(mentions("[code]@a[/code] `@b` https://a.example/@c", "text/plain")).toEqual(["name a", "name b"]);
  });
});

describe("rewriting", () => {
  const people: Record<string, string> = { ann: "Ann Example", bob: "B [/zrl]", fans: "Fans" };
  const rewrite = (body: string, mimetype = "text/bbcode"): string => {
    const resolved = ({ name }: FoundMention): { url: string; name: string } | undefined =>
      people[name] === undefined ? undefined : { url: `https://a.example/${name}`, name: people[name] };
    return rewriteTags(body, mimetype, findTags(body, mimetype), resolved, baseUrl);
  };

  test.each([
    ["Hi @ann.", "Hi @[zrl=https://a.example/ann]Ann Example[/zrl]."],
    ["@!ann", "@![zrl=https://a.example/ann]Ann Example[/zrl]"],
    ["@bob", "@[zrl=https://a.example/bob]B (/zrl)[/zrl]"],
    ["!fans", "![zrl=https://a.example/fans]Fans[/zrl]"],
    ["@fans+", "@[zrl=https://a.example/fans]Fans+[/zrl]"],
    ["@nobody [code]@ann[/code]", "@nobody [code]@ann[/code]"],
    ["#tag, ok", "#[zrl=https://hub.example/search?tag=tag]tag[/zrl], ok"],
    ['#"two words"', "#[zrl=https://hub.example/search?tag=two%20words]two words[/zrl]"],
    ["#ä", "#[zrl=https://hub.example/search?tag=%C3%A4]ä[/zrl]"],
  ])("%s", (body, rewritten) => {
    expect(rewrite(body)).toBe(rewritten);
    expect(rewrite(body, "text/x-multicode")).toBe(rewritten);
    expect(rewrite(rewritten)).toBe(rewritten);
    expect(rewrite(body, "text/markdown")).toBe(body);
    expect(rewrite(body, "text/plain")).toBe(body);
  });
});

test("categories", () => {
  expect(splitCategories(" a, b c,,a , ")).toEqual(["a", "b c"]);
  expect(splitCategories("")).toEqual([]);
});
