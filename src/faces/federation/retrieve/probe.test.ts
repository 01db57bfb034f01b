import { afterAll, beforeAll, expect, test } from "vitest";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../test/support/elsewhere.ts";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { probe } from "./probe.ts";

let hub: TestHub;
let elsewhere: Elsewhere;

beforeAll(async () => {
  elsewhere = openElsewhere();
  hub = await openTestHub({ fetch: elsewhere.fetch });
});
afterAll(() => hub.close());

const outcomes = async (text: string) =>
  (await probe(hub, text)).map(({ step, status, result }) => [step, status, result]);

test("somebody who can be reached, step by step, and nothing of it is kept", async () => {
  elsewhere.actor("ann");
  const id = "https://far.example/users/ann";
  expect(await outcomes("@ann@far.example")).toEqual([
    ["webfinger", 200, "answers"],
    ["webfinger", 0, `ann@far.example is ${id}`],
    ["document", 200, "answers"],
    ["actor", 0, `Person ann, ${id}`],
    ["keys", 0, expect.stringContaining(`rsa ${id}#main-key`)],
    ["address", 200, "answers"],
    ["address", 0, "ann@far.example leads back to it"],
    ["inbox", 0, expect.stringContaining(`${id}/inbox`)],
  ]);
  expect(await hub.db.selectFrom("actor").selectAll().execute()).toEqual([]);
});

test("where it ends, and why", async () => {
  elsewhere.put(
    "https://far.example/broken",
    new Error("far.example does not answer", { cause: new Error("ENOTFOUND") }),
  );
  elsewhere.put("https://far.example/note", { id: "https://far.example/note", type: "Note" });
  expect(await outcomes("nobody@far.example")).toEqual([
    ["webfinger", 404, "answers"],
    ["webfinger", 0, "Nothing of use is said about this address"],
  ]);
  expect(await outcomes("https://far.example/broken")).toEqual([
    ["document", 0, "far.example does not answer: ENOTFOUND"],
    ["document", 0, "It cannot be had now"],
  ]);
  expect(await outcomes("https://far.example/note")).toEqual([
    ["document", 200, "answers"],
    ["document", 0, "It is no actor but Note"],
  ]);
  expect(await outcomes("what")).toEqual([["document", 0, "This is no address of a person or post"]]);
});
