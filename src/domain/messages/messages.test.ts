import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, connectionId, mark, newcomer } from "../../../test/support/people.ts";
import { inTransaction } from "../../hub.ts";
import { setGrant } from "../connections/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { verifySignature } from "../identity/xchans/signing.ts";
import { addXchan } from "../identity/xchans/add-xchan.ts";
import { listNotices, mostWaiting } from "../notifications/notices.ts";
import { convRecord, portableMail } from "../portable/mail.ts";
import { peopleOf } from "./list.ts";
import { removeChannel } from "../connections/remove-channel.ts";
import {
  answerMessage,
  countUnseenMessages,
  deleteConversation,
  deleteMessage,
  findMessage,
  importConversation,
  importMail,
  listTalks,
  listMessages,
  listRecipients,
  markMessagesSeen,
  readConversation,
  recallMessage,
  sendMessage,
  setMessageSeen,
} from "./messages.ts";
import type { Mail } from "./messages.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  carol = await newcomer(hub, "carol");
  await befriend(hub, alice, bob);
  await befriend(hub, alice, carol);
});
afterAll(() => hub.close());
beforeEach(async () => {
  for (const table of ["mail", "conv", "notify"] as const) await hub.db.deleteFrom(table).execute();
});

function write(from: Channel, to: Channel, body: string, more: { title?: string; replyTo?: number } = {}) {
  hub.advance(1);
  return sendMessage(hub, from, { to: to.channel_hash, body, ...more });
}

async function copyFor(channel: Channel, mail: Mail): Promise<Mail> {
  const row = await hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", channel.channel_id)
    .where("mid", "=", mail.mid)
    .executeTakeFirstOrThrow();
  return row;
}

async function boxOf(channel: Channel, query: Partial<Parameters<typeof listMessages>[2]> = {}): Promise<string[]> {
  const { messages } = await listMessages(hub, channel, { box: "all", count: 20, ...query });
  return messages.map((mail) => mail.body);
}

/** Those of the channel in which anything is, the newest first. */
async function conversationsOf({ channel_id }: Channel): Promise<object[]> {
  return hub.db
    .selectFrom("conv")
    .selectAll()
    .where("uid", "=", channel_id)
    .where("guid", "in", (eb) =>
      eb.selectFrom("mail").select("conv_guid").where("channel_id", "=", channel_id).where("mail_deleted", "=", 0),
    )
    .orderBy("updated", "desc")
    .orderBy("id", "desc")
    .execute();
}

describe("sending", () => {
  test("gives both sides their copy, and the recipient a notice", async () => {
    const sent = await write(alice, bob, " Hello [b]you[/b]\n", { title: "Lunch <x>" });
    expect(sent).toMatchObject({
      channel_id: alice.channel_id,
      from_xchan: alice.channel_hash,
      to_xchan: bob.channel_hash,
      title: "Lunch x",
      body: "Hello [b]you[/b]",
      html: "Hello <strong>you</strong>",
      plain: "Hello you",
      mail_seen: 1,
      mail_isreply: 0,
      parent_mid: sent.mid,
    });
    expect(sent.mid).toMatch(/^http:\/\/hub\.example\/item\/[0-9a-f-]{36}$/);
    expect(sent.conv_guid).toMatch(/^[0-9a-f]{64}$/);
    expect(verifySignature(alice.channel_pubkey, sent.body, sent.sig)).toBe(true);
    const got = await copyFor(bob, sent);
    expect(got).toMatchObject({ body: sent.body, mail_seen: 0, conv_guid: sent.conv_guid, sig: sent.sig });
    expect(await listNotices(hub, bob.channel_id)).toMatchObject([
      { kind: "mail", mail_id: got.id, actor: { name: "Alice" } },
    ]);
    expect(await listNotices(hub, alice.channel_id)).toEqual([]);
    expect(await conversationsOf(bob)).toMatchObject([
      { recips: "alice@hub.example;bob@hub.example", creator: "alice@hub.example", subject: "Lunch x" },
    ]);
    expect((await listTalks(hub, bob, { count: 10 })).talks).toMatchObject([
      { kind: "mails", unseen: true, people: [alice.xchan_id], last: { mail: { id: got.id } } },
    ]);
  });

  test("an answer stays in its conversation", async () => {
    const first = await write(alice, bob, "One", { title: "Lunch" });
    const answer = await write(bob, alice, "Two", { replyTo: (await copyFor(bob, first)).id });
    expect(answer).toMatchObject({
      conv_guid: first.conv_guid,
      parent_mid: first.mid,
      title: "Lunch",
      mail_isreply: 1,
    });
    expect(await copyFor(bob, first)).toMatchObject({ mail_replied: 1 });
    expect(await copyFor(alice, first)).toMatchObject({ mail_replied: 0 });
    const { messages, of } = await readConversation(hub, alice, first.id, { count: 10 });
    expect(messages.map((mail) => mail.body)).toEqual(["One", "Two"]);
    expect(of.id).toBe(first.id);
    expect(await conversationsOf(alice)).toHaveLength(1);
  });

  test("needs the recipient's post_mail", async () => {
    const dora = await newcomer(hub, "dora");
    await expect(write(alice, dora, "Hello")).rejects.toMatchObject({ code: "takes_no_messages" });
    await befriend(hub, alice, dora);
    await write(alice, dora, "Hello");
    await setGrant(hub, dora, await connectionId(hub, dora, alice), "post_mail", false);
    await expect(write(alice, dora, "Hello")).rejects.toMatchObject({ code: "takes_no_messages" });
    await write(dora, alice, "Hello");
    await mark(hub, alice, dora, { blocked: true });
    await expect(write(dora, alice, "Hello")).rejects.toMatchObject({ kind: "invalid", code: "takes_no_messages" });
    await expect(write(alice, dora, "Hello")).rejects.toMatchObject({ code: "takes_no_messages" });
    expect((await listRecipients(hub, alice, { count: 9 })).people.map((person) => person.xchan_name)).toEqual([
      "Bob",
      "Carol",
    ]);
  });

  test.each([
    ["to nobody", { to: "nobody", body: "x" }, "missing"],
    ["to oneself", { to: "alice", body: "x" }, "invalid"],
    ["without a text", { to: "bob", body: " \n" }, "invalid"],
    ["as an answer to nothing", { to: "bob", body: "x", replyTo: 999_999 }, "missing"],
  ])("%s is refused", async (_, message, kind) => {
    const hashes: Record<string, string> = { alice: alice.channel_hash, bob: bob.channel_hash };
    const to = hashes[message.to] ?? message.to;
    await expect(sendMessage(hub, alice, { ...message, to })).rejects.toMatchObject({ kind });
    expect(await hub.db.selectFrom("mail").selectAll().execute()).toEqual([]);
  });

  test.each([
    ["is blocked", "you_have_blocked"],
    ["blocks", "takes_no_messages"],
    ["has taken the permission back", "takes_no_messages"],
    ["is gone", "missing"],
  ])("to several is got by nobody when one of them %s, whoever is named first", async (state, code) => {
    const one = await newcomer(hub, `one${code.length}${state.length}`);
    await befriend(hub, alice, one);
    const begun = await sendMessage(hub, alice, {
      to: bob.channel_hash,
      also: [carol.channel_hash, one.channel_hash],
      body: "The three of you",
    });
    const copies = () => hub.db.selectFrom("mail").select(["channel_id", "body"]).orderBy("id").execute();
    const before = await copies();
    expect(before.map(({ channel_id }) => channel_id).toSorted()).toEqual(
      [alice, bob, carol, one].map(({ channel_id }) => channel_id).toSorted(),
    );
    if (state === "is blocked") await mark(hub, alice, one, { blocked: true });
    if (state === "blocks") await mark(hub, one, alice, { blocked: true });
    if (state.startsWith("has taken"))
      await setGrant(hub, one, await connectionId(hub, one, alice), "post_mail", false);
    if (state === "is gone") await removeChannel(hub, one.channel_id);
    const rest = state === "is gone" ? before.filter(({ channel_id }) => channel_id !== one.channel_id) : before;
    for (const [to, ...also] of [
      [one, bob, carol],
      [bob, carol, one],
    ]) {
      const hashes = also.map(({ channel_hash }) => channel_hash);
      for (const more of [{}, { replyTo: begun.id }]) {
        const sent = sendMessage(hub, alice, { to: to!.channel_hash, also: hashes, body: "Not this", ...more });
        await expect(sent).rejects.toMatchObject(code === "missing" ? { kind: code } : { code });
      }
    }
    expect((await copies()).filter(({ channel_id }) => state !== "is gone" || channel_id !== one.channel_id)).toEqual(
      rest,
    );
    // Those who are left go on without them.
    await answerMessage(hub, alice, begun.id, { body: "@bob @carol Only you" });
    const got = (await copies()).filter(({ body }) => body.includes("Only you"));
    expect(got.map(({ channel_id }) => channel_id).toSorted()).toEqual(
      [alice, bob, carol].map(({ channel_id }) => channel_id).toSorted(),
    );
  });

  test("as an answer to what others wrote to each other is refused", async () => {
    const theirs = await write(alice, bob, "Between us");
    await expect(write(carol, alice, "Me too", { replyTo: theirs.id })).rejects.toMatchObject({ kind: "missing" });
    await expect(write(alice, carol, "Also", { replyTo: theirs.id })).rejects.toMatchObject({ kind: "missing" });
  });

  test("to another hub is refused with a reason", async () => {
    const xchan = await addXchan(hub, {
      hash: "far-away",
      name: "Far",
      network: "rss",
      url: "https://other.example/f",
    });
    await expect(sendMessage(hub, alice, { to: xchan.xchan_hash, body: "x" })).rejects.toMatchObject({
      kind: "denied",
    });
  });
});

describe("lists", () => {
  test("page in both directions, newest first", async () => {
    const ids: number[] = [];
    for (let n = 1; n <= 5; n++) ids.push((await write(alice, bob, `n${n}`)).id);
    expect(await boxOf(alice, { count: 2 })).toEqual(["n5", "n4"]);
    expect(await boxOf(alice, { count: 2, page: 2 })).toEqual(["n3", "n2"]);
    expect(await boxOf(alice, { maxId: ids[1]! })).toEqual(["n2", "n1"]);
    expect(await boxOf(alice, { sinceId: ids[3]! })).toEqual(["n5"]);
  });

  test("know what was sent and received, with whom, and in which conversation", async () => {
    const first = await write(alice, bob, "to bob");
    await write(bob, alice, "from bob", { replyTo: (await copyFor(bob, first)).id });
    await write(carol, alice, "from carol");
    expect(await boxOf(alice)).toEqual(["from carol", "from bob", "to bob"]);
    expect(await boxOf(alice, { box: "received" })).toEqual(["from carol", "from bob"]);
    expect(await boxOf(alice, { box: "sent" })).toEqual(["to bob"]);
    expect(await boxOf(alice, { partner: bob.channel_hash })).toEqual(["from bob", "to bob"]);
    expect(await boxOf(alice, { box: "received", partner: bob.channel_hash })).toEqual(["from bob"]);
    expect(await boxOf(alice, { box: "sent", partner: carol.channel_hash })).toEqual([]);
    expect(await boxOf(alice, { conversation: first.conv_guid })).toEqual(["from bob", "to bob"]);
    expect(await boxOf(carol, { conversation: first.conv_guid })).toEqual([]);
    expect(await boxOf(carol)).toEqual(["from carol"]);
  });

  test("find texts in any case, and wildcards are plain characters", async () => {
    await write(alice, bob, "Grüße aus KÖLN, 100%");
    await write(alice, bob, "1000 other things");
    expect(await boxOf(alice, { search: "köln" })).toEqual(["Grüße aus KÖLN, 100%"]);
    expect(await boxOf(alice, { search: "100%" })).toEqual(["Grüße aus KÖLN, 100%"]);
    expect(await boxOf(alice, { search: "_" })).toEqual([]);
    expect(await boxOf(carol, { search: "köln" })).toEqual([]);
  });

  test("conversations page by key", async () => {
    for (let n = 1; n <= 5; n++) await sendMessage(hub, alice, { to: bob.channel_hash, body: `c${n}` });
    const seen: string[] = [];
    let below: number | undefined;
    for (;;) {
      const { talks, more } = await listTalks(hub, alice, { below, count: 2 });
      seen.push(...talks.map(({ last }) => last.mail!.body));
      below = talks.at(-1)?.key;
      if (!more) break;
    }
    expect(seen).toEqual(["c5", "c4", "c3", "c2", "c1"]);
  });
});

describe("seen", () => {
  test("is counted no further than pages say it", async () => {
    const got = await copyFor(bob, await write(alice, bob, "Hello"));
    const { id: _, ...row } = await hub.db
      .selectFrom("mail")
      .selectAll()
      .where("id", "=", got.id)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: mostWaiting + 3 }, (_, n) => ({ ...row, mid: `more ${n}` }));
    await hub.db.insertInto("mail").values(more).execute();
    expect(await countUnseenMessages(hub, bob.channel_id)).toBe(mostWaiting);
  });

  test("is counted, set with its notice, and taken back", async () => {
    const got = await copyFor(bob, await write(alice, bob, "Hello"));
    expect(await countUnseenMessages(hub, bob.channel_id)).toBe(1);
    await setMessageSeen(hub, bob, got.id, true);
    expect(await countUnseenMessages(hub, bob.channel_id)).toBe(0);
    expect(await listNotices(hub, bob.channel_id)).toMatchObject([{ seen: 1 }]);
    expect(await setMessageSeen(hub, bob, got.id, false)).toMatchObject({ mail_seen: 0 });
    await markMessagesSeen(hub, bob, (await listMessages(hub, bob, { box: "all", count: 9 })).messages);
    expect(await countUnseenMessages(hub, bob.channel_id)).toBe(0);
    await expect(setMessageSeen(hub, alice, got.id, true)).rejects.toMatchObject({ kind: "missing" });
  });
});

describe("removing", () => {
  test("takes the own copy alone", async () => {
    const sent = await write(alice, bob, "Hello");
    const got = await copyFor(bob, sent);
    await expect(deleteMessage(hub, carol, got.id)).rejects.toMatchObject({ kind: "missing" });
    await deleteMessage(hub, bob, got.id);
    expect(await boxOf(bob)).toEqual([]);
    expect(await conversationsOf(bob)).toEqual([]);
    expect(await countUnseenMessages(hub, bob.channel_id)).toBe(0);
    expect(await listNotices(hub, bob.channel_id)).toEqual([]);
    expect(await copyFor(bob, sent)).toMatchObject({ mail_deleted: 1, body: "", html: "", plain: "", title: "" });
    expect(await boxOf(alice)).toEqual(["Hello"]);
    await expect(findMessage(hub, bob, got.id)).rejects.toMatchObject({ kind: "missing" });
  });

  test("takes a whole conversation, which an answer brings back", async () => {
    const first = await write(alice, bob, "One", { title: "T" });
    const got = await copyFor(bob, first);
    await write(bob, alice, "Two", { replyTo: got.id });
    await write(alice, bob, "Other");
    await deleteConversation(hub, bob, got.id);
    expect(await boxOf(bob)).toEqual(["Other"]);
    await write(alice, bob, "Three", { replyTo: first.id });
    expect(await boxOf(bob)).toEqual(["Three", "Other"]);
    expect(await conversationsOf(bob)).toMatchObject([
      { guid: first.conv_guid, creator: "alice@hub.example", subject: "T" },
      {},
    ]);
  });

  test.each([deleteMessage, deleteConversation])("does not take an answer along that just arrives", async (remove) => {
    const first = await write(alice, bob, "One");
    const got = await copyFor(bob, first);
    const begun = await inTransaction(hub, async (inside) => {
      await sendMessage(inside, alice, { to: bob.channel_hash, body: "Two", replyTo: first.id });
      const removal = remove(hub, bob, got.id);
      await sleep(100);
      return { removal };
    });
    await begun.removal;
    const left = await boxOf(bob);
    expect(await conversationsOf(bob)).toHaveLength(left.length > 0 ? 1 : 0);
    if (remove === deleteMessage) expect(left).toEqual(["Two"]);
  });

  test("goes on while the other side writes", async () => {
    const first = await write(bob, alice, "One");
    const begun = await inTransaction(hub, async (inside) => {
      // As whoever sends does: both sides, in the order of their ids.
      const write = (side: Channel) =>
        inside.db.updateTable("conv").set({ updated: first.created }).where("uid", "=", side.channel_id).execute();
      await write(alice);
      const recall = recallMessage(hub, bob, first.id);
      await sleep(100);
      await write(bob);
      return { recall };
    });
    expect(await begun.recall).toMatchObject({ mail_recalled: 1 });
  });

  test("is something else than taking back, which only the sender can", async () => {
    const sent = await write(alice, bob, "Sorry", { title: "Secret" });
    const got = await copyFor(bob, sent);
    await expect(recallMessage(hub, bob, got.id)).rejects.toMatchObject({ kind: "denied" });
    await expect(recallMessage(hub, carol, sent.id)).rejects.toMatchObject({ kind: "missing" });
    await recallMessage(hub, alice, sent.id);
    for (const side of [alice, bob])
      expect(await copyFor(side, sent)).toMatchObject({
        mail_recalled: 1,
        body: "",
        html: "",
        plain: "",
        title: "",
        sig: "",
      });
    expect(await countUnseenMessages(hub, bob.channel_id)).toBe(0);
    expect(await listNotices(hub, bob.channel_id)).toEqual([]);
    const everything = JSON.stringify([
      await hub.db.selectFrom("mail").selectAll().execute(),
      await hub.db.selectFrom("conv").selectAll().execute(),
    ]);
    expect(everything).not.toMatch(/Sorry|Secret/);
  });
});

describe("export and import", () => {
  test("a mail goes round, once", async () => {
    const first = await write(alice, bob, "One", { title: "T" });
    await write(bob, alice, "Two", { replyTo: (await copyFor(bob, first)).id });
    const taken = await write(alice, bob, "Three");
    await recallMessage(hub, alice, taken.id);
    const exported = async () => {
      const rows = await hub.db
        .selectFrom("mail")
        .selectAll()
        .where("channel_id", "=", alice.channel_id)
        .orderBy("created")
        .execute();
      const people = await peopleOf(hub, rows);
      return rows.map((mail) => portableMail(mail, people));
    };
    const mails = await exported();
    const convs = (await hub.db.selectFrom("conv").selectAll().where("uid", "=", alice.channel_id).execute()).map(
      convRecord,
    );
    expect(mails[0]).toMatchObject({ type: "mail", encoding: "zot", title: "T", body: "One", flags: ["seen"] });
    expect(mails[1]).toMatchObject({ flags: ["isreply"], from: { name: "Bob" }, message_parent: first.mid });
    expect(mails[2]).toMatchObject({ flags: ["recalled", "seen"], body: "" });
    await hub.db.deleteFrom("mail").execute();
    await hub.db.deleteFrom("conv").execute();
    for (const conv of convs) expect(await importConversation(hub, alice, conv)).toBe("imported");
    for (const mail of mails) expect(await importMail(hub, alice, mail)).toBe("imported");
    for (const conv of convs) expect(await importConversation(hub, alice, conv)).toBe("there");
    for (const mail of mails) expect(await importMail(hub, alice, mail)).toBe("there");
    expect(await exported()).toEqual(mails);
    expect(await boxOf(alice)).toEqual(["", "Two", "One"]);
    expect(await importMail(hub, alice, { ...mails[0], flags: ["deleted"] })).toBe("imported");
    expect(await importMail(hub, alice, { ...mails[1], flags: ["recalled"] })).toBe("imported");
    expect(await boxOf(alice)).toEqual(["", ""]);
  });

  test.each([undefined, 7, {}, { message_id: "x", from: { hash: "a" }, to: { hash: "b" } }])(
    "what is no mail of the channel is left out: %j",
    async (portable) => expect(await importMail(hub, alice, portable)).toBe("unreadable"),
  );
});
