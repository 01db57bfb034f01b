import { expect, test } from "vitest";
import { accessList, bound, count, flag, narrowing, pageNumber, requiredId } from "./parameters.ts";

test.each(["true", "1", "t", "yes", "on", "TRUE", "anything"])("%j is yes", (text) => {
  expect(flag("Of a test.").parse([text])).toBe(true);
});

test.each(["", "false", "0", "f", "no", "off", "FALSE", " No "])("%j is no (trap 33)", (text) => {
  expect(flag("Of a test.").parse([text])).toBe(false);
});

test("absent is no, and the last of several values counts", () => {
  expect([flag("Of a test.").parse(undefined), flag("Of a test.").parse(["true", "false"])]).toEqual([false, false]);
});

test("numbers of pages and records", () => {
  const read = (text: string): number[] => [
    count().parse([text]),
    pageNumber().parse([text]),
    bound("Of a test.").parse([text]),
  ];
  expect(read("7")).toEqual([7, 7, 7]);
  expect(read("999")).toEqual([200, 999, 999]);
  expect(read("-5")).toEqual([20, 1, 0]);
  expect(read("many")).toEqual([20, 1, 0]);
  expect(read("1.5")).toEqual([20, 1, 0]);
  expect(read("9".repeat(30))).toEqual([200, 1_000_000_000, Number.MAX_SAFE_INTEGER]);
});

test("ids", () => {
  expect(["5", "", "0", "x", "-1", "9".repeat(30)].map((text) => narrowing("Of a test.").parse([text]))).toEqual([
    5,
    undefined,
    -1,
    -1,
    -1,
    Number.MAX_SAFE_INTEGER,
  ]);
  expect(requiredId("Of a test.").parse(["5"])).toBe(5);
  for (const values of [undefined, [""], ["0"], ["x"], ["-1"], [{}]])
    expect(requiredId("Of a test.").safeParse(values).success).toBe(false);
});

test.each([
  [undefined, undefined],
  [[""], []],
  [
    ["a", "b"],
    ["a", "b"],
  ],
  [["a,b"], ["a", "b"]],
  [["<a><b>"], ["a", "b"]],
  [["<a>, <b>"], ["a", "b"]],
  [["<12>"], ["12"]],
  [
    [12, 13],
    ["12", "13"],
  ],
  [["<>"], ["<>"]],
  [[","], [","]],
  [["<a"], ["<a"]],
  [["<a><>"], ["<a><>"]],
  [[{ a: 1 }], ["?"]],
])("the access list %j is %j", (values, entries) => {
  expect(accessList("Of a test.").parse(values)).toEqual(entries);
});
