import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import type { Arrives } from "../../../../test/support/incoming.ts";
import { now } from "../../../../test/support/signed-requests.ts";
import { size } from "../../../../test/support/size.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import { nobody } from "../../../domain/items/audience.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import type { Item } from "../../../domain/items/types.ts";
import { listNotices } from "../../../domain/notifications/notices.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/**
 * Owners of threads and groups of elsewhere say for whom of this hub something is that somebody here said (decisions 171, 176), and
 * others say so who have no say in it: of anything, in any name, for anybody, once or twice, before and after it is deleted.
 */

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const idOf = (nick: string): string => `https://far.example/users/${nick}`;
/** Ann has a private thread that Ben and Cleo read; both are members of the club, and everybody here follows everybody there. */
const speakers = { ann: "Person", amy: "Person", club: "Group", mob: "Group" } as const;
type Speaker = keyof typeof speakers;
const names = Object.keys(speakers) as Speaker[];
const nicks = ["ben", "cleo", "dora"] as const;
type Nick = (typeof nicks)[number];

let world: TestApp;
let arrives: Arrives;
let people: Record<Nick, Person>;
let count = 0;

/** What Ben, or somebody else, has said, and whose word counts for whom it is besides. */
const said = {
  "an answer in a thread of Ann's": { owner: "ann", readers: ["cleo"], make: () => answerTo("ann") },
  "an answer in a thread of the club's": { owner: "club", readers: ["cleo"], make: () => answerTo("club") },
  "a post for the club alone": { owner: "club", readers: ["cleo"], make: () => postFor("club") },
  "a post for the club and Amy": { owner: undefined, readers: [], make: () => postFor("club", "amy") },
  "a post for Ann alone": { owner: undefined, readers: [], make: () => postFor("ann") },
  "a note to himself": { owner: undefined, readers: [], make: () => post("ben", { publicPolicy: "self" }) },
  "an answer in a thread of his own": { owner: undefined, readers: [], make: ownAnswer },
  "what Dora wrote for Ann": { owner: undefined, readers: [], make: () => postFor("ann", "ann", "dora") },
} as const satisfies Record<
  string,
  { owner: Speaker | undefined; readers: readonly Nick[]; make: () => Promise<Item> }
>;
type Kind = keyof typeof said;

type Case = {
  kind: Kind;
  type: "Add" | "Announce";
  actor: Speaker;
  signer: Speaker;
  /** Whose the container says to be, and at whose host it is. */
  target: "theirs" | "another's" | "none";
  named: Nick[];
  /** Besides those who are named. */
  wide: "nobody" | "followers" | "everybody";
  id: "activity" | "fragment" | "object";
  when: "before" | "deleted";
};

const cases: fc.Arbitrary<Case> = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(said) as Kind[])),
    type: fc.constantFrom("Add", "Announce"),
    actor: fc.constantFrom(...names),
    honest: fc.integer({ min: 0, max: 3 }).map((dice) => dice > 0),
    other: fc.constantFrom(...names),
    target: fc.constantFrom("theirs", "theirs", "another's", "none"),
    named: fc.subarray([...nicks]),
    wide: fc.constantFrom("nobody", "nobody", "followers", "everybody"),
    id: fc.constantFrom("activity", "fragment", "object"),
    when: fc.constantFrom("before", "before", "before", "deleted"),
  })
  .map(({ honest, other, ...one }) => ({
    ...one,
    actor: honest ? (said[one.kind].owner ?? one.actor) : one.actor,
    other,
    honest,
  }))
  .map(({ honest, other, ...one }) => ({ ...one, signer: honest ? one.actor : other })) as fc.Arbitrary<Case>;

beforeAll(async () => {
  // Everything is taken there, and nothing is found.
  const answer: typeof fetch = (_, how) =>
    Promise.resolve(new Response("", { status: how?.method === "POST" ? 202 : 404 }));
  world = await openTestApp({ clock: now, fetch: answer });
  arrives = arrivesIn(world.hub);
  const made = await Promise.all(nicks.map((nick) => world.person(nick, { role: "feed" })));
  people = Object.fromEntries(nicks.map((nick, index) => [nick, made[index]!])) as Record<Nick, Person>;
  for (const name of names) {
    const actor = await meetActor(world.hub, actorOf(name, { type: speakers[name] }));
    for (const nick of nicks) {
      if (name === "club" && nick === "dora") continue;
      await connect(world.hub, people[nick].channel, actor);
      await receiveAccept(world.hub, people[nick].channel, actor);
    }
  }
});
afterAll(() => world.close());

const here = (nick: Nick): string => `http://hub.example/channel/${nick}`;

/** Something that is for Ben and Cleo, by somebody elsewhere, and what Ben answers. */
async function answerTo(owner: Speaker): Promise<Item> {
  const id = `https://far.example/notes/${++count}`;
  const to = [here("ben"), here("cleo")];
  const note = { id, type: "Note", attributedTo: idOf(owner), to, content: "<p>top</p>", context: `${id}/context` };
  await arrives({ id: `${id}/create`, type: "Create", actor: idOf(owner), to, object: note });
  return post("ben", { parent: { mid: id } });
}

async function post(nick: Nick, draft: object): Promise<Item> {
  const item = await postItem(world.hub, people[nick].channel, { body: `quince${++count}`, ...draft });
  await world.work();
  return item;
}

function postFor(one: Speaker, other: Speaker = one, by: Nick = "ben"): Promise<Item> {
  return post(by, { audience: { ...nobody, allow_cid: [...new Set([idOf(one), idOf(other)])] } });
}

async function ownAnswer(): Promise<Item> {
  const { mid } = await postFor("ann", "club");
  return post("ben", { parent: { mid } });
}

function isMeant({ kind, type, actor, signer, target, named, wide, when }: Case, nick: Nick): boolean {
  const { owner, readers } = said[kind];
  const isOwners = owner === actor && signer === actor && (type === "Announce" || target === "theirs");
  const isNamed = named.includes(nick) || wide !== "nobody";
  return when === "before" && isOwners && isNamed && (readers as readonly Nick[]).includes(nick);
}

function telling({ type, actor, target, named, wide, id }: Case, { uuid }: Item): object {
  const [base, other] = [idOf(actor), idOf(names.find((name) => name !== actor)!)];
  const path = id === "object" ? `item/${uuid}` : `activity/${uuid}${id === "fragment" ? "#update-1" : ""}`;
  const whose = target === "theirs" ? base : other;
  const collection = { id: `${base}/history/${count}`, type: "OrderedCollection", attributedTo: whose };
  const more = { followers: [`${base}/followers`], everybody: [everybody], nobody: [] }[wide];
  return {
    id: `${base}/tells/${++count}`,
    type,
    actor: base,
    to: [...named.map(here), ...more],
    object: {
      id: `http://hub.example/${path}`,
      type: "Create",
      actor: here("ben"),
      object: `http://hub.example/item/${uuid}`,
    },
    ...(type === "Add" && target !== "none" && { target: collection }),
  };
}

async function have(item: Item): Promise<string[]> {
  const rows = await world.hub.db
    .selectFrom("item")
    .innerJoin("channel", "channel.channel_id", "item.uid")
    .select("channel_address")
    .where("message_id", "=", item.message_id)
    .where("item_deleted", "=", 0)
    .where("item_private", "=", 1)
    .execute();
  return rows.map((row) => row.channel_address).toSorted();
}

const heard = async (): Promise<number[]> =>
  Promise.all(nicks.map(async (nick) => (await listNotices(world.hub, people[nick].channel.channel_id)).length));

test("only the owner's word counts, for those alone who have the thread or follow the group", async () => {
  let given = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const item = await said[one.kind].make();
      const before = await have(item);
      if (one.when === "deleted") await deleteItem(world.hub, people[before[0] as Nick].channel, { mid: item.mid });
      const activity = telling(one, item);
      await arrives(activity, [people.dora.channel], idOf(one.signer));
      const meant = nicks.filter((nick) => isMeant(one, nick));
      given += meant.length;
      const wanted = one.when === "deleted" ? [] : [...before, ...meant].toSorted();
      expect(await have(item)).toEqual(wanted);
      const told = await heard();
      await arrives({ ...activity, id: `${idOf(one.actor)}/tells/${++count}` }, [], idOf(one.signer));
      await world.work();
      expect([await have(item), await heard()]).toEqual([wanted, told]);
    }),
    { numRuns: size(40, 1000) },
  );
  expect(given).toBeGreaterThan(0);
});
