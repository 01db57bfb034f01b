import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { outOf } from "../../../../test/support/sent.ts";
import type { Sent } from "../../../../test/support/sent.ts";
import { removeChannel } from "../../../domain/connections/remove-channel.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { recallMessage } from "../../../domain/messages/messages.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** What goes to one person alone, and what concerns the channel as a whole (federation contract 12.1). */

let world: TestApp;
let sent: () => Promise<Sent[]>;
let alma: Person;
let bob: Xchan;

const actor = "http://hub.example/channel/alma";
const bobsInbox = "https://far.example/users/bob/inbox";

beforeAll(async () => {
  world = await openTestApp();
  sent = outOf(world);
  alma = await world.person("alma", { role: "social" });
  bob = await meetActor(world.hub, actorOf("bob"));
  await alma.post("/api/friendships/create", { user_id: bob.xchan_id });
});
afterAll(() => world.close());
beforeEach(async () => void (await sent()));

describe("a direct message", () => {
  test("goes to its recipient in person, who is named in it, and so does an answer", async () => {
    const { status, json } = await alma.post("/api/direct_messages/new", {
      user_id: bob.xchan_id,
      text: "Hello [b]Bob[/b]",
    });
    expect([status, json.recipient.screen_name]).toEqual([200, "bob"]);
    const [first, ...more] = await sent();
    expect([first!.inbox, first!.people, more]).toEqual([bobsInbox, [bob.xchan_id], []]);
    expect(first!.activity).toMatchObject({
      type: "Create",
      actor,
      to: [bob.xchan_hash],
      cc: [],
      object: {
        type: "Note",
        attributedTo: actor,
        to: [bob.xchan_hash],
        cc: [],
        directMessage: true,
        content: "Hello <strong>Bob</strong>",
        tag: [{ type: "Mention", href: bob.xchan_hash, name: "@bob@far.example" }],
      },
    });
    expect(first!.activity).not.toHaveProperty("proof");
    await alma.post("/api/direct_messages/new", { user_id: bob.xchan_id, text: "And", replyto: json.id });
    const [second] = await sent();
    expect(second!.activity.object.inReplyTo).toBe(first!.activity.object.id);
    await recallMessage(world.hub, alma.channel, json.id);
    await recallMessage(world.hub, alma.channel, json.id);
    const gone = await sent();
    expect(gone.map(({ inbox, activity }) => [inbox, activity.type, activity.object.id])).toEqual([
      [bobsInbox, "Delete", first!.activity.object.id],
    ]);
  });

  test("that is taken back at once never leaves", async () => {
    const { json } = await alma.post("/api/direct_messages/new", { user_id: bob.xchan_id, text: "never mind" });
    await recallMessage(world.hub, alma.channel, json.id);
    expect((await sent()).map(({ activity }) => activity.type)).toEqual(["Delete"]);
  });

  test("goes to nobody who is a mere name, or blocked", async () => {
    const abook_id = (await alma.get("/api/z/1.0/abook")).json.find(
      (row: any) => row.abook_xchan === bob.xchan_hash,
    ).abook_id;
    await alma.post("/api/z/1.0/abook", { abook_id, blocked: true });
    await sent();
    expect((await alma.post("/api/direct_messages/new", { user_id: bob.xchan_id, text: "no" })).status).toBe(403);
    expect(await sent()).toEqual([]);
    await alma.post("/api/z/1.0/abook", { abook_id, blocked: false });
    await alma.post("/api/friendships/create", { user_id: bob.xchan_id });
  });
});

describe("the channel", () => {
  test("is described anew within a minute, once for several changes, to those who are connected with it", async () => {
    await alma.post("/api/account/update_profile", { name: "Alma A." });
    await alma.post("/api/account/update_profile", { name: "Alma B." });
    expect(await sent()).toEqual([]);
    world.hub.advance(61);
    const [update, ...more] = await sent();
    expect([update!.inbox, more]).toEqual(["https://far.example/inbox", []]);
    expect(update!.activity).toMatchObject({
      type: "Update",
      actor,
      object: { id: actor, type: "Person", name: "Alma B.", publicKey: { owner: actor } },
      proof: { cryptosuite: "eddsa-jcs-2022" },
      signature: { type: "RsaSignature2017" },
    });
    expect(update!.activity.id).toMatch(/^http:\/\/hub\.example\/channel\/alma#update-\d+$/);
  });

  test("says goodbye to every hub that may know it", async () => {
    await meetActor(world.hub, {
      ...actorOf("eve"),
      id: "https://lone.example/eve",
      address: "eve@lone.example",
      inbox: "https://lone.example/eve/inbox",
      sharedInbox: "",
      keys: [],
    });
    await removeChannel(world.hub, alma.channel.channel_id);
    const all = await sent();
    expect(all.map(({ inbox }) => inbox).toSorted()).toEqual([
      "https://far.example/inbox",
      "https://lone.example/eve/inbox",
    ]);
    expect(all[0]!.activity).toMatchObject({ type: "Delete", actor, object: actor });
  });
});
