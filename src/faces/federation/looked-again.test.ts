import { afterAll, beforeAll, expect, test } from "vitest";
import { almaAndEva } from "../../../test/support/alma-and-eva.ts";
import type { AlmaAndEva } from "../../../test/support/alma-and-eva.ts";
import { pollOf } from "../../domain/items/poll.ts";
import { vote } from "../../domain/items/posting/vote.ts";
import { linksOfMine } from "../../domain/people/verify-links.ts";
import { everybody } from "./everybody.ts";
import { meetAgain, metActor } from "./retrieve/actor.ts";

/** What is asked for again when somebody looks: counts of polls, and links that may lead back (federation contract 1.2, 4.1). */

let { world, elsewhere, arrives, alma, eva, member } = {} as AlmaAndEva;

const far = "https://far.example";
let count = 0;

const fields = (...links: string[]) =>
  links.map((url) => ({ type: "PropertyValue", name: "Page", value: `<a href="${url}" rel="me">${url}</a>` }));
const page = (html: string) => () => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
const asked = async (): Promise<string[]> => {
  elsewhere.asked.length = 0;
  await world.work();
  return elsewhere.asked.filter(({ options }) => options.method !== "POST").map(({ url }) => url);
};

beforeAll(async () => {
  ({ world, elsewhere, arrives, alma, eva, member } = await almaAndEva());
});
afterAll(() => world.close());

/** A poll of Eva's with these counts, as it came, and as her server has it afterwards. */
async function poll(more: object = {}) {
  const id = `${far}/polls/${++count}`;
  const question = (tea: number, milk: number, other: object = {}) => ({
    id,
    type: "Question",
    attributedTo: eva.xchan_hash,
    to: [everybody],
    content: "<p>Which?</p>",
    published: "2026-02-01T00:00:00Z",
    oneOf: [
      ["Tea", tea],
      ["Milk", milk],
    ].map(([name, totalItems]) => ({ type: "Note", name, replies: { type: "Collection", totalItems } })),
    votersCount: tea + milk,
    ...more,
    ...other,
  });
  await arrives({ id: `${id}/create`, type: "Create", actor: eva.xchan_hash, to: [everybody], object: question(1, 0) });
  const row = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "uuid"])
    .where("mid", "=", id)
    .executeTakeFirstOrThrow();
  const stored = async () => {
    const message = await world.hub.db
      .selectFrom("message")
      .select(["obj_type", "obj", "edited", "created", "html"])
      .where("mid", "=", id)
      .executeTakeFirstOrThrow();
    return { ...message, votes: pollOf(message)!.options.map(({ votes }) => votes) };
  };
  return { mid: id, ...row, question, stored, look: () => member.get(`/display/${row.uuid}`) };
}

test("counts of a poll are asked for when a member looks, once in five minutes, and nothing else is taken over", async () => {
  const { mid, question, stored, look } = await poll();
  elsewhere.put(mid, question(5, 3, { content: "<p>Altered</p>" }));
  await look();
  await look();
  expect((await asked()).filter((url) => url === mid)).toEqual([mid]);
  expect(await stored()).toMatchObject({ votes: [5, 3], html: "<p>Which?</p>" });
  expect((await stored()).edited).toBe((await stored()).created);
  await look();
  expect(await asked()).not.toContain(mid);
  world.hub.setClock("2026-03-01T12:06:00Z");
  for (const wrong of [
    { ...question(9, 9), oneOf: [{ type: "Note", name: "Water", replies: { totalItems: 9 } }] },
    { ...question(9, 9), attributedTo: `${far}/users/dora` },
    { ...question(9, 9), id: `${mid}0` },
    404,
    new Error("away"),
  ]) {
    elsewhere.put(mid, wrong);
    await look();
    await asked();
    expect((await stored()).votes).toEqual([5, 3]);
    world.hub.setClock(new Date(world.hub.clock().getTime() + 6 * 60_000).toISOString());
  }
});

test("nobody without a log-in has them asked for, and no poll that was over long ago is", async () => {
  const open = await poll();
  await world.anonymous.get(`/display/${open.uuid}`);
  const old = await poll({ endTime: "2026-02-02T00:00:00Z" });
  await old.look();
  const urls = await asked();
  for (const { mid } of [open, old]) expect(urls).not.toContain(mid);
});

test("whoever has voted finds the result when the poll is over", async () => {
  const soon = new Date(world.hub.clock().getTime() + 3600_000).toISOString();
  const { id, mid, question, stored } = await poll({ endTime: soon });
  await vote(world.hub, alma.channel, { id }, [1]);
  expect((await stored()).votes).toEqual([1, 1]);
  elsewhere.put(mid, question(7, 4));
  expect(await asked()).not.toContain(mid);
  world.hub.setClock(soon);
  expect(await asked()).toContain(mid);
  expect((await stored()).votes).toEqual([7, 4]);
});

test("a link is marked when its page leads back, which is looked at once a week", async () => {
  const [good, bad, away, plain] = [
    "https://good.example/",
    "https://bad.example/",
    "https://away.example/",
    "http://plain.example/",
  ];
  const document = elsewhere.actor("fay", { attachment: fields(good, bad, away, plain) });
  const fay = (await metActor(world.hub, document.id))!;
  elsewhere.put(good, page(`<p><A class=x REL='nofollow me' href="${fay.xchan_url}/">me</A>`));
  elsewhere.put(bad, page(`<a href="${fay.xchan_url}">her</a> <a rel="me" href="https://other.example/">me</a>`));
  elsewhere.put(away, 503);
  const path = `/person/${fay.xchan_id}`;
  const marks = async () => (await member.get(path)).text.match(/links back here/g)?.length ?? 0;
  await world.anonymous.get(path);
  expect(await asked()).toEqual([]);
  expect(await marks()).toBe(0);
  expect((await asked()).filter((url) => !url.startsWith(far))).toEqual([good, bad, away]);
  expect(await marks()).toBe(1);
  await meetAgain(world.hub, document.id);
  expect(await marks()).toBe(1);
  expect((await asked()).filter((url) => !url.startsWith(far))).toEqual([]);
  elsewhere.put(good, page("nothing"));
  world.hub.setClock(new Date(world.hub.clock().getTime() + 8 * 24 * 3600_000).toISOString());
  await meetAgain(world.hub, document.id);
  expect(await marks()).toBe(1);
  await asked();
  expect(await marks()).toBe(0);
});

test("links of a page are read however they are written, and no page takes long", () => {
  const html = `<link rel=me href=/me> <a href='//x.example/?a=1&amp;b=2' rel="me">x</a> <a rel="home" href="/no"> <a rel="me">`;
  expect(linksOfMine(html, "https://b.example/about")).toEqual(["https://b.example/me", "https://x.example/?a=1&b=2"]);
  const before = process.cpuUsage();
  linksOfMine("<a ".repeat(350_000), "https://b.example/");
  linksOfMine(`<a ${" rel".repeat(250_000)}`, "https://b.example/");
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
});
