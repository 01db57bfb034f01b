import { afterAll, beforeAll, expect, test } from "vitest";
import { findConnectionTo } from "../../src/domain/connections/connections.ts";
import { changeChannelSettings } from "../../src/domain/identity/channels/channel-settings.ts";
import { meetAgain } from "../../src/faces/federation/retrieve/actor.ts";
import { hubbubProcess, newPlace, openPlace, serve } from "../support/command.ts";
import type { Place, Serving } from "../support/command.ts";
import { makeChannel } from "../support/hub.ts";
import { inhabitant, openHubs } from "../support/hubs.ts";
import type { Inhabitant, TestHubs } from "../support/hubs.ts";

/** An operator moves a channel by a command, while the hub serves, to an account of another hub (federation contract 11). */

let world: TestHubs;
let place: Place;
let serving: Serving;
let ben: Inhabitant;
let cleo: Inhabitant;
const anna = (): string => `${place.url}/channel/anna`;

beforeAll(async () => {
  world = await openHubs(1);
  const made = await newPlace();
  place = { ...made, env: { ...made.env, HUBBUB_BASE_URL: made.url, HUBBUB_ALLOW_PRIVATE: "on" } };
  const hub = await openPlace(place);
  await makeChannel(hub, "anna", { role: "feed" });
  await hub.close();
  serving = await serve(place);
  [ben, cleo] = [await inhabitant(world.hubs[0]!, "ben"), await inhabitant(world.hubs[0]!, "cleo")];
});
afterAll(async () => {
  await serving?.stop();
  await place?.remove();
  await world.close();
});

/** Whom ben follows: who it is by the hash, and how that stands once the hub at hand has done its part. */
async function follows(hash: string) {
  // The hub of the place is at the present time.
  ben.at.hub.setClock(new Date());
  await world.settle();
  return (await findConnectionTo(ben.at.hub, ben.channel.channel_id, hash))?.follow_out;
}

const move = () => hubbubProcess(place, ["channel", "move", "anna", `cleo@${cleo.at.host}`, "--json"]);

test("hubbub channel move: refused until the account names the channel, and then its followers follow that", async () => {
  const { xchan_id } = (await meetAgain(ben.at.hub, anna()))!;
  await ben.post("/api/friendships/create", { user_id: xchan_id });
  await expect.poll(() => follows(anna())).toBe("accepted");
  const refused = await move();
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  await changeChannelSettings(cleo.at.hub, cleo.channel.channel_id, { aliases: [anna()] });
  const { code, stdout, stderr } = await move();
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ nick: "anna", moved_to: cleo.id });
  await expect.poll(() => follows(cleo.channel.channel_hash)).toBe("accepted");
  expect(await follows(anna())).toBe("none");
  const document = await fetch(anna(), { headers: { accept: "application/activity+json" } });
  expect(await document.json()).toMatchObject({ movedTo: cleo.id });
});
