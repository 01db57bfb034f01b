import { afterAll, beforeAll, expect, test } from "vitest";
import { openElsewhere } from "../../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../../test/support/elsewhere.ts";
import { makeChannel, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { clientOf } from "../../../../../test/support/client.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { createApp } from "../../../../main.ts";

let hub: TestHub;
let elsewhere: Elsewhere;
let alma: Visitor;

const own = "http://hub.example/channel/alma";

beforeAll(async () => {
  elsewhere = openElsewhere();
  hub = await openTestHub({ fetch: elsewhere.fetch });
  await makeChannel(hub, "alma");
  alma = visitorOf(createApp(hub), hub.config.host);
  await alma.logIn("alma", password);
  elsewhere.actor("alma", { alsoKnownAs: [own] });
  elsewhere.actor("stranger");
});
afterAll(() => hub.close());

test("other accounts are named by their addresses, and kept by their ids", async () => {
  await alma.get("/settings/move");
  expect((await alma.post("/settings/move/aliases", { aliases: "nobody@far.example" })).text).toContain(
    "Nobody is known as “nobody@far.example”",
  );
  expect((await alma.post("/settings/move/aliases", { aliases: "alma@far.example\n" })).status).toBe(303);
  expect((await alma.get("/settings/move")).text).toContain("https://far.example/users/alma</textarea>");
  expect((await alma.post("/settings/move/aliases", { aliases: "https://far.example/users/alma" })).status).toBe(303);
  expect((await alma.post("/settings/move/aliases", { aliases: "" })).status).toBe(303);
});

test("moving asks for the password and for the word of the other side, and can be taken back", async () => {
  const move = (address: string, typed = password) => alma.post("/settings/move", { address, password: typed });
  await alma.get("/settings/move");
  expect((await move("alma@far.example", "wrong password")).text).toContain("This is not your password.");
  expect((await move("stranger@far.example")).text).toContain("doesn&#39;t name this channel as one of its own");
  expect((await move("alma@far.example")).status).toBe(303);
  expect((await alma.get("/settings/move")).text).toContain("This channel has moved to");
  expect((await alma.get("/channel/alma")).text).toContain("alma@far.example");
  expect((await alma.post("/settings/move/back", {})).status).toBe(303);
  expect((await alma.get("/settings/move")).text).toContain("Moving away");
  expect((await move("alma@far.example")).text).toContain("You have moved lately.");
});

test("whoever is fetched by another hub after moving does not come back by taking the move back", async () => {
  await makeChannel(hub, "berta");
  const berta = visitorOf(createApp(hub), hub.config.host);
  await berta.logIn("berta", password);
  elsewhere.actor("berta", { alsoKnownAs: ["http://hub.example/channel/berta"] });
  await berta.get("/settings/move");
  expect((await berta.post("/settings/move", { address: "berta@far.example", password })).status).toBe(303);
  const native = clientOf(createApp(hub), `berta:${password}`);
  await native.post("/api/z/1.0/channel/moved", { url: "https://new.example", nick: "berta" });
  expect((await berta.get("/settings/move")).text).toContain("berta@new.example");
  expect((await berta.get("/settings/move")).text).not.toContain("/settings/move/back");
  expect((await berta.post("/settings/move/back", {})).status).toBe(303);
  expect((await berta.get("/settings/move")).text).toContain("berta@new.example");
});
