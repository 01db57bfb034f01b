import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../test/support/elsewhere.ts";
import { password } from "../../../../test/support/hub.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { changeChannelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import { connect, findConnectionTo, updateConnection } from "../../../domain/connections/connections.ts";
import { listAbconfig } from "../../../domain/connections/abconfig.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { isMember } from "../../../domain/groups/lists-of.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { recordArrival } from "../../../domain/delivery/arrivals.ts";
import { findForeignObserver } from "../../../domain/identity/channels/foreign-observer.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { loadItem } from "../../../domain/items/save.ts";
import { findWrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Item } from "../../../domain/items/types.ts";
import { allListed, nameSuccessorEverywhere } from "../../../jobs/name-successor.ts";
import { inPieces } from "../../../storage/sql.ts";
import { multikey } from "../signatures/multikey.ts";
import { meetAgain, metActor } from "../retrieve/actor.ts";
import { identityStatement } from "../signatures/identity-proofs.ts";

/** People of elsewhere who go on as somebody else (federation contract 11). */

let world: TestApp;
let elsewhere: Elsewhere;
let alma: Person;
let old: Xchan;
let round = 0;

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({ fetch: elsewhere.fetch });
});
afterAll(() => world.close());
beforeEach(async () => {
  alma = await world.person(`alma${++round}`);
  elsewhere.actor(`old${round}`);
  old = (await metActor(world.hub, elsewhere.actor(`old${round}`).id))!;
  await connect(world.hub, alma.channel, old);
});

const followOut = async (hash: string, who = alma) =>
  (await findConnectionTo(world.hub, who.channel.channel_id, hash))?.follow_out;

async function moves(target: string, stamp = "1", by = old.xchan_hash, object = old.xchan_hash): Promise<void> {
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${by}/moves/${round}/${stamp}`,
    type: "Move",
    actor: by,
    object,
    target,
  };
  await recordArrival(world.hub, {
    activityId: activity.id,
    signer: by,
    scheme: "cavage",
    bytes: Buffer.from(JSON.stringify(activity)),
    recipients: [],
    objectId: old.xchan_hash,
  });
  await world.work();
}

test("those who read them read the other from now on, in the same groups", async () => {
  const group = await createGroup(world.hub, alma.channel.channel_id, "Near");
  await addMembers(world.hub, alma.channel.channel_id, group.id, [old.xchan_hash]);
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash] });
  await moves(id);
  expect([await followOut(id), await followOut(old.xchan_hash)]).toEqual(["requested", "none"]);
  // What was said of the former one stays, and the list says why nothing comes from there.
  for (const one of [id, old.xchan_hash])
    expect(await isMember(world.hub, alma.channel.channel_id, group.id, one)).toBe(true);
  elsewhere.actor(`old${round}`, { movedTo: id });
  await meetAgain(world.hub, old.xchan_hash);
  const visitor = visitorOf(world.app);
  await visitor.logIn(`alma${round}`, password);
  const rows = (await visitor.get("/connections")).text.match(/<li\b[^]*?<\/li>/g)!;
  const states = [`old${round}`, `new${round}`].map((nick) =>
    rows.find((row) => row.includes(nick))?.includes("has moved"),
  );
  expect(states).toEqual([true, false]);
});

test("what the lists of a channel say of them holds for the other", async () => {
  const { hub } = world;
  const audience = (more: object) => ({ allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [], ...more });
  const post = (more: object) => postItem(hub, alma.channel, { body: "For few", audience: audience(more) });
  const [forThem, without, other] = [
    await post({ allow_cid: [old.xchan_hash, alma.channel.channel_hash] }),
    await post({ deny_cid: [old.xchan_hash] }),
    await post({ allow_cid: [alma.channel.channel_hash] }),
  ];
  const lists = { allow_cid: `<${old.xchan_hash}>`, deny_cid: "" };
  await hub.db
    .updateTable("channel")
    .set({ channel_allow_cid: lists.allow_cid })
    .where("channel_id", "=", alma.channel.channel_id)
    .execute();
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash] });
  await moves(id);
  const named = async (item: Item) => {
    const { allow_cid, deny_cid } = await loadItem(hub, item.id);
    return [allow_cid, deny_cid].map((list) => list.includes(`<${id}>`));
  };
  expect([await named(forThem), await named(without), await named(other)]).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  expect((await findChannelById(hub, alma.channel.channel_id))?.channel_allow_cid).toBe(`<${old.xchan_hash}><${id}>`);
  const observer = await findForeignObserver(hub, id);
  expect((await findWrittenHere(hub, observer, forThem.uuid))?.item.id).toBe(forThem.id);
  expect(await findWrittenHere(hub, observer, without.uuid)).toBeUndefined();
  // Once more changes nothing.
  const succession = { channel: alma.channel.channel_id, person: old.xchan_hash, successor: id };
  const before = await loadItem(hub, forThem.id);
  await nameSuccessorEverywhere(hub, succession);
  expect(await loadItem(hub, forThem.id)).toEqual(before);
});

test("everything that has access lists is looked at, in steps", async () => {
  const { hub } = world;
  const tables = await hub.db.introspection.getTables();
  const withLists = tables.filter(({ columns }) => columns.some(({ name }) => name.endsWith("allow_cid")));
  expect(allListed.map(({ table }) => table).toSorted()).toEqual(withLists.map(({ name }) => name).toSorted());
  const uid = alma.channel.channel_id;
  const entry = { aid: 1, uid, filesize: 0, creator: "", filetype: "", latest: 1, folder: "", created: "", edited: "" };
  const files = Array.from({ length: 1203 }, (_, n) => ({
    ...entry,
    hash: `step${round}.${n}`,
    filename: `${n}`,
    allow_cid: n % 3 === 0 ? "<https://far.example/before>" : "",
  }));
  for (const piece of inPieces(files)) await hub.db.insertInto("attach").values(piece).execute();
  const [person, successor] = ["https://far.example/before", "https://far.example/after"];
  await nameSuccessorEverywhere(hub, { channel: uid, person, successor });
  const rows = await hub.db.selectFrom("attach").select("allow_cid").where("uid", "=", uid).execute();
  expect(rows.filter(({ allow_cid }) => allow_cid === `<${person}><${successor}>`)).toHaveLength(401);
  expect(rows.filter(({ allow_cid }) => allow_cid === "")).toHaveLength(802);
});

test("what one grants them, and wants of them, holds for the other, of whom nothing was chosen yet", async () => {
  const { hub } = world;
  const uid = alma.channel.channel_id;
  const boris = await world.person(`boris${round}`);
  for (const { channel } of [alma, boris]) {
    const { abook_id } = await connect(hub, channel, old, { shares: false, languages: ["de"] });
    await updateConnection(hub, channel, abook_id, { granted: ["view_profile"], closeness: 7, excl: "boring" });
  }
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash] });
  const chosen = await connect(hub, boris.channel, (await metActor(hub, id))!, { shares: true });
  await updateConnection(hub, boris.channel, chosen.abook_id, { granted: ["view_profile", "chat"], closeness: 9 });
  await moves(id);
  const of = async (who: Person) => {
    const { abook_id, abook_closeness, abook_excl } = (await findConnectionTo(hub, who.channel.channel_id, id))!;
    const rows = await listAbconfig(hub, who.channel.channel_id, { abookId: abook_id });
    const said = rows.filter(({ cat, v }) => cat === "mastodon" || (cat === "my_perms" && v === "1"));
    return [abook_closeness, abook_excl, ...said.map(({ k, v }) => `${k} ${v}`).toSorted()];
  };
  expect(await of(alma)).toEqual([7, "boring", "languages de", "reblogs 0", "view_profile 1"]);
  expect(await of(boris)).toEqual([9, "", "chat 1", "view_profile 1"]);
  expect((await findConnectionTo(hub, uid, id))?.follow_out).toBe("requested");
});

test("not where the other does not name them, whatever the activity says", async () => {
  const { id } = elsewhere.actor(`stranger${round}`);
  await moves(id);
  expect([await followOut(id), await followOut(old.xchan_hash)]).toEqual([undefined, "requested"]);
});

test("nobody is moved by somebody else, nor by what is said of another", async () => {
  const other = elsewhere.actor(`other${round}`).id;
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash, other] });
  await moves(id, "1", old.xchan_hash, other);
  await moves(id, "2", other);
  expect([await followOut(id), await followOut(old.xchan_hash)]).toEqual([undefined, "requested"]);
  // Nor does that stand in the way of what they say themselves.
  await moves(id, "3");
  expect(await followOut(id)).toBe("requested");
});

test("not those who have blocked, ignored or archived them, and nobody twice within a week", async () => {
  const apart = await Promise.all(
    (["blocked", "ignored", "archived"] as const).map(async (state) => {
      const person = await world.person(`${state}${round}`);
      const { abook_id } = await connect(world.hub, person.channel, old);
      await updateConnection(world.hub, person.channel, abook_id, { [state]: true });
      return person;
    }),
  );
  const { id } = elsewhere.actor(`new${round}`, { alsoKnownAs: [old.xchan_hash] });
  await moves(id);
  expect(await followOut(id)).toBe("requested");
  for (const person of apart)
    expect([await followOut(id, person), await followOut(old.xchan_hash, person)]).toEqual([undefined, "requested"]);
  const late = await world.person(`late${round}`);
  await connect(world.hub, late.channel, old);
  await moves(id, "2");
  expect(await followOut(id, late)).toBeUndefined();
  world.hub.advance(7 * 24 * 3600 + 1);
  await moves(id, "3");
  expect(await followOut(id, late)).toBe("requested");
});

test("where the old place does not answer any more, as the new one says, if one key stands behind both", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "pem" }).toString();
  const key = { multikey: multikey(spki), object: privateKey };
  const statedBy = async (id: string) => [await identityStatement(id, key, new Date())];
  const [id, thief] = [`https://far.example/users/new${round}`, `https://far.example/users/thief${round}`];
  elsewhere.actor(`old${round}`, { attachment: await statedBy(old.xchan_hash) });
  await meetAgain(world.hub, old.xchan_hash);
  elsewhere.put(old.xchan_hash, new Error("Nobody answers"));
  // What somebody has said of another actor says nothing of this one.
  elsewhere.actor(`thief${round}`, { attachment: await statedBy(id), alsoKnownAs: [old.xchan_hash] });
  await moves(thief, "1", thief);
  expect(await followOut(thief)).toBeUndefined();
  elsewhere.actor(`new${round}`, { attachment: await statedBy(id) });
  await moves(id, "2", id);
  expect([await followOut(id), await followOut(old.xchan_hash)]).toEqual(["requested", "none"]);
});

test("to a channel of this hub, where its owner has named them", async () => {
  const home = await world.person(`home${round}`);
  const id = `http://hub.example/channel/${home.nick}`;
  await moves(id);
  expect(await followOut(home.channel.channel_hash)).toBeUndefined();
  await changeChannelSettings(world.hub, home.channel.channel_id, { aliases: [old.xchan_hash] });
  await moves(id, "2");
  expect(["requested", "accepted"]).toContain(await followOut(home.channel.channel_hash));
});
