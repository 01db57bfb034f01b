import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import type { Arrives } from "../../../../test/support/incoming.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import { addMembers, createGroup, removeMembers } from "../../../domain/groups/groups.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { selectItems } from "../../../domain/items/queries.ts";
import type { Draft, Item } from "../../../domain/items/types.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/** Somebody elsewhere narrows a comment: what is new in it is for those whom it means now (decision 188). */

const everybody = "https://www.w3.org/ns/activitystreams#Public";

let world: TestApp;
let arrives: Arrives;
/** Alma and Bob follow Carla, and Alma follows Dora. Carla, Dora and Eva are of elsewhere. */
let alma: Person;
let bob: Person;
let carla: Xchan;
let dora: Xchan;
let eva: Xchan;

beforeAll(async () => {
  world = await openTestApp({
    fetch(_, { method } = {}) {
      // What goes out is taken; nobody is found, and nobody is gone.
      return Promise.resolve(new Response(null, { status: method === "POST" ? 202 : 503 }));
    },
  });
  arrives = arrivesIn(world.hub);
  [alma, bob] = [await world.person("alma", { role: "social" }), await world.person("bob", { role: "social" })];
  [carla, dora] = [await meetActor(world.hub, actorOf("carla")), await meetActor(world.hub, actorOf("dora"))];
  eva = await meetActor(world.hub, actorOf("eva"));
  for (const [who, whom] of [
    [alma, carla],
    [bob, carla],
    [alma, dora],
  ] as const) {
    await connect(world.hub, who.channel, whom);
    await receiveAccept(world.hub, who.channel, whom);
  }
  await befriend(world.hub, alma.channel, bob.channel);
  for (const { channel } of [alma, bob])
    await setPermissionLimits(world.hub, channel.channel_id, { post_comments: limits.authenticated });
});
afterAll(() => world.close());

let last = 0;
const followers = (who: Xchan) => `${who.xchan_hash}/followers`;
const idOf = ({ nick }: Person) => `http://hub.example/channel/${nick}`;

type Note = { id: string; [name: string]: unknown };

function note(by: Xchan, more: object = {}): Note {
  last += 1;
  const at = { attributedTo: by.xchan_hash, to: [everybody], cc: [followers(by)], published: "2026-03-01T11:00:00Z" };
  return { id: `https://far.example/notes/${last}`, type: "Note", ...at, content: "<p>for all</p>", ...more };
}

const says = (type: string, object: Note) =>
  arrives({
    id: `https://far.example/deeds/${(last += 1)}`,
    type,
    actor: object["attributedTo"],
    object,
    to: object["to"],
    cc: object["cc"],
  });

let minute = 10;
const version = (of: Note, words: string, to: string[], more: object = {}): Promise<void> =>
  says("Update", {
    ...of,
    content: `<p>${words}</p>`,
    updated: `2026-03-01T11:${++minute}:00Z`,
    to,
    cc: [],
    ...more,
  });

const copyOf = (who: Person, { id }: Note): Promise<Item | undefined> =>
  selectItems(world.hub)
    .where("message.mid", "=", id)
    .where("item.uid", "=", who.channel.channel_id)
    .where("item.item_deleted", "=", 0)
    .executeTakeFirst();
const read = async (of: Note) => [(await copyOf(alma, of))?.plain, (await copyOf(bob, of))?.plain];
const publicly = async (of: Item | Note) => {
  const { uuid } = "uuid" in of ? (of as Item) : (await copyOf(bob, of))!;
  const { status, text } = await world.anonymous.get(`/display/${uuid}`);
  return status === 200 ? [...new Set(text.match(/for (all|few)/g))] : status;
};

describe("in a thread of elsewhere", () => {
  test("says what is new to those who follow its author, or are named, until it means the others again", async () => {
    const top = note(carla, { content: "<p>the top</p>" });
    await says("Create", top);
    const answer = note(dora, { inReplyTo: top.id });
    await says("Create", answer);
    expect([await read(answer), await publicly(answer)]).toEqual([["for all", "for all"], ["for all"]]);
    const { id } = (await copyOf(bob, answer))!;
    await version(answer, "for few", [followers(dora)]);
    expect([await read(answer), await publicly(answer)]).toEqual([["for few", "for all"], 404]);
    expect((await bob.get("/api/z/1.0/network/stream", { nouveau: 1 })).text).not.toContain("for few");
    await version(answer, "for few, and Bob", [followers(dora), idOf(bob)]);
    expect(await read(answer)).toEqual(["for few, and Bob", "for few, and Bob"]);
    await version(answer, "for few alone", [followers(dora)]);
    expect(await read(answer)).toEqual(["for few alone", "for few, and Bob"]);
    await version(answer, "for all again", [everybody]);
    expect(await read(answer)).toEqual(["for all again", "for all again"]);
    expect((await copyOf(bob, answer))?.id).toBe(id);
    await says("Delete", answer);
    expect(await read(answer)).toEqual([undefined, undefined]);
  });

  test("is for all who have the thread where that is private, and it is for its owner", async () => {
    const top = note(carla, { to: [followers(carla)], cc: [] });
    await says("Create", top);
    const answer = note(dora, { inReplyTo: top.id });
    await says("Create", answer);
    await version(answer, "for the thread", [carla.xchan_hash], { cc: [followers(carla)] });
    expect(await read(answer)).toEqual(["for the thread", "for the thread"]);
    await version(answer, "for few", [followers(dora)]);
    expect(await read(answer)).toEqual(["for few", "for the thread"]);
  });
});

describe("in a thread of this hub", () => {
  /** Eva, whom nobody here follows, answers Bob, from whom Alma has it. */
  async function answered(draft: Partial<Draft> = {}, more: object = {}): Promise<{ top: Item; answer: Note }> {
    const top = await postItem(world.hub, bob.channel, { body: "ours", ...draft });
    await world.work();
    const answer = note(eva, { inReplyTo: top.mid, ...more });
    await says("Create", answer);
    await world.work();
    expect(await read(answer)).toEqual(["for all", "for all"]);
    return { top, answer };
  }

  test("says it to its owner and whom it means besides, and to nobody who looks at the wall", async () => {
    const { top, answer } = await answered();
    expect(await publicly(top)).toEqual(["for all"]);
    await version(answer, "for few", [followers(eva), idOf(bob)]);
    await world.work();
    expect([await read(answer), await publicly(top), await publicly(answer)]).toEqual([
      ["for all", "for few"],
      [],
      404,
    ]);
    await version(answer, "for few of us", [followers(eva), idOf(bob), idOf(alma)]);
    expect([await read(answer), await publicly(top)]).toEqual([["for few of us", "for few of us"], []]);
  });

  test("closes where it is not for the owner: all keep it as it was, until it is for the owner again", async () => {
    const { top, answer } = await answered();
    await version(answer, "for few", [followers(eva), idOf(alma)]);
    expect([await read(answer), await publicly(top)]).toEqual([["for all", "for all"], []]);
    await says("Update", { ...answer, content: "<p>for few, older</p>", updated: "2026-03-01T11:05:00Z" });
    expect([await read(answer), await publicly(top)]).toEqual([["for all", "for all"], []]);
    await version(answer, "for both", [followers(eva), idOf(bob), idOf(alma)]);
    expect(await read(answer)).toEqual(["for both", "for both"]);
  });

  test("closes where it becomes a message", async () => {
    const { top, answer } = await answered();
    await version(answer, "for few", [idOf(alma)], { tag: [{ type: "Mention", href: idOf(alma), name: "@alma" }] });
    expect([await read(answer), await publicly(top)]).toEqual([["for all", "for all"], []]);
  });

  test("stays for the thread where that is private, whatever it claims, and for those who are still in it", async () => {
    const { channel_id } = bob.channel;
    const group = await createGroup(world.hub, channel_id, "Round");
    await addMembers(world.hub, channel_id, group.id, [alma.channel.channel_hash]);
    const { answer } = await answered({
      audience: { allow_cid: [eva.xchan_hash], allow_gid: [group.hash], deny_cid: [], deny_gid: [] },
    });
    await version(answer, "for few", [followers(eva), idOf(bob)]);
    expect(await read(answer)).toEqual(["for few", "for few"]);
    await removeMembers(world.hub, channel_id, group.id, [alma.channel.channel_hash]);
    await version(answer, "for all, and few", [everybody]);
    expect(await read(answer)).toEqual(["for few", "for all, and few"]);
    await version(answer, "for Alma", [followers(eva), idOf(bob), idOf(alma)]);
    expect(await read(answer)).toEqual(["for few", "for Alma"]);
  });
});
