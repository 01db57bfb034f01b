import { describe, expect, test } from "vitest";
import { comparableId, isForeignId, isSameId, isSameOrigin } from "./foreign-ids.ts";

/** Ids from elsewhere (federation contract 1.4). */

test.each([
  "https://a.example/users/ann",
  "https://a.example/?author=1",
  "http://localhost:8080/channel/bob",
  "https://a.example/@ann#main-key",
  "https://münchen.example/users/ü",
  "HTTPS://A.EXAMPLE/x",
])("%s is an id", (id) => {
  expect(isForeignId(id)).toBe(true);
});

test.each([
  ["a space", "https://a.example/a b"],
  ["a line", "https://a.example/a\nb"],
  ["NUL", "https://a.example/\0"],
  ["what stood for NUL", "https://a.example/\uFFFD"],
  ["half a surrogate pair", "https://a.example/\ud800"],
  ["a control character", "https://a.example/\u009b"],
  ["an angle bracket", "https://a.example/<x>"],
  ["a square bracket", "https://a.example/[x]"],
  ["another scheme", "tag:a.example,2026:1"],
  ["code", "javascript:alert(1)"],
  ["no scheme", "//a.example/x"],
  ["no host", "https:///x y"],
  ["nothing", ""],
  ["2,049 bytes", `https://a.example/${"x".repeat(2031)}`],
  ["few characters of many bytes", `https://a.example/${"ü".repeat(1016)}`],
])("no id has %s", (_, text) => {
  expect(isForeignId(text)).toBe(false);
});

test("2,048 bytes are enough", () => {
  expect(isForeignId(`https://a.example/${"x".repeat(2030)}`)).toBe(true);
});

describe("ids are one", () => {
  test.each([
    ["https://A.Example/users/ann", "https://a.example/users/ann"],
    ["HTTPS://a.example/x", "https://a.example/x"],
    ["https://a.example:443/x", "https://a.example/x"],
    ["http://a.example:80/x", "http://a.example/x"],
    ["https://münchen.example/x", "https://xn--mnchen-3ya.example/x"],
    ["https://a.example", "https://a.example/"],
    ["https://a.example?x", "https://a.example/?x"],
  ])("%s and %s", (one, other) => {
    expect(isSameId(one, other)).toBe(true);
    expect(comparableId(one)).toBe(comparableId(other));
  });

  test.each([
    ["https://a.example/users/Ann", "https://a.example/users/ann"],
    ["https://a.example/x", "https://a.example/x/"],
    ["https://a.example/x?a=1", "https://a.example/x?a=2"],
    ["https://a.example/x", "http://a.example/x"],
    ["https://a.example/x", "https://a.example:8443/x"],
    ["https://a.example/%61", "https://a.example/a"],
    ["https://a.example/x#key", "https://a.example/x"],
    ["https://a.example/a/../x", "https://a.example/x"],
  ])("%s and %s are two", (one, other) => {
    expect(isSameId(one, other)).toBe(false);
  });
});

test("origins", () => {
  expect(isSameOrigin("https://a.example/x", "https://A.example/y")).toBe(true);
  expect(isSameOrigin("https://a.example/x", "http://a.example/x")).toBe(false);
  expect(isSameOrigin("https://a.example/x", "https://a.example:8443/x")).toBe(false);
  expect(isSameOrigin("https://a.example/x", "https://b.a.example/x")).toBe(false);
  expect(isSameOrigin("nonsense", "nonsense")).toBe(false);
  expect(isSameOrigin("https://a.example:443/x", "https://a.example/y")).toBe(true);
});
