import { describe, expect, test } from "vitest";
import { HubError } from "../errors.ts";
import { entriesOf, nestedPairs, within } from "./nested.ts";
import { merge, readJson, readPairs } from "./parameters.ts";

function pairs(text: string): Record<string, unknown> {
  return Object.fromEntries(readPairs(text, "refuse"));
}

function json(text: string, whole?: string): Record<string, unknown> {
  return Object.fromEntries(readJson(Buffer.from(text), "refuse", whole));
}

/** Which parameter a refusal names. */
function fieldOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof HubError && error.kind === "invalid") return error.field;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("query and urlencoded body", () => {
  test.each([
    ["", {}],
    ["a=1", { a: ["1"] }],
    ["a=1&a=2", { a: ["1", "2"] }],
    ["a[]=1&a[]=2", { a: ["1", "2"] }],
    ["a[0]=1&a[7]=2", { a: ["1", "2"] }],
    ["a%5B%5D=1", { a: ["1"] }],
    ["a", { a: [""] }],
    ["a=&&b=", { a: [""], b: [""] }],
    ["a=b=c", { a: ["b=c"] }],
    ["a=x+y%20z%2B", { a: ["x y z+"] }],
    ["a=%C3%A4%E2%82%AC", { a: ["ä€"] }],
    ["a=100%&b=%zz", { a: ["100%"], b: ["%zz"] }],
    ["a=1%0D%0A2%0D3%004%0B5%096", { a: ["1\n2\n345\t6"] }],
    ["a[x]=1", { "a[x]": ["1"] }],
  ])("%s", (text, expected) => {
    expect(pairs(text)).toEqual(expected);
  });

  test("bytes that nobody escaped are UTF-8 as well", () => {
    expect(pairs(Buffer.from("a=ä").toString("latin1"))).toEqual({ a: ["ä"] });
  });

  test("names of object properties are only names", () => {
    expect([...readPairs("__proto__=1&constructor=2&__proto__[]=3", "refuse")]).toEqual([
      ["__proto__", ["1", "3"]],
      ["constructor", ["2"]],
    ]);
  });

  test("text that is not UTF-8 is refused or replaced", () => {
    expect(() => pairs("a=%FF")).toThrow(HubError);
    expect(readPairs("a=x%FFy", "replace").get("a")).toEqual(["x\ufffdy"]);
  });

  test.each([
    ["a=1&group_allow[]=%FF", "group_allow"],
    ["a=1&b=%C3%28", "b"],
    ["b%FF=1", "b\ufffd"],
  ])("%s: the parameter at fault is named", (text, field) => {
    expect(fieldOf(() => pairs(text))).toBe(field);
  });

  test("ten thousand parameters are enough", () => {
    expect(() => pairs("a=1&".repeat(20_000))).toThrow(HubError);
  });
});

describe("JSON body", () => {
  test.each([
    ['{"a":"1"}', { a: ["1"] }],
    ['{"a":[1,2]}', { a: [1, 2] }],
    ['{"a":[]}', { a: [""] }],
    ['{"a[]":["1"],"b":null}', { a: ["1"] }],
    ['{"a":true,"b":1.5}', { a: [true], b: [1.5] }],
    ['{"a":"1\\r\\n2\\u0000"}', { a: ["1\n2"] }],
  ])("%s", (text, expected) => {
    expect(json(text)).toEqual(expected);
  });

  test.each([
    '"a"',
    "[1]",
    "{",
    "",
    "\ufeff{}",
    `${'{"a":'.repeat(40)}1${"}".repeat(40)}`,
    "[".repeat(100_000),
    '{"a":"\\ud800"}',
  ])("%# is refused", (text) => {
    expect(() => json(text)).toThrow(HubError);
  });

  test.each([
    ['{"a":"\\u00e9","b":"\xff"}', "b"],
    ['{"a":1,"b[]":["x",{"c":"\xc3("}],"d":"\xff"}', "b"],
    ['{"a\xff":1}', "a\ufffd"],
    ['{"a":"\\\\u00e9\xff"}', "a"],
    ['{"a":{"b":"\\ud800"}}', "a"],
    [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"b":"\xff"}`, undefined],
    ['"\xff"', ""],
  ])("%#: the parameter whose text is not UTF-8 is named", (text, field) => {
    expect(fieldOf(() => readJson(Buffer.from(text, "latin1"), "refuse", undefined))).toBe(field);
  });

  test("one parameter may take the body as a whole", () => {
    expect(json("[1]", "json")).toEqual({ json: [[1]] });
    expect(json('{"name":"x"}', "json")["name"]).toEqual(["x"]);
  });

  test("keys cannot reach prototypes", () => {
    const found = readJson(
      Buffer.from('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}'),
      "refuse",
      undefined,
    );
    expect((found.get("a")![0] as object as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

test("the body wins over the query, name by name", () => {
  const merged = merge(readPairs("a=1&b=1", "refuse"), readPairs("a=2&a=3&c=4", "refuse"));
  expect(Object.fromEntries(merged)).toEqual({ a: ["2", "3"], b: ["1"], c: ["4"] });
});

describe("names that say what stands within what (Mastodon contract 3.2)", () => {
  const nested = (text: string): unknown => JSON.parse(JSON.stringify(Object.fromEntries(nestedPairs(text, "refuse"))));

  test.each([
    ["a[]=1&a[]=2", { a: ["1", "2"] }],
    ["a[0]=1&a[1]=2", { a: ["1", "2"] }],
    ["a=1&a=2", { a: ["1", "2"] }],
    ["id=5", { id: ["5"] }],
    ["a=1,2", { a: ["1,2"] }],
    [
      "poll[options][]=x&poll[options][]=y&poll[multiple]=true",
      { poll: [{ options: ["x", "y"], multiple: ["true"] }] },
    ],
    ["source[privacy]=public", { source: [{ privacy: ["public"] }] }],
    ["data[alerts][mention]=true", { data: [{ alerts: [{ mention: ["true"] }] }] }],
    [
      "m[][id]=1&m[][description]=x&m[][id]=2&m[][description]=y",
      {
        m: [
          { id: ["1"], description: ["x"] },
          { id: ["2"], description: ["y"] },
        ],
      },
    ],
    ["k[][keyword]=x&k[][_destroy]=1&k[][keyword]=y", { k: [{ keyword: ["x"], _destroy: ["1"] }, { keyword: ["y"] }] }],
    ["a[b=1&a]=2", { "a[b": ["1"], "a]": ["2"] }],
  ])("%s", (text, read) => expect(nested(text)).toEqual(read));

  test("objects go in the order of their numbers, however they came", () => {
    const sent = nestedPairs("f[10][name]=second&f[2][name]=first&f[2][value]=1", "refuse").get("f")!;
    expect(entriesOf(sent).map((one) => within(one, "name"))).toEqual([["first"], ["second"]]);
    expect(entriesOf([{ 1: { name: "b" }, 0: { name: "a" } }]).map((one) => within(one, "name"))).toEqual([
      ["a"],
      ["b"],
    ]);
  });

  test("go three levels deep, and are a thousand at most", () => {
    expect(() => nested("a[b][c][d]=1")).not.toThrow();
    expect(() => nested("a[b][c][d][e]=1")).toThrow(HubError);
    expect(() => nested(Array.from({ length: 1000 }, (_, n) => `n${n}=1`).join("&"))).not.toThrow();
    expect(() => nested(Array.from({ length: 1001 }, (_, n) => `n${n}=1`).join("&"))).toThrow(HubError);
  });
});
