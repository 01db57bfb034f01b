import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  befriend,
  deliver,
  everything,
  holders,
  newcomer,
  noticesOf,
  standingStatuses,
  statusCount,
} from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import type { Hub } from "../../../hub.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { deleteItem } from "./delete.ts";
import { deliverAnswer, deliverItem } from "../delivery/deliver.ts";
import { editItem } from "./edit.ts";
import { postItem } from "./post.ts";
import { react } from "./react.ts";
import { expireItem, publishItem } from "./schedule.ts";
import { shareItem } from "./share.ts";
import { setStarred } from "./star.ts";
import type { Item } from "../types.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let top: Item;
let comment: Item;

beforeEachThreePeople("all with alice", async (people) => {
  ({ hub, round, alice, bob, carol } = people);
  top = await postItem(hub, alice, { body: "top #tag" });
  await deliver(hub);
  comment = await postItem(hub, bob, { body: "comment", parent: { mid: top.mid } });
  await react(hub, carol, { mid: comment.mid }, "like", "stays");
  await deliver(hub);
});

/** The same hub, whose statement of that number fails. */
function failingAt(number: number): { hub: Hub; failed: () => boolean } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (++count === number) throw new Error("pulled the plug");
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return { hub: { ...hub, db: hub.db.withPlugin(plugin) }, failed: () => count >= number };
}

/** Pulls the plug at each statement in turn, until the work gets through; answers how often that was. */
async function pulling(work: (hub: Hub) => Promise<unknown>, afterwards: () => Promise<void>): Promise<number> {
  for (let number = 1; ; number++) {
    const broken = failingAt(number);
    try {
      await work(broken.hub);
      expect(broken.failed()).toBe(false);
      return number - 1;
    } catch (error) {
      expect(error).toMatchObject({ message: "pulled the plug" });
      await afterwards();
    }
  }
}

describe("a failure half-way leaves nothing of", () => {
  const verbs: [string, (hub: Hub) => Promise<unknown>][] = [
    [
      "a post",
      (hub) => postItem(hub, alice, { body: `@bob${round} #x`, categories: ["c"], expires: "2027-01-01 00:00:00" }),
    ],
    ["a post on another's wall", (hub) => postItem(hub, bob, { body: "x", wall: alice.channel_id })],
    ["a comment", (hub) => postItem(hub, carol, { body: `@alice${round}`, parent: { mid: comment.mid } })],
    ["a reaction", (hub) => react(hub, bob, { mid: top.mid }, "attendyes", "stays")],
    ["a reaction taken back", (hub) => react(hub, carol, { mid: comment.mid }, "like", "takes back")],
    ["an edit", (hub) => editItem(hub, bob, comment.id, { body: "new #tags" })],
    ["a deletion", (hub) => deleteItem(hub, alice, { id: top.id })],
    ["a copy dropped", (hub) => deleteItem(hub, carol, { mid: top.mid })],
    ["a share", (hub) => shareItem(hub, bob, { mid: top.mid })],
  ];
  test.each(verbs)("%s", async (_, verb) => {
    const before = await everything(hub);
    const points = await pulling(verb, async () => expect(await everything(hub)).toEqual(before));
    expect(points).toBeGreaterThan(2);
  });

  test("a comment and a star by somebody who had no copy", async () => {
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", "256");
    for (const work of [
      (who: Channel) => (hub: Hub) => postItem(hub, who, { body: "x", parent: { mid: comment.mid } }),
      (who: Channel) => (hub: Hub) => setStarred(hub, who, { mid: comment.mid }, true),
    ]) {
      const stranger = await newcomer(hub, `stranger${round}-${String(Math.random()).slice(2, 8)}`);
      const before = await everything(hub);
      await pulling(work(stranger), async () => expect(await everything(hub)).toEqual(before));
    }
  });

  test("publishing and expiring", async () => {
    const later = await postItem(hub, alice, {
      body: "later",
      created: "2026-03-02 00:00:00",
      expires: "2026-03-03 00:00:00",
    });
    for (const [day, work] of [
      ["2026-03-02T00:00:00Z", (hub: Hub) => publishItem(hub, later.id)],
      ["2026-03-03T00:00:00Z", (hub: Hub) => expireItem(hub, later.message_id)],
    ] as const) {
      hub.setClock(day);
      const before = await everything(hub);
      await pulling(work, async () => expect(await everything(hub)).toEqual(before));
    }
    hub.setClock("2026-03-01T12:00:00Z");
  });
});

describe("a delivery that is broken off anywhere", () => {
  test("of a post is complete when it has run again", async () => {
    const forum = await newcomer(hub, `forum${round}`, { role: "forum" });
    await befriend(hub, alice, forum);
    const item = await postItem(hub, alice, { body: `@bob${round} @forum${round}+` });
    const answer = await postItem(hub, alice, { body: `@carol${round}`, parent: { id: item.id } });
    await pulling(
      (hub) => deliverItem(hub, item.id),
      () => Promise.resolve(),
    );
    await deliver(hub);
    for (const one of [item, answer]) expect(await holders(hub, one, [bob, carol, forum])).toHaveLength(3);
    expect((await noticesOf(hub, forum)).map((notice) => notice.ntype)).toEqual([128]);
    expect((await noticesOf(hub, carol)).filter((notice) => notice.ntype === 128)).toHaveLength(1);
    expect((await noticesOf(hub, bob)).filter((notice) => notice.ntype === 128)).toHaveLength(1);
  });

  test("of an answer likewise", async () => {
    const answer = await postItem(hub, alice, { body: "answer", parent: { mid: comment.mid } });
    const before = (await noticesOf(hub, bob)).length;
    await pulling(
      (hub) => deliverAnswer(hub, alice.channel_id, answer.message_id),
      () => Promise.resolve(),
    );
    expect(await holders(hub, answer, [bob, carol])).toHaveLength(2);
    expect(await noticesOf(hub, bob)).toHaveLength(before + 1);
  });
});

describe("everything at once", () => {
  test("each reader of a thread has all of it in the end", async () => {
    const crowd: Channel[] = [bob, carol];
    for (let number = 0; number < 4; number++) crowd.push(await newcomer(hub, `crowd${round}-${number}`));
    for (const one of crowd.slice(2)) await befriend(hub, alice, one);
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", "256");
    const strangers = [await newcomer(hub, `one${round}`), await newcomer(hub, `two${round}`)];
    const item = await postItem(hub, alice, { body: "busy" });
    const answers: Item[] = [];
    const say = async (who: Channel, body: string) =>
      void answers.push(await postItem(hub, who, { body, parent: { mid: item.mid } }));
    await Promise.all([
      deliver(hub),
      ...crowd.map((who) => say(who, "first")),
      say(alice, "mine"),
      ...strangers.map((who) => say(who, "hello")),
      deliver(hub),
      ...crowd.map((who) => react(hub, who, { mid: item.mid }, "like", "stays")),
      ...crowd.map((who) => react(hub, who, { mid: item.mid }, "like", "stays")),
    ]);
    await deliver(hub);
    const all = [alice, ...crowd, ...strangers];
    for (const answer of answers) expect(await holders(hub, answer, all)).toHaveLength(all.length);
    const likes = await hub.db
      .selectFrom("item")
      .select("uid")
      .where("item_notshown", "=", 1)
      .where("item_normal", "=", 1)
      .where("parent", "in", hub.db.selectFrom("item").select("id").where("message_id", "=", item.message_id))
      .execute();
    expect(likes).toHaveLength(all.length * crowd.length);
    for (const who of all) expect(await statusCount(hub, who)).toBe(await standingStatuses(hub, who));
  });

  test("nothing of a thread is left that is deleted while it is delivered and answered", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const item = await postItem(hub, alice, { body: "short-lived" });
      const answers = [bob, carol, alice].map((who) =>
        postItem(hub, who, { body: "x", parent: { mid: item.mid } }).catch(() => undefined),
      );
      await Promise.all([deliver(hub), ...answers, deleteItem(hub, alice, { id: item.id }), deliver(hub)]);
      await deliver(hub);
      const left = await hub.db
        .selectFrom("item")
        .innerJoin("message", "message.id", "item.message_id")
        .select(["item.uid", "message.body"])
        .where("message.parent_mid", "=", item.mid)
        .where("item.item_deleted", "=", 0)
        .execute();
      expect(left).toEqual([]);
    }
    for (const who of [alice, bob, carol]) expect(await statusCount(hub, who)).toBe(await standingStatuses(hub, who));
  });
});
