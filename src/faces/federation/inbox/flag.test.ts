import { expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { makeChannel, openTestHub } from "../../../../test/support/hub.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { listReports } from "../../../domain/reports/list.ts";
import { receiveReport } from "../../../domain/reports/receive-report.ts";
import { readActivity } from "../translate/activity.ts";
import { Node } from "../translate/node.ts";
import { effects } from "./effects.ts";

test("a Flag becomes a report about those of this hub that it names", async () => {
  const hub = await openTestHub();
  const alice = await makeChannel(hub, "alice");
  const post = await postItem(hub, alice, { body: "hello" });
  const actor = await meetActor(hub, actorOf("instance", { type: "Application" }));
  const flag = {
    id: "https://far.example/flags/1",
    type: "Flag",
    actor: actor.xchan_hash,
    object: [
      "http://hub.example/channel/alice",
      `http://hub.example/item/${post.uuid}`,
      "https://far.example/notes/1",
      { id: "http://hub.example/channel/nobody" },
    ],
    content: "look at this",
  };
  const node = Node.of(flag)!;
  const activity = readActivity(node);
  if (typeof activity === "string") throw new Error(activity);
  const bytes = Buffer.from(JSON.stringify(flag));
  for (let n = 0; n < 2; n++)
    await effects["Flag"]!({
      hub,
      activity,
      node,
      bytes,
      actor,
      signer: actor.xchan_hash,
      isForwarded: false,
      ruling: { do: "take", object: "by_id" },
      recipients: [],
      takeEnclosed: () => Promise.resolve(),
    });
  const { reports } = await listReports(hub, "open", { count: 9 });
  expect(reports).toMatchObject([
    {
      host: "far.example",
      person_id: alice.xchan_id,
      comment: "look at this",
      posts: [{ uuid: post.uuid, words: "" }],
    },
  ]);
  await hub.close();
});

test.each([["content"], ["summary"]])("a Flag may say why as its %s", async (name) => {
  const hub = await openTestHub();
  await makeChannel(hub, "alice");
  const { xchan_hash: actor } = await meetActor(hub, actorOf("moderator"));
  const flag = { id: "https://far.example/flags/1", type: "Flag", actor, object: "http://hub.example/channel/alice" };
  await arrivesIn(hub)({ ...flag, [name]: "spam" });
  expect((await listReports(hub, "open", { count: 9 })).reports.map(({ comment }) => comment)).toEqual(["spam"]);
  await hub.close();
});

test("of one host no more than twenty reports an hour are kept", async () => {
  const hub = await openTestHub();
  await makeChannel(hub, "alice");
  const report = (host: string, n: number) =>
    receiveReport(hub, { id: `https://${host}/flags/${n}`, host, nicks: ["alice"], uuids: [], comment: "" });
  for (let n = 0; n < 22; n++) await report("loud.example", n);
  await report("quiet.example", 1);
  const kept = async () => (await listReports(hub, "open", { count: 50 })).reports.map(({ host }) => host);
  expect(
    Object.fromEntries(
      Map.groupBy(await kept(), (host) => host)
        .entries()
        .map(([host, all]) => [host, all.length]),
    ),
  ).toEqual({ "loud.example": 20, "quiet.example": 1 });
  hub.advance(3601);
  await report("loud.example", 99);
  expect(await kept()).toHaveLength(22);
  await hub.close();
});
