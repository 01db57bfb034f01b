import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import type { Visitor } from "../../../test/support/visitor.ts";

/** Ann quotes a post of Bob's with words of her own. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;
let visitor: Visitor;

beforeAll(async () => {
  ({ world, ann, bob, cleo, visitor } = await annAtHome());
});
afterAll(() => world.close());

async function byBob(body: string, more = {}): Promise<{ id: number; mid: string }> {
  const { mid, id: own } = await postItem(world.hub, bob.channel, { body, ...more });
  await world.work();
  const row = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("message.mid", "=", mid)
    .where("item.uid", "=", ann.channel.channel_id)
    .executeTakeFirst();
  return { mid, id: row?.id ?? own };
}

const quoteBox = (id: number): RegExp => new RegExp(`<input type="checkbox" name="quote" value="${id}" checked`);

describe("a post with words of one's own above another one", () => {
  test.each(["text/bbcode", "text/markdown"])("is begun in its menu, looked at and posted, in %s", async (mimetype) => {
    const { id } = await byBob(`A ladder for ${mimetype}`);
    expect((await visitor.get("/network")).text).toContain(`href="/network?quote=${id}"`);
    const form = (await visitor.get(`/network?quote=${id}`)).text;
    expect(form).toMatch(quoteBox(id));
    expect(form).toMatch(/name="audience" value="public" checked|value="public"[^>]*checked/);
    const typed = { body: `Mine is longer than ${mimetype}`, audience: "public", mimetype, quote: String(id) };
    const look = (await visitor.post("/network", { ...typed, do: "look" })).text;
    expect(look).toMatch(quoteBox(id));
    expect(/<section class="preview"[^]*?<\/section>/.exec(look)?.[0]).toMatch(
      /Mine is longer[^]*class="shared"[^]*A ladder/,
    );
    const { location } = await visitor.post("/network", { ...typed, do: "post" });
    expect(location).toBe("/network?done=posted");
    const made = await world.hub.db
      .selectFrom("message")
      .selectAll()
      .where("body", "like", `${typed.body}%`)
      .executeTakeFirstOrThrow();
    expect([made.shared_id > 0, made.shares_purely]).toEqual([true, 0]);
    expect(made.html).toMatch(/Mine is longer[^]*class="shared"[^]*A ladder/);
  });

  test("goes on as a draft, and is edited below what stays", async () => {
    const { id } = await byBob("A rope");
    await visitor.get(`/network?quote=${id}`);
    const sketch = "5b7d0e0e-7a51-4a52-9c0d-0000000000aa";
    const typed = { body: "Mine is red", audience: "public", quote: String(id), sketch };
    expect((await visitor.post("/network", { ...typed, do: "keep" })).location).toBe("/drafts?done=kept");
    const { location } = await visitor.get(`/drafts/${sketch}`);
    expect((await visitor.get(location)).text).toMatch(quoteBox(id));
    await visitor.post("/network", { ...typed, do: "post" });
    const own = await ownPost("Mine is red%");
    const form = (await visitor.get(`/item/${own.id}/edit`)).text;
    expect(form).toMatch(/<textarea[^>]*name="body"[^>]*>\s*Mine is red<\/textarea>/);
    expect(/<div class="composer-quoted">[^]*?A rope/.test(form)).toBe(true);
    const look = (await visitor.post(`/item/${own.id}/edit`, { body: "Mine is blue", do: "look" })).text;
    expect(/<section class="preview"[^]*?<\/section>/.exec(look)?.[0]).toMatch(/Mine is blue[^]*A rope/);
    await visitor.post(`/item/${own.id}/edit`, { body: "Mine is blue", do: "post" });
    expect((await ownPost("Mine is blue%")).html).toMatch(/class="shared"[^]*A rope/);
  });
});

async function ownPost(body: string) {
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "message.html"])
    .where("message.body", "like", body)
    .where("item.uid", "=", ann.channel.channel_id)
    .executeTakeFirstOrThrow();
}

describe("what may not be quoted", () => {
  test("is not offered where the post is for some, and refused as it is for what is shared", async () => {
    const { id } = await byBob("For you", { publicPolicy: "contacts" });
    expect((await visitor.get("/network")).text).not.toContain(`?quote=${id}"`);
    expect((await visitor.get(`/network?quote=${id}`)).status).toBe(403);
  });

  test("does not exist for whoever does not see it", async () => {
    const { id } = await postItem(world.hub, cleo.channel, { body: "Not for Ann", publicPolicy: "contacts" });
    const unseen = await visitor.get(`/network?quote=${id}`);
    const unknown = await visitor.get("/network?quote=999999999");
    expect([unseen.status, unknown.status]).toEqual([404, 404]);
    await visitor.get("/network");
    const typed = { body: "Words", audience: "public" };
    const [sent, other] = [id, 999_999_999].map((quote) => ({ ...typed, quote: String(quote) }));
    for (const form of [sent, other]) {
      const { status, text } = await visitor.post("/network", { ...form!, do: "post" });
      expect([status, text.includes("What you quote is gone")]).toEqual([422, true]);
    }
  });

  test("by its author's word is said before anybody writes, and after", async () => {
    const { id } = await byBob("Mine alone");
    await visitor.get("/network");
    await setConfig(world.hub, bob.channel.channel_id, "system", "who_may_quote", "nobody");
    expect((await visitor.get(`/network?quote=${id}`)).status).toBe(403);
    await visitor.get("/network");
    const refused = await visitor.post("/network", { body: "Words I wrote", audience: "public", quote: String(id) });
    expect([refused.status, refused.text.includes("Words I wrote")]).toEqual([403, true]);
    await setConfig(world.hub, bob.channel.channel_id, "system", "who_may_quote", "everybody");
  });

  test("is gone by the time it is posted: the words stay, without it", async () => {
    const { id, mid } = await byBob("Soon gone");
    await visitor.get(`/network?quote=${id}`);
    await deleteItem(world.hub, bob.channel, { mid });
    await world.work();
    const { status, text } = await visitor.post("/network", {
      body: "About that",
      audience: "public",
      quote: String(id),
    });
    expect([status, text.includes("About that"), quoteBox(id).test(text)]).toEqual([422, true, false]);
  });

  test("needs words: whoever has none shares it", async () => {
    const { id } = await byBob("Say something");
    await visitor.get(`/network?quote=${id}`);
    const { status, text } = await visitor.post("/network", { body: " ", audience: "public", quote: String(id) });
    expect([status, text.includes("Write something first.")]).toEqual([422, true]);
    expect(text).toMatch(quoteBox(id));
  });
});

test("a text that another app shares is for whom posts usually are", async () => {
  const { text } = await visitor.get("/network?text=Look");
  expect(text).toMatch(/name="audience"\s+value="public"\s+checked/);
});
