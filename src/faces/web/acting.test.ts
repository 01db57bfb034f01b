import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeChannel, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, copyOf, deliver, nobody } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { commentOn } from "../../domain/items/posting/comment.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import type { Item } from "../../domain/items/types.ts";
import { webPages } from "./web.ts";

/** What pages get that ask for a part of themselves. */

let hub: TestHub;
let app: Hono;
let ann: Channel;
let ben: Channel;
let anns: Visitor;
let bens: Visitor;

const inPlace = { "hx-request": "true" };

beforeAll(async () => {
  hub = await openTestHub();
  app = webPages(hub);
  ann = await makeChannel(hub, "ann");
  ben = await makeChannel(hub, "ben");
  await befriend(hub, ann, ben);
  [anns, bens] = [await member("ann"), await member("ben")];
});
afterAll(() => hub.close());

async function member(nick: string): Promise<Visitor> {
  const visitor = visitorOf(app, hub.config.host);
  expect((await visitor.logIn(nick, password)).status).toBe(303);
  await visitor.get("/network");
  return visitor;
}

async function bensCopyOf(body: string): Promise<Item> {
  const item = await postItem(hub, ann, { body });
  await deliver(hub);
  return (await copyOf(hub, ben, item))!;
}

const act = (visitor: Visitor, id: number, name: string) =>
  visitor.post(`/item/${id}/act`, { act: name, back: "/network" }, inPlace);

describe("acting", () => {
  test("answers with what stands below the words, by the same template as the page", async () => {
    const item = await bensCopyOf("Likeable");
    const { status, text } = await act(bens, item.id, "like");
    expect(status).toBe(200);
    expect(text).toMatch(/^<div class="status-foot" id="foot-m\d+" >[^]*You like this[^]*<\/div>\s*$/);
    expect(text).toContain('value="unlike"');
    const page = await bens.get("/network");
    const plain = (html: string): string => html.replaceAll(/value="[^"]{60,}"|\s+/g, "");
    expect(plain(page.text)).toContain(plain(text));
    expect((await act(bens, item.id, "unlike")).text).not.toContain("You like this");
  });

  test("says what was done, as the page does that follows without scripts", async () => {
    const item = await bensCopyOf("Shareable");
    const { text } = await act(bens, item.id, "share");
    expect(text).toMatch(/id="done"[^>]*>[^]*Shared with everybody/);
  });

  test("shares a post once, in whatever form it is written, and takes the share back", async () => {
    const item = await bensCopyOf("Shareable twice");
    const other = await postItem(hub, ann, { body: "*Shareable*", mimetype: "text/markdown" });
    await deliver(hub);
    const copies = [item, (await copyOf(hub, ben, other))!];
    for (const { id } of copies) {
      expect((await act(bens, id, "share")).text).toContain('value="unshare"');
      expect((await act(bens, id, "share")).status).toBe(200);
    }
    const sharesOf = async (channel: Channel) => {
      const rows = hub.db
        .selectFrom("item")
        .innerJoin("message", "message.id", "message_id")
        .select(["item.id", "item.message_id"]);
      const ids = copies.map(({ message_id }) => message_id);
      return rows.where("item.uid", "=", channel.channel_id).where("message.shared_id", "in", ids).execute();
    };
    await deliver(hub);
    const shares = await sharesOf(ann);
    expect(shares).toHaveLength(2);
    // Who sees the share alone shares what it repeats.
    expect((await act(anns, shares[0]!.id, "share")).text).toContain('value="unshare"');
    expect((await act(anns, shares[0]!.id, "unshare")).text).toContain('value="share"');
    // Where the share has a card on the same page, that goes.
    const cards = (await sharesOf(ben)).map((share) => `id="thread-${share.id}" hx-swap-oob="delete"`);
    const answers: string[] = [];
    for (const { id } of copies) answers.push((await act(bens, id, "unshare")).text);
    for (const text of answers) expect(text).toMatch(/value="share"[^]*is taken back/);
    expect(answers.map((text) => cards.map((card) => text.includes(card)))).toEqual([
      [true, false],
      [false, true],
    ]);
    expect((await act(bens, item.id, "unshare")).status).toBe(200);
    // Its own button takes it off as well, and the original's foot follows, where the page has that; so it does at another's share.
    const original = new RegExp(`id="foot-m${item.message_id}" hx-swap-oob="outerMorph">[^]*value="share"`);
    await act(bens, item.id, "share");
    const card = (await sharesOf(ben))[0]!.id;
    const taken = await act(bens, card, "unshare");
    expect([taken.headers.get("hx-retarget"), taken.headers.get("hx-reswap")]).toEqual([`#thread-${card}`, "delete"]);
    expect(taken.text).toMatch(original);
    expect(taken.text).toMatch(/is taken back/);
    await act(anns, item.id, "share");
    await deliver(hub);
    const seen = (await sharesOf(ben))[0]!.id;
    expect((await act(bens, seen, "share")).text).toMatch(new RegExp(original.source.replace('"share"', '"unshare"')));
    expect((await act(bens, seen, "unshare")).text).toMatch(original);
    // Whatever is pressed, what shows the same beside it counts anew, and nothing that shows something else.
    const shownAt = (id: number) => new RegExp(`id="foot-m${id}" hx-swap-oob="outerMorph">`);
    const { message_id: annsShare } = (await sharesOf(ben)).find(({ id }) => id === seen)!;
    const given = (await act(bens, item.id, "share")).text;
    expect(given).toMatch(new RegExp(`${shownAt(annsShare).source}(?:(?!status-foot)[^])*<span class="count">2<`));
    expect(given).not.toMatch(shownAt(copies[1]!.message_id));
    const own = (await sharesOf(ben)).find(({ id }) => id !== seen)!;
    const removed = (await act(bens, own.id, "unshare")).text;
    for (const id of [item.message_id, annsShare])
      expect(removed).toMatch(new RegExp(`${shownAt(id).source}(?:(?!status-foot)[^])*<span class="count">1<`));
    for (const other of ["like", "unlike"])
      expect((await act(bens, item.id, other)).text).not.toMatch(shownAt(annsShare));
    await act(anns, item.id, "unshare");
    await deliver(hub);
    expect(await sharesOf(ben)).toEqual([]);
  });

  test("takes off a comment that the owner hides, and leaves the page of a post", async () => {
    const item = await bensCopyOf("Hideable");
    await commentOn(hub, ben, { mid: item.mid }, { body: "Unwelcome" });
    await deliver(hub);
    const { text } = await anns.get(`/display/${item.uuid}`);
    const id = Number(/action="\/item\/(\d+)\/act"[^>]*>(?:(?!<\/form>)[^])*value="block"/.exec(text)![1]);
    const { status, headers } = await act(anns, id, "block");
    expect([status, headers.get("hx-reswap"), headers.get("hx-retarget")]).toEqual([
      200,
      "delete",
      expect.stringMatching(/^li:has/),
    ]);
    expect((await anns.get(`/display/${item.uuid}`)).text).not.toContain("Unwelcome");
  });

  test("what is not for one is missing, whether it exists or not", async () => {
    const secret = await postItem(hub, ann, { body: "Secret", audience: { ...nobody, allow_cid: [ann.channel_hash] } });
    for (const id of [secret.id, 999_999])
      for (const path of ["act", "vote"]) {
        const { status, text } = await bens.post(`/item/${id}/${path}`, { act: "like", choice: "0" }, inPlace);
        expect([id, path, status]).toEqual([id, path, 404]);
        expect(text).not.toContain("Secret");
      }
  });

  test("with any emoji: of the picker, or typed on a page without scripts", async () => {
    const item = await bensCopyOf("Reactable");
    expect((await act(bens, item.id, "react#🧋")).text).toMatch(/class="reactions"[^]*🧋 You/);
    expect((await act(bens, item.id, "react#🎉")).text).toMatch(/value="unreact#tada"[^]*🎉 You/);
    expect((await act(bens, item.id, "unreact#🧋")).text).not.toContain("🧋 You");
    expect((await act(bens, item.id, "react#nothing")).status).toBe(422);
    const path = `/item/${item.id}/react`;
    expect((await bens.get(path)).text).toContain("React with an emoji");
    const refused = await bens.post(path, { emoji: "two 🦦🦦" });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Put a single emoji here.")]);
    expect((await bens.post(path, { emoji: " 🦦 " })).location).toContain(`#m${item.message_id}`);
    await bens.post(path, { emoji: ":fire:" });
    expect((await bens.get("/network")).text).toMatch(/🦦 You[^]*🔥 You/);
    const secret = await postItem(hub, ann, { body: "Only Ann", publicPolicy: "self" });
    expect((await bens.get(`/item/${secret.id}/react`)).status).toBe(404);
    expect((await bens.post(`/item/${secret.id}/react`, { emoji: "🔥" })).status).toBe(404);
  });

  test("without a log-in, and with another's token, the page is asked to send its form the other way", async () => {
    const item = await bensCopyOf("Guarded");
    const stranger = visitorOf(app, hub.config.host);
    await stranger.get("/login");
    expect((await act(stranger, item.id, "like")).status).toBe(401);
    const fields = { act: "like", form_security_token: anns.token() };
    expect((await bens.post(`/item/${item.id}/act`, fields, inPlace)).status).toBe(401);
    expect((await bens.post(`/item/${item.id}/act`, fields)).status).toBe(403);
    expect((await bens.get("/network")).text).not.toContain("You like this");
  });
});
