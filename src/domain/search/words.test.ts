import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDay, tokensOfDays } from "./date-range.ts";
import { dateToken, tagToken, tokensOf } from "./tokens.ts";
import { fold, soughtWords, wordsIn } from "./words.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

describe("words", () => {
  test.each([
    ["Hello, World!", ["hello", "world"]],
    ["Straße STRASSE", ["strasse", "strasse"]],
    ["Crème brûlée", ["creme", "brulee"]],
    ["ΟΔΥΣΣΕΥΣ Οδυσσεύς", ["οδυσσευσ", "οδυσσευσ"]],
    ["ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]],
    ["don't self-host foo_bar", ["don", "t", "self", "host", "foo", "bar"]],
    ["Ёлка и йод", ["елка", "и", "иод"]],
    ["हिन्दी", ["हिन्दी"]],
    ["שָׁלוֹם", ["שלום"]],
    ["東京都2020年", ["東京", "京都", "都", "2020", "年"]],
    ["한국어 글", ["한국어", "글"]],
    ["yes 👍🏽!", ["yes", "👍"]],
    ["", []],
    ["?!… --- '\"\\", []],
  ])("%s", (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  test("are cut where they are too long, and no more of them than wanted are made", () => {
    expect(wordsIn("x".repeat(100))).toEqual(["x".repeat(40)]);
    expect(wordsIn("a b c d", 2)).toEqual(["a", "b"]);
  });

  test("hold letters, digits and marks only, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        for (const word of wordsIn(text)) expect(word).toMatch(/^(?:[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic})$/u);
      }),
    );
  });

  test("are the same for a text and its folded form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(wordsIn(fold(text))).toEqual(wordsIn(text));
      }),
    );
  });

  test("of a part without spaces stand in the whole next to one another", () => {
    const sign = fc.constantFrom(..."東京都大阪府ひらがなไทย");
    fc.assert(
      fc.property(fc.array(sign), fc.array(sign, { minLength: 1 }), fc.array(sign), (before, part, after) => {
        const { words, isOpen } = soughtWords(part.join(""));
        const whole = wordsIn([...before, ...part, ...after].join(""));
        const stands = (at: number): boolean =>
          words.every((word, place) =>
            isOpen && place === words.length - 1 ? whole[at + place]?.startsWith(word) : whole[at + place] === word,
          );
        expect(whole.some((_, at) => stands(at))).toBe(true);
      }),
    );
  });
});

describe("tokens", () => {
  test("of tags are different for different tags, and end nowhere too early", () => {
    const tags = ["c", "c++", "c#", "two words", "x2b", "naïve", "naive", "o'neil", "a:b"];
    expect(new Set(tags.map(tagToken)).size).toBe(tags.length);
    for (const tag of tags) expect(tagToken(tag)).toMatch(/^[\p{L}\p{N}\p{M}\p{Co}]+$/u);
  });

  test("of a message: title, what is known of it, text", () => {
    const message = {
      author_id: 7,
      created: "2026-03-01 12:00:00",
      summary: "",
      title: "On bread",
      plain: "Rye #Bread",
      isTop: true,
    };
    expect(tokensOf(message, ["bread"])).toBe("won wbread e p a7 d202 d2026 d202603 d20260301 tbread wrye wbread");
  });

  test("of a message that is too long end after some", () => {
    const message = {
      author_id: 7,
      created: "2026-03-01 12:00:00",
      summary: "",
      title: "",
      plain: "a ".repeat(10_000),
      isTop: false,
    };
    expect(
      tokensOf(message, [])
        .split(" ")
        .filter((token) => token === "wa"),
    ).toHaveLength(2000);
  });
});

describe("days", () => {
  test.each(["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "yesterday", "", "2026-01-01x"])(
    "%s is none",
    (text) => expect(readDay(text)).toBeUndefined(),
  );

  test("a span has exactly one token of each day in it, and few tokens", () => {
    const day = fc
      .integer({ min: 0, max: 47_000 })
      .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, day, day, (one, other, asked) => {
        const [since, until] = [one, other].toSorted() as [string, string];
        const tokens = tokensOfDays(since, until);
        expect(tokens.length).toBeLessThan(120);
        const of = [3, 4, 7, 10].map((length) => dateToken(asked.slice(0, length)));
        const inside = asked >= since && asked <= until && asked <= "2099-12-31";
        expect(of.filter((token) => tokens.includes(token))).toHaveLength(inside ? 1 : 0);
      }),
    );
    expect(tokensOfDays("2026-02-03", "2025-01-01")).toEqual([]);
  });
});
