import { expect, test } from "vitest";
import { PathPatterns } from "./path-patterns.ts";

const patterns = new PathPatterns<string>();
for (const path of ["/a/:id/b", "/a/new/b", "/a/:id", "/a/:id/b/:other"]) patterns.add(path, path);

test.each([
  ["/a/5/b", "/a/:id/b", { id: "5" }],
  ["/a/new/b", "/a/new/b", {}],
  ["/a/new", "/a/:id", { id: "new" }],
  ["/a/new/b/c", "/a/:id/b/:other", { id: "new", other: "c" }],
  ["/a/%20/b", "/a/:id/b", { id: "%20" }],
])("%s", (path, pattern, named) => {
  const found = patterns.find(path);
  expect([found?.value, Object.fromEntries(found?.named ?? [])]).toEqual([pattern, named]);
});

test.each(["/a", "/a//b", "/a/5/c", "/b/5/b", "a/5/b", "/a/5/b/6/7", "", "/".repeat(10_000)])(
  "%# leads nowhere",
  (path) => {
    expect(patterns.find(path)).toBeUndefined();
  },
);

test("patterns that mean the same are refused", () => {
  expect(() => patterns.add("/a/:name/b", "")).toThrow("differs from another path");
});
