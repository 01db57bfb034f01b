import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, hubbubJson, newPlace } from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";

let place: Place;
beforeAll(async () => {
  place = await newPlace();
});
afterAll(() => place.remove());

test("domains are blocked, shown and unblocked", async () => {
  expect(await hubbubJson(place, "peer", "block", "Bad.example", "--reason", "spam", "--without-media")).toMatchObject({
    domain: "bad.example",
    level: "suspend",
    noMedia: true,
    reason: "spam",
  });
  await hubbub(place, ["peer", "block", "loud.example", "--level", "limit"]);
  expect(await hubbubJson(place, "peer", "list", "--blocked")).toMatchObject([
    { domain: "bad.example" },
    { domain: "loud.example", level: "limit" },
  ]);
  expect((await hubbub(place, ["peer", "list", "--blocked"])).stdout).toMatch(/^bad\.example +suspend +yes +spam/m);
  expect(await hubbubJson(place, "peer", "unblock", "bad.example")).toEqual({ domain: "bad.example", unblocked: true });
  expect(await hubbubJson(place, "peer", "list")).toEqual([]);
});

test("lists come and go as files", async () => {
  const [from, to] = [join(place.folder, "from.csv"), join(place.folder, "to.csv")];
  const list =
    "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\nloud.example,silence,FALSE,FALSE,,FALSE\n";
  writeFileSync(from, list);
  expect(await hubbubJson(place, "peer", "import", from)).toEqual({ taken: 1, skipped: [] });
  expect(await hubbubJson(place, "peer", "export", "--out", to)).toEqual({ file: to });
  expect(readFileSync(to, "utf8")).toBe(list);
  expect((await hubbub(place, ["peer", "export"])).stdout).toBe(list);
  expect(await hubbubJson(place, "peer", "allow-list", "on")).toEqual({ allow_list: true });
  expect(await hubbubJson(place, "peer", "allow-list", "off")).toEqual({ allow_list: false });
});

test("no lists are followed at first", async () => {
  expect(await hubbubJson(place, "peer", "lists")).toEqual([]);
});

test("a look-up is shown by its steps, and what is no address has none", async () => {
  const [step, ...others] = await hubbubJson<object[]>(place, "probe", "what");
  expect([step, others]).toEqual([
    expect.objectContaining({ step: "document", result: "This is no address of a person or post" }),
    [],
  ]);
  expect((await hubbub(place, ["probe", "what"])).stdout).toContain("This is no address of a person or post");
});

test.each([
  [["peer", "show", "unknown.example"], "Server not found"],
  [["peer", "unblock", "unknown.example"], "not found"],
  [["peer", "block", "a b"], "This is not the name of a server."],
  [["peer", "block", "x.example", "--level", "hard"], "A level is one of"],
  [["peer", "allow-list", "perhaps"], "Say on or off."],
  [["peer", "subscribe", "no address"], "This is no address on the web."],
  [["peer", "subscribe", "https://127.0.0.1/list.csv"], "The list cannot be had there just now."],
  [["peer", "unsubscribe", "https://lists.example/"], "not found"],
  [["peer", "import", "/nowhere/list.csv"], /nowhere/],
  [["channel", "move", "nobody", "ann@far.example"], "nobody"],
])("%j is refused in one sentence", async (args, sentence) => {
  const { code, stderr, stdout } = await hubbub(place, args);
  expect([code !== 0, stdout]).toEqual([true, ""]);
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});
