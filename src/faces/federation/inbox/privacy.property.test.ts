import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { pages } from "../../../../test/support/doors.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import type { Arrives } from "../../../../test/support/incoming.ts";
import { befriend } from "../../../../test/support/people.ts";
import { readsAs } from "../../../../test/support/reads-as.ts";
import { keys, now, pemOf } from "../../../../test/support/signed-requests.ts";
import { size } from "../../../../test/support/size.ts";
import { block, connect, receiveAccept } from "../../../domain/connections/connections.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/**
 * What somebody elsewhere writes for a random audience, and an answer that claims a wider one, among people here who follow the
 * author or not and are all connected with each other: it is seen by those for whom it is, and by nobody else at any door.
 */

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const nicks = ["alma", "bruno", "cleo", "dora"];
const indexes = nicks.map((_, index) => index);

type State = "follows" | "asked" | "stranger" | "blocked";
type Case = {
  states: State[];
  isPublic: boolean;
  followers: boolean;
  named: number[];
  /** To whose own inboxes it came, without naming them. */
  told: number[];
  answer: "public" | "alike";
};

const some = fc.subarray(indexes, { maxLength: 2 });
const cases: fc.Arbitrary<Case> = fc.record({
  states: fc.tuple(...indexes.map(() => fc.constantFrom<State>("follows", "follows", "asked", "stranger", "blocked"))),
  isPublic: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
  followers: fc.integer({ min: 0, max: 3 }).map((dice) => dice > 0),
  named: some,
  told: some,
  answer: fc.constantFrom("public", "alike"),
});

let world: TestApp;
let arrives: Arrives;
let here: Person[];
/** Another one elsewhere, who answers what Carla writes and reads with a signature, like Carla. */
let dave: Xchan;

const meet = (nick: string): Promise<Xchan> => {
  const actor = actorOf(nick);
  return meetActor(world.hub, { ...actor, keys: [{ ...actor.keys[0]!, key: pemOf(keys.ann.publicKey) }] });
};

beforeAll(async () => {
  world = await openTestApp({ clock: now, fetch: () => Promise.resolve(new Response("", { status: 503 })) });
  arrives = arrivesIn(world.hub);
  here = await Promise.all(nicks.map((nick) => world.person(nick)));
  for (const [index, one] of here.entries())
    for (const other of here.slice(index + 1)) await befriend(world.hub, one.channel, other.channel);
  dave = await meet("dave");
});
afterAll(() => world.close());

async function relate({ channel }: Person, author: Xchan, state: State): Promise<void> {
  const { hub } = world;
  if (state === "follows" || state === "asked") await connect(hub, channel, author);
  if (state === "follows") await receiveAccept(hub, channel, author);
  if (state === "blocked") await block(hub, channel, author);
}

/** For whom it is (federation contract 5, 6.4), in plain words. */
function isFor({ states, isPublic, followers, named, told }: Case, person: number): boolean {
  if (states[person] === "blocked") return false;
  if (states[person] === "follows" && (isPublic || followers)) return true;
  return named.includes(person) || (!isPublic && !followers && told.includes(person));
}

async function contents(person: Person, mid: string): Promise<string> {
  const answers = await Promise.all([
    person.get("/api/z/1.0/item/full", { mid }),
    person.get("/api/z/1.0/network/stream", { records: 20 }),
    person.get("/api/statuses/home_timeline", { count: 20 }),
    person.get("/api/statuses/networkpublic_timeline", { count: 20 }),
    person.get("/api/statuses/mentions", { count: 20 }),
    person.get("/api/search", { q: "marmalade" }),
  ]);
  return answers.map(({ text }) => text).join("\n");
}

/** All that people without a log-in find, with and without a signature, by every name that the copies have. */
async function strangersFind(mids: readonly string[], signers: readonly Xchan[]): Promise<string> {
  const rows = await world.hub.db.selectFrom("message").select(["mid", "uuid"]).where("mid", "in", mids).execute();
  const found: string[] = [];
  for (const { mid, uuid } of rows) {
    for (const [, open] of pages) found.push((await open(world.anonymous, { id: 0, mid, uuid })).text);
    for (const { xchan_hash } of signers)
      for (const path of [`/item/${uuid}`, `/item/${uuid}/replies`, `/conversation/${uuid}`])
        found.push((await readsAs(world.anonymous, path, xchan_hash)).text);
  }
  return found.join("\n");
}

test("it is seen by those for whom it is, and by nobody else", async () => {
  let count = 0;
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const number = ++count;
      const author = await meet(`carla${number}`);
      for (const index of indexes) await relate(here[index]!, author, one.states[index]!);
      const secrets = { top: `marmalade${number}x`, answer: `marmalade${number}y` };
      const id = (name: string): string => `https://far.example/notes/${number}/${name}`;
      const to = [
        ...(one.isPublic ? [everybody] : []),
        ...(one.followers ? [`${author.xchan_hash}/followers`] : []),
        ...one.named.map((index) => `http://hub.example/channel/${nicks[index]}`),
      ];
      const inboxes = one.told.map((index) => here[index]!.channel);
      const writes = (name: keyof typeof secrets, by: Xchan, addressed: string[], more: object = {}) => {
        const content = `<p>${secrets[name]}</p>`;
        const note = { id: id(name), type: "Note", attributedTo: by.xchan_hash, to: addressed, content, ...more };
        const create = { id: id(`${name}/create`), type: "Create", actor: by.xchan_hash, to: addressed, object: note };
        return arrives(create, name === "top" ? inboxes : []);
      };
      await writes("top", author, to);
      const wide = one.answer === "public" ? [everybody] : to;
      await writes("answer", dave, wide, { inReplyTo: id("top") });
      await world.work();
      // What names nobody at all is a message to those whose inboxes it came to, and stands in no stream.
      const isPost = to.length > 0;
      for (const index of indexes) {
        const found = await contents(here[index]!, id("top"));
        const wanted = isPost && isFor(one, index);
        if (wanted || !one.isPublic) expect([index, found.includes(secrets.top)]).toEqual([index, wanted]);
        if (wanted) seen += 1;
        // Dave's own words are for those whom he names, wherever they stand.
        const named = one.answer === "alike" && one.named.includes(index);
        if (!wanted && !named && !one.isPublic) expect([index, found.includes(secrets.answer)]).toEqual([index, false]);
      }
      if (one.isPublic) return;
      const found = await strangersFind([id("top"), id("answer")], [author, dave]);
      for (const secret of Object.values(secrets)) expect(found).not.toContain(secret);
    }),
    { numRuns: size(25, 400) },
  );
  expect(seen).toBeGreaterThan(5);
});
