import { describe, expect, test } from "vitest";
import { readJson } from "./json.ts";

/** JSON that was not written to be read (federation contract 10, 13). */

const read = (text: string | Buffer) => readJson(typeof text === "string" ? Buffer.from(text) : text);
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const wide = (members: number) => `[${Array.from({ length: members }, () => "0").join(",")}]`;

test.each([
  ["nothing", ""],
  ["a text without quotes", "hello"],
  ["half an object", '{"type":"Create"'],
  ["two values", "{}{}"],
  ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
])("%s is no JSON", (_, text) => {
  expect(read(text)).toEqual({ fault: "not_json" });
});

describe("limits", () => {
  test("64 levels, and not one more", () => {
    expect(read(deep(64))).toHaveProperty("value");
    expect(read(deep(65))).toEqual({ fault: "too_deep" });
  });

  test("20,000 members, and not one more", () => {
    expect(read(wide(19_999))).toHaveProperty("value");
    expect(read(wide(20_000))).toEqual({ fault: "too_many_nodes" });
    const keys = Array.from({ length: 20_001 }, (_, at) => `"k${at}":0`);
    expect(read(`{${keys.join(",")}}`)).toEqual({ fault: "too_many_nodes" });
  });

  test("a megabyte of brackets", () => {
    expect(read(deep(2 ** 19))).toEqual({ fault: "too_deep" });
    expect(read('{"a":'.repeat(200_000))).toEqual({ fault: "not_json" });
  });
});

test("names that JavaScript knows are dropped, wherever they stand", () => {
  const { value } = read('{"__proto__":{"admin":true},"a":[{"constructor":1,"prototype":2,"b":3}]}') as { value: any };
  expect(value).toEqual({ a: [{ b: 3 }] });
  expect(value.admin).toBeUndefined();
  expect(Object.keys(value)).toEqual(["a"]);
});

test("of doubled keys the last one counts", () => {
  expect(read('{"actor":"a","actor":"b"}')).toEqual({ value: { actor: "b" } });
});

test("NUL and half surrogate pairs are replaced in texts", () => {
  expect(read(String.raw`{"content":"a\u0000b\ud800c\udc00","emoji":"\ud83d\ude00"}`)).toEqual({
    value: { content: "a\uFFFDb\uFFFDc\uFFFD", emoji: "😀" },
  });
  expect(read(String.raw`"\u0000"`)).toEqual({ value: "\uFFFD" });
});
