import { afterAll, beforeAll, expect, test } from "vitest";
import { almaAndEva } from "../../../test/support/alma-and-eva.ts";
import type { AlmaAndEva } from "../../../test/support/alma-and-eva.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import { makeAccount, password } from "../../../test/support/hub.ts";
import { jsonFile } from "../../../test/support/hubzilla.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import {
  block,
  connect,
  findConnectionTo,
  receiveAccept,
  removeConnection,
} from "../../domain/connections/connections.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { findChannelById } from "../../domain/identity/channels/channels.ts";
import { importNow } from "../../domain/import/start.ts";
import { metActor } from "./retrieve/actor.ts";

/** Whom a channel followed elsewhere is asked anew from the place to which it has come (federation contract 11). */

let former: AlmaAndEva;
let there: TestApp;
let exported: object;
let account: number;
let alma: Channel;
const elsewhere = openElsewhere();
const idOf = (nick: string): string => `https://far.example/users/${nick}`;

beforeAll(async () => {
  former = await almaAndEva();
  const { world, alma: before } = former;
  // One who has not answered, one whom she leaves at the new place, and one whom she has blocked.
  for (const nick of ["asked", "left", "rude"]) {
    for (const place of [former.elsewhere, elsewhere]) place.put(place.actor(nick).inbox, 202);
    const person = (await metActor(world.hub, idOf(nick)))!;
    await connect(world.hub, before.channel, person);
    if (nick !== "asked") await receiveAccept(world.hub, before.channel, person);
    if (nick === "rude") await block(world.hub, before.channel, person);
  }
  elsewhere.put(elsewhere.actor("eva").inbox, 202);
  elsewhere.put("https://far.example/inbox", 202);
  exported = (await before.get("/api/z/1.0/channel/export/basic")).json as object;
  there = await openTestApp({ fetch: elsewhere.fetch, env: { HUBBUB_BASE_URL: "http://new.example" } });
  account = (await makeAccount(there.hub, "alma@example.org")).account_id;
});
afterAll(async () => {
  await there?.close();
  await former?.world.close();
});

async function bring() {
  const options = { mode: "moving", nick: "", posts: true } as const;
  return importNow(there.hub, account, { file: jsonFile(exported) }, options, () => undefined);
}

const follow = async (nick: string) => {
  const { follow_out, follow_out_id } = (await findConnectionTo(there.hub, alma.channel_id, idOf(nick)))!;
  return [follow_out, follow_out_id === "" ? "not sent" : "sent"];
};

/** Who was asked at the other hub, and by what. */
const asked = (): { object: string; id: string }[] =>
  elsewhere.asked
    .filter(({ options }) => options.method === "POST")
    .map(({ options }) => JSON.parse(Buffer.from(options.body as Uint8Array).toString()))
    .filter(({ type }) => type === "Follow");

test("they are asked, each once, and the report and a list say so", async () => {
  const run = await bring();
  expect(run.state).toBe("done");
  alma = (await findChannelById(there.hub, run.channelId))!;
  expect([await follow("eva"), await follow("asked")]).toEqual([
    ["requested", "not sent"],
    ["requested", "not sent"],
  ]);
  expect(run.report.sections["abook"]?.remarks).toEqual({
    "whom you follow elsewhere is asked anew, from here": expect.objectContaining({ count: 3 }),
  });
  const left = (await findConnectionTo(there.hub, alma.channel_id, idOf("left")))!;
  await removeConnection(there.hub, alma, left.abook_id);
  await there.work();
  expect([await follow("eva"), await follow("asked"), (await follow("rude"))[0]]).toEqual([
    ["requested", "sent"],
    ["requested", "sent"],
    "accepted",
  ]);
  expect(
    asked()
      .map(({ object }) => object)
      .toSorted(),
  ).toEqual([idOf("asked"), idOf("eva")]);
  for (const { id } of asked()) expect(id).toMatch(/^http:\/\/new\.example\/follow\//);
  const visitor = visitorOf(there.app);
  await visitor.logIn("alma", password);
  const { text } = await visitor.get("/settings/import-lists");
  const [, list = ""] = /href="(\/settings\/import-lists\/\d+)"/.exec(text) ?? [];
  expect((await visitor.get(list)).text).toContain("from the place that you came from");
});

test("whoever says yes is followed again", async () => {
  const eva = (await metActor(there.hub, idOf("eva")))!;
  await receiveAccept(there.hub, alma, eva);
  expect((await follow("eva"))[0]).toBe("accepted");
});

test("another import of the same asks nobody", async () => {
  const before = asked().length;
  const run = await bring();
  expect(run.report.sections["abook"]).toMatchObject({ there: expect.any(Number) });
  await there.work();
  expect([await follow("eva"), await follow("asked"), asked().length]).toEqual([
    ["accepted", "sent"],
    ["requested", "sent"],
    // Whom she has left comes with it as a new connection.
    before + 1,
  ]);
});
