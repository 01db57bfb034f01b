import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveTerms } from "../src/domain/items/save.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";

/** What a caller can make longer and longer is refused in a sentence, or costs no more than it may. */

let world: TestApp;
let alma: Person;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
});
afterAll(() => world.close());

describe("lists in a post", () => {
  const many = (count: number, piece: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => piece(at)).join("");
  const refused: [what: string, form: Record<string, string>, sentence: string][] = [
    ["hashtags", { body: many(20_000, (at) => `#t${at} `) }, "A post can have at most 500 hashtags."],
    [
      "bookmarks",
      { body: many(3000, (at) => `#^[url=http://a.b/${at}]c[/url] `) },
      "A post can have at most 500 bookmarks.",
    ],
    ["categories", { body: "a", category: many(20_000, (at) => `c${at},`) }, "A post can have at most 100 categories."],
    [
      "footnotes",
      { body: many(12_000, (at) => `[^${at}] `), mimetype: "text/markdown" },
      "This text has too many footnotes.",
    ],
  ];

  test.each(refused)("%s", async (_, form, sentence) => {
    const native = await alma.post("/api/z/1.0/item/update", form);
    expect(native).toMatchObject({ status: 400, json: { success: false, reason: "bad_parameter", error: sentence } });
    if (form["mimetype"] !== undefined) return;
    const { body: status, ...rest } = form;
    const microblog = await alma.post("/api/statuses/update.json", { status, ...rest });
    expect(microblog).toMatchObject({ status: 400, json: { error: sentence } });
  });

  test("as many as there may be are stored, and so are more of them from elsewhere", async () => {
    const answer = await alma.post("/api/z/1.0/item/update", { body: many(500, (at) => `#t${at} `) });
    expect(answer.status).toBe(200);
    const id = Number(answer.json.item_id);
    const { message_id } = await world.hub.db
      .selectFrom("item")
      .select("message_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const terms = Array.from({ length: 5000 }, (_, at) => ({ ttype: 1, term: `more ${at}`, url: "" }));
    await saveTerms(world.hub, message_id, terms);
    const { count } = await world.hub.db
      .selectFrom("term")
      .select((x) => x.fn.countAll<number>().as("count"))
      .where("message_id", "=", message_id)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(5500);
  });
});
