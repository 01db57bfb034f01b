import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import type { Arrives } from "../../../../test/support/incoming.ts";
import { size } from "../../../../test/support/size.ts";
import { connect, receiveAccept } from "../../../domain/connections/connections.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { selectItems } from "../../../domain/items/queries.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { HubError } from "../../../errors.ts";

/** Whatever comes from elsewhere, in whatever order and how often: it ends alike, and nothing breaks. */

const everybody = "https://www.w3.org/ns/activitystreams#Public";

let world: TestApp;
let arrives: Arrives;
let alma: Person;
let carla: Xchan;
const documents = new Map<string, object | undefined>();

beforeAll(async () => {
  const answerFrom = (url: string): Promise<Response> => {
    const document = documents.get(url);
    const headers = { "content-type": "application/activity+json" };
    return Promise.resolve(
      new Response(JSON.stringify(document ?? {}), {
        status: document ? 200 : documents.has(url) ? 410 : 503,
        headers,
      }),
    );
  };
  world = await openTestApp({ fetch: answerFrom });
  arrives = arrivesIn(world.hub);
  alma = await world.person("alma");
  carla = await followed("carla");
});
afterAll(() => world.close());

async function followed(nick: string, id?: string): Promise<Xchan> {
  const described = actorOf(nick, id === undefined ? {} : { id, inbox: `${id}#inbox`, keys: [] });
  const xchan = await meetActor(world.hub, described);
  await connect(world.hub, alma.channel, xchan);
  await receiveAccept(world.hub, alma.channel, xchan);
  return xchan;
}

/** Everything that Carla did with three posts, in the order in which she did it. */
function history(round: number): { activities: object[]; posts: string[] } {
  const actor = carla.xchan_hash;
  const id = (name: string): string => `https://far.example/${round}/${name}`;
  const note = (name: string, content: string, more: object = {}) => ({
    id: id(name),
    type: "Note",
    attributedTo: actor,
    to: [everybody],
    content,
    published: "2026-03-01T10:00:00Z",
    ...more,
  });
  const done = (type: string, object: unknown) => ({
    id: id(`${type}-${JSON.stringify(object).length}`),
    type,
    actor,
    object,
    to: [everybody],
  });
  const top = (version: number) => note("top", `version ${version}`, { updated: `2026-03-01T11:0${version}:00Z` });
  const answer = note("answer", "answer", { inReplyTo: id("top") });
  const like = done("Like", id("top"));
  documents.set(id("top"), top(3));
  documents.set(id("answer"), answer);
  documents.set(id("gone"), undefined);
  const activities = [
    done("Create", note("top", "version 1")),
    done("Update", top(2)),
    done("Create", answer),
    done("Create", note("gone", "gone")),
    like,
    { ...done("Undo", like), object: like },
    done("Delete", id("gone")),
    { ...done("Update", top(3)), id: id("last") },
  ];
  return { activities, posts: ["top", "answer", "gone"].map(id) };
}

async function stateOf(posts: readonly string[]) {
  const rows = await selectItems(world.hub)
    .where("item.uid", "=", alma.channel.channel_id)
    .where("message.parent_mid", "in", posts)
    .where("item.item_deleted", "=", 0)
    .orderBy("message.mid")
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.map(({ mid, plain, parent, thr_parent_id, item_unseen }) => [
    basename(mid),
    plain,
    basename(byId.get(parent)?.mid ?? ""),
    basename(byId.get(thr_parent_id)?.mid ?? ""),
    item_unseen,
  ]);
}

test("a set of activities ends alike in every order, however often each comes", async () => {
  let round = 0;
  const orders = fc.array(fc.nat(7), { minLength: 0, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(orders, fc.infiniteStream(fc.nat(1000)), async (repeats, keys) => {
      const { activities, posts } = history((round += 1));
      const all = [...activities, ...repeats.map((at) => activities[at]!)].map(
        (one) => [keys.next().value!, one] as const,
      );
      for (const [, one] of all.toSorted(([a], [b]) => a - b)) await arrives(one);
      expect(await stateOf(posts)).toEqual([
        ["answer", "answer", "top", "top", 1],
        ["top", "version 3", "top", "top", 1],
      ]);
    }),
    { numRuns: size(15, 150) },
  );
});

const corpus = globSync(join(import.meta.dirname, "../translate/corpus/*.json")).toSorted();

type Document = { id?: string; type?: string; actor?: unknown; attributedTo?: unknown; to?: unknown };

test("documents of sixteen servers are taken, or refused, and none breaks anything", async () => {
  const people = new Set<string>();
  let at = 0;
  for (const file of corpus)
    for (const document of JSON.parse(readFileSync(file, "utf8")) as Document[]) {
      const said = document.actor ?? document.attributedTo;
      const [by] = [said].flat().map((one) => (typeof one === "string" ? one : (one as { id?: string })?.id));
      if (by === undefined) continue;
      if (!people.has(by)) await followed(`person${(at += 1)}`, by);
      people.add(by);
      const activity = document.actor
        ? document
        : { id: `${document.id}#create`, type: "Create", actor: by, object: document, to: document.to };
      for (const inboxes of [[], [alma.channel]])
        await arrives(activity, inboxes, by).catch((error: unknown) => {
          if (!(error instanceof HubError)) throw error;
        });
    }
  const stored = await selectItems(world.hub)
    .where("item.uid", "=", alma.channel.channel_id)
    .where("message.mid", "not like", "https://far.example/%")
    .execute();
  expect(stored.length).toBeGreaterThanOrEqual(14);
  expect((await alma.get("/api/statuses/home_timeline", { count: "100" })).status).toBe(200);
  expect((await alma.get("/api/z/1.0/network/stream", { records: "100" })).status).toBe(200);
});
