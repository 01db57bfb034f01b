import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { arrivesIn } from "../../../../test/support/incoming.ts";
import { connect, receiveAccept } from "../../connections/connections.ts";
import { setPermissionLimits } from "../../identity/channels/permission-limits.ts";
import { limits } from "../../identity/channels/roles.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { meetActor } from "../../peers/meet-actor.ts";
import { postItem } from "../posting/post.ts";
import { ownersOf } from "./owners.ts";

const everybody = "https://www.w3.org/ns/activitystreams#Public";
const statements: string[] = [];
let world: TestApp;
/** Alma follows Carla, of another hub. Dora is of elsewhere, and nobody follows her. */
let alma: Person;
let [carla, dora]: Xchan[] = [];

beforeAll(async () => {
  world = await openTestApp({ onQuery: ({ query }) => void statements.push(query.sql) });
  alma = await world.person("alma", { role: "social" });
  await setPermissionLimits(world.hub, alma.channel.channel_id, { post_comments: limits.authenticated });
  [carla, dora] = [await meetActor(world.hub, actorOf("carla")), await meetActor(world.hub, actorOf("dora"))];
  await connect(world.hub, alma.channel, carla);
  await receiveAccept(world.hub, alma.channel, carla);
});
afterAll(() => world.close());

async function writes({ xchan_hash: actor }: Xchan, id: string, inReplyTo?: string): Promise<string> {
  const object = { id, type: "Note", attributedTo: actor, to: [everybody], content: "Words", inReplyTo };
  await arrivesIn(world.hub)({ id: `${id}#create`, type: "Create", actor, to: [everybody], object });
  return id;
}

test("whose a post or comment is, and whose its thread, here and elsewhere", async () => {
  const own = await postItem(world.hub, alma.channel, { body: "Mine" });
  const atHome = `${world.hub.config.baseUrl}/item/${own.uuid}`;
  const theirs = await writes(carla!, "https://far.example/notes/carla");
  const below = await writes(dora!, "https://far.example/notes/dora", theirs);
  const here = await writes(dora!, "https://far.example/notes/dora-here", atHome);
  const [ofAlma, ofCarla, ofDora] = [{ nick: "alma" }, { hash: carla!.xchan_hash }, { hash: dora!.xchan_hash }];
  expect(await ownersOf(world.hub, atHome)).toEqual({ author: ofAlma, threadOwner: ofAlma });
  expect(await ownersOf(world.hub, theirs)).toEqual({ author: ofCarla, threadOwner: ofCarla });
  expect(await ownersOf(world.hub, below)).toEqual({ author: ofDora, threadOwner: ofCarla });
  expect(await ownersOf(world.hub, here)).toEqual({ author: ofDora, threadOwner: ofAlma });
  expect(await ownersOf(world.hub, "https://far.example/notes/nowhere")).toEqual({});
});

test("whose a post of elsewhere is takes three statements: the message, a copy, and whether its thread is owned here", async () => {
  const id = await writes(carla!, "https://far.example/notes/counted");
  statements.length = 0;
  await ownersOf(world.hub, id);
  expect(statements).toHaveLength(3);
});
