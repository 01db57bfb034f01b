import { expect, test } from "vitest";
import { localPath, withoutHost, withParameter } from "./local-path.ts";

test.each([
  ["/network", "/network"],
  ["/channel/ann?cat=a%20b#m1", "/channel/ann?cat=a%20b#m1"],
  ["/a/../b", "/b"],
  ["", "/home"],
  ["network", "/home"],
  ["//evil.example", "/home"],
  ["/\\evil.example", "/home"],
  ["/\t/evil.example", "/home"],
  ["/.//evil.example", "/home"],
  ["/x/..//evil.example", "/home"],
  ["https://evil.example/", "/home"],
  ["javascript:alert(1)", "/home"],
  ["/a\r\nset-cookie: x=y", "/aset-cookie:%20x=y"],
])("localPath(%j) is %j", (text, path) => {
  expect(localPath(text, "/home")).toBe(path);
});

test("our own addresses lose the host, others keep it", () => {
  expect(withoutHost("https://hub.example", "https://hub.example/channel/ann")).toBe("/channel/ann");
  expect(withoutHost("https://hub.example", "https://hub.example.evil/x")).toBe("https://hub.example.evil/x");
});

test("a parameter is set, replaced and removed", () => {
  expect(withParameter("/network?gid=1&before=5", "before", "3")).toBe("/network?gid=1&before=3");
  expect(withParameter("/network", "done", "")).toBe("/network");
  expect(withParameter("/network?done=posted", "done", "")).toBe("/network");
});
