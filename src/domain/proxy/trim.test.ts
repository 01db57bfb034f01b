import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runDue } from "../../jobs/runner.ts";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { picture } from "../../../test/support/pictures.ts";
import { actorOf } from "../../../test/support/actors.ts";
import { newcomer } from "../../../test/support/people.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { connect } from "../connections/connections.ts";
import { meetActor } from "../peers/meet-actor.ts";
import { openMedia } from "./open-media.ts";
import { trimMedia } from "./trim.ts";
import { mediaUsage, setMediaRules } from "./usage.ts";

/** The room that copies of remote media take (federation contract 14). */

let hub: TestHub;
let image: Uint8Array<ArrayBuffer>;
let viewer: Channel;

beforeAll(async () => {
  image = new Uint8Array(await picture(200, 200).png().toBuffer());
  hub = await openTestHub({ fetch: () => Promise.resolve(new Response(image)) });
  viewer = await newcomer(hub, "viewer");
});
beforeEach(async () => {
  await hub.db.deleteFrom("remote_media").execute();
  await setMediaRules(hub, { mediaBudget: 2 ** 30, mediaHostBudget: 2 ** 30 });
});
afterAll(() => hub.close());

const look = (url: string) => openMedia(hub, { url, keeping: "cache" }, viewer);
const rows = async () => {
  const found = await hub.db.selectFrom("remote_media").select(["url", "filesize", "blob"]).orderBy("url").execute();
  return found.map((row) => ({ ...row, name: new URL(row.url).host[0]! + new URL(row.url).pathname.slice(1) }));
};
const names = async () => (await rows()).map(({ name }) => name);

test("what has not been looked at for the longest time goes first", async () => {
  for (const name of ["1", "2", "3", "4"]) {
    await look(`https://a.example/${name}`);
    hub.advance(2 * 24 * 3600);
  }
  await look("https://a.example/1");
  const [one] = await rows();
  expect(await mediaUsage(hub)).toEqual({ copies: 4 * one!.filesize, emoji: 0, people: 0 });
  await trimMedia(hub);
  expect(await names()).toEqual(["a1", "a2", "a3", "a4"]);
  await setMediaRules(hub, { mediaBudget: 2 * one!.filesize });
  await trimMedia(hub);
  expect(await names()).toEqual(["a1", "a4"]);
  const all = new Set((await rows()).map(({ blob }) => blob));
  await runDue(hub);
  const kept = (await Array.fromAsync(hub.blobs.kept())).map(({ name }) => name);
  expect(kept.filter((name) => name.startsWith("remote-")).toSorted()).toEqual([...all].toSorted());
});

test("no host takes the room of the others", async () => {
  for (const name of ["a.example/1", "a.example/2", "a.example/3", "b.example/1"]) {
    await look(`https://${name}`);
    hub.advance(1);
  }
  const [one] = await rows();
  await setMediaRules(hub, { mediaHostBudget: one!.filesize });
  await trimMedia(hub);
  expect(await names()).toEqual(["a3", "b1"]);
  expect(await look("https://a.example/1")).toMatchObject({ type: "image/png" });
});

test("pictures of people go after all others, and those of connections last", async () => {
  await look("https://a.example/1");
  const alma = await newcomer(hub, "alma");
  const people = ["friend", "stranger"].map((nick) => actorOf(nick, { picture: `https://a.example/${nick}` }));
  for (const actor of people) {
    await meetActor(hub, actor);
    await runDue(hub);
    hub.advance(60);
  }
  await connect(hub, alma, { xchan_hash: people[0]!.id });
  const { people: bytes } = await mediaUsage(hub);
  const shown = async () => {
    const found = await hub.db.selectFrom("photo").select("xchan").distinct().where("uid", "=", 0).execute();
    return found.map(({ xchan }) => people.find(({ id }) => id === xchan)!.name).toSorted();
  };
  await setMediaRules(hub, { mediaBudget: bytes });
  await trimMedia(hub);
  expect([await names(), await shown()]).toEqual([[], ["Friend", "Stranger"]]);
  await setMediaRules(hub, { mediaBudget: bytes - 1 });
  await trimMedia(hub);
  expect(await shown()).toEqual(["Friend"]);
  const stranger = await meetActor(hub, people[1]!);
  expect(stranger.xchan_photo_m).toBe("http://hub.example/photo/profile/m/0");
  await runDue(hub);
  expect(await shown()).toEqual(["Friend", "Stranger"]);
});

test("what is known of media without a copy is forgotten after a month", async () => {
  const good = image;
  image = new Uint8Array([1, 2, 3]);
  expect(await look("https://a.example/broken")).toBeUndefined();
  image = good;
  await look("https://a.example/1");
  hub.advance(29 * 24 * 3600);
  await trimMedia(hub);
  expect(await names()).toEqual(["a1", "abroken"]);
  hub.advance(2 * 24 * 3600);
  await trimMedia(hub);
  expect(await names()).toEqual(["a1"]);
});
