import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { annAtHome } from "../../../test/support/ann-at-home.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { picture } from "../../../test/support/pictures.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { block } from "../../domain/connections/connections.ts";
import { createGroup } from "../../domain/groups/groups.ts";
import { findChannelByNick } from "../../domain/identity/channels/channels.ts";
import { publishItem } from "../../domain/items/posting/schedule.ts";
import { keepSketch, listSketches } from "../../domain/items/posting/sketches.ts";
import { jobs } from "../../jobs/table.ts";

/** Writing a post by the form as it is without scripts: files, drafts, dates, polls and what it will look like. */

let world: TestApp;
let ann: Person;
let bob: Person;
let visitor: Visitor;
let readers: Visitor[];

beforeAll(async () => {
  ({ world, ann, bob, visitor } = await annAtHome());
  readers = [visitorOf(world.app), visitorOf(world.app)];
  await readers[0]!.logIn("bob", password);
});
afterAll(() => world.close());
beforeEach(async () => void (await visitor.get("/network")));

const uid = () => ann.channel.channel_id;
const day = 24 * 3600;

/** The moment in so many seconds, as the field of a form has it. */
const typedIn = (seconds: number): string =>
  new Date(world.hub.clock().getTime() + seconds * 1000).toISOString().slice(0, 16);

async function itemOf(body: string) {
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "item.item_delayed", "item.public_policy", "item.created", "item.item_deleted"])
    .select(["message.uuid", "message.obj", "message.lang", "message.location", "message.mimetype", "message.edited"])
    .where("message.body", "like", `${body}%`)
    .where("item.uid", "=", uid())
    .executeTakeFirst();
}

const post = (fields: Record<string, string | string[] | Blob>): Promise<VisitedPage> =>
  visitor.post("/network", { audience: "public", do: "post", ...fields });

const reads = async (text: string): Promise<boolean[]> => {
  await world.work();
  const pages = await Promise.all(readers.map((reader) => reader.get("/channel/ann")));
  return pages.map((page) => page.text.includes(text));
};

describe("publish later", () => {
  async function waiting(body: string, seconds = 300) {
    const sent = await post({ body, publish_at: typedIn(seconds) });
    expect([sent.status, sent.location]).toEqual([303, "/scheduled?done=delayed"]);
    return (await itemOf(body))!;
  }
  const decide = (id: number, fields: Record<string, string>) => visitor.post(`/scheduled/${id}`, fields);

  test("nobody sees it until its date, its author in a list, and then everybody does once", async () => {
    const { id } = await waiting("Tomorrow then");
    expect(await reads("Tomorrow then")).toEqual([false, false]);
    expect((await visitor.get("/scheduled")).text).toContain("Tomorrow then");
    expect((await visitor.get("/network")).text).toMatch(/href="\/scheduled">Scheduled \(\d+\)/);
    expect((await readers[0]!.get("/scheduled")).text).not.toContain("Tomorrow then");
    world.hub.advance(301);
    expect(await reads("Tomorrow then")).toEqual([true, true]);
    await publishItem(world.hub, id);
    await world.work();
    const copies = await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("item.id")
      .where("message.body", "=", "Tomorrow then")
      .execute();
    expect(copies).toHaveLength(2);
    expect((await visitor.get("/scheduled")).text).not.toContain("Tomorrow then");
  });

  test("another date counts, the former one no more", async () => {
    const { id } = await waiting("Later still");
    await visitor.get("/scheduled");
    expect((await decide(id, { do: "delay", publish_at: typedIn(2 * day) })).status).toBe(303);
    world.hub.advance(day);
    expect(await reads("Later still")).toEqual([false, false]);
    world.hub.advance(day + 60);
    expect(await reads("Later still")).toEqual([true, true]);
  });

  test("an earlier date counts as well", async () => {
    const { id } = await waiting("Sooner", 2 * day);
    await visitor.get("/scheduled");
    await decide(id, { do: "delay", publish_at: typedIn(120) });
    world.hub.advance(130);
    expect(await reads("Sooner")).toEqual([true, true]);
  });

  test("it can be changed, which is no edit to anybody, and published at once", async () => {
    const { id } = await waiting("First words", day);
    await visitor.get(`/item/${id}/edit`);
    const edited = await visitor.post(`/item/${id}/edit`, { body: "Second words for @bob", title: "", category: "" });
    expect(edited.location).toBe("/scheduled?done=edited");
    await world.work();
    expect((await readers[0]!.get("/notifications")).text).not.toContain("Second words");
    await visitor.get("/scheduled");
    expect((await decide(id, { do: "publish" })).location).toBe("/scheduled?done=posted");
    expect(await reads("Second words")).toEqual([true, true]);
    const { created, edited: last } = (await world.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["item.created", "message.edited"])
      .where("item.id", "=", id)
      .executeTakeFirst())!;
    expect(last).toBe(created);
  });

  test("it can be deleted", async () => {
    const { id } = await waiting("Never mind", day);
    await visitor.get("/scheduled");
    expect((await decide(id, { do: "delete" })).location).toBe("/scheduled?done=deleted");
    world.hub.advance(2 * day);
    expect(await reads("Never mind")).toEqual([false, false]);
  });

  test.each([
    ["a date that has come", { do: "delay", publish_at: "2020-01-01T10:00" }, 422],
    ["no date", { do: "delay", publish_at: "" }, 422],
    ["what is no date", { do: "delay", publish_at: "2030-02-31T10:00" }, 422],
    ["an unknown button", { do: "burn" }, 422],
  ])("%s is refused", async (name, fields, status) => {
    const { id } = await waiting(`Refused ${name}`, day);
    await visitor.get("/scheduled");
    expect((await decide(id, fields)).status).toBe(status);
    expect((await itemOf(`Refused ${name}`))!.item_delayed).toBe(1);
  });

  test("that of somebody else, and what was published, is not there", async () => {
    const { id } = await waiting("Mine alone", day);
    await readers[0]!.get("/scheduled");
    for (const act of ["publish", "delete", "delay"])
      expect((await readers[0]!.post(`/scheduled/${id}`, { do: act, publish_at: typedIn(day) })).status).toBe(404);
    expect((await readers[0]!.get(`/item/${id}/edit`)).status).toBe(404);
    await visitor.get("/network");
    await post({ body: "Out already" });
    const out = (await itemOf("Out already"))!;
    await visitor.get("/scheduled");
    expect((await decide(out.id, { do: "delete" })).status).toBe(404);
    expect((await itemOf("Out already"))!.item_deleted).toBe(0);
  });
});

describe("a poll", () => {
  test("has the options that were typed, and ends", async () => {
    const option = ["Tea", "Coffee", "", "Water"];
    const sent = await post({ body: "What to drink?", option, poll_several: "1", poll_ends: "86400" });
    expect(sent.status).toBe(303);
    const { obj, uuid } = (await itemOf("What to drink?"))!;
    const question = JSON.parse(obj);
    expect(question.anyOf.map(({ name }: { name: string }) => name)).toEqual(["Tea", "Coffee", "Water"]);
    expect(Date.parse(question.endTime) - world.hub.clock().getTime()).toBe(day * 1000);
    const document = await world.anonymous.get(
      `/item/${uuid}`,
      {},
      { headers: { accept: "application/activity+json" } },
    );
    expect(document.json).toMatchObject({
      type: "Question",
      votersCount: 0,
      endTime: question.endTime.slice(0, 19) + "Z",
    });
  });

  test("of a post that waits ends so long after its date", async () => {
    const publish_at = typedIn(2 * day);
    await post({ body: "Later poll", option: ["A", "B"], poll_ends: "86400", publish_at });
    const { obj, id } = (await itemOf("Later poll"))!;
    expect(JSON.parse(obj).endTime).toContain(typedIn(3 * day));
    await visitor.get("/scheduled");
    await visitor.post(`/scheduled/${id}`, { do: "delete" });
  });

  describe("that is changed", () => {
    const words = (body: string) => ({ body, poll_ends: "same", do: "post" });
    async function asked(body: string) {
      await post({ body, option: ["Tea", "Coffee"], poll_ends: "86400" });
      const { id } = (await itemOf(body))!;
      await world.work();
      const [reader] = readers as [Visitor];
      const { text } = await reader.get("/network");
      const path = /action="(\/item\/\d+\/vote)"/.exec(text.slice(text.indexOf(`>${body}`)))![1]!;
      expect((await reader.post(path, { choice: "1" })).status).toBe(303);
      const { text: form } = await visitor.get(`/item/${id}/edit`);
      expect(form).toMatch(/value="Tea"[^]*value="Coffee"[^]*<option value="same" selected>as before/);
      expect(form).toContain("other options begin the poll anew, without votes");
      return { id, path: `/item/${id}/edit` };
    }
    const question = async (body: string) => {
      const { oneOf, anyOf, endTime } = JSON.parse((await itemOf(body))!.obj);
      type Option = { name: string; replies: { totalItems: number } };
      const votes = ((oneOf ?? anyOf) as Option[]).map(({ name, replies }) => [name, replies.totalItems]);
      return { votes, several: anyOf !== undefined, endTime: endTime && Date.parse(endTime) };
    };

    test("keeps its votes with its options, and its end or another one", async () => {
      const { path } = await asked("Drinks one");
      const before = await question("Drinks one");
      expect(before.votes).toEqual([
        ["Tea", 0],
        ["Coffee", 1],
      ]);
      world.hub.advance(60);
      const option = ["Tea", "Coffee", "", ""];
      expect((await visitor.post(path, { ...words("Drinks one now"), option })).status).toBe(303);
      expect(await question("Drinks one now")).toEqual(before);
      await visitor.post(path, { ...words("Drinks one longer"), option, poll_ends: String(3 * day) });
      const endTime = world.hub.clock().getTime() + 3 * day * 1000;
      expect(await question("Drinks one longer")).toEqual({ ...before, endTime });
    });

    test.each([
      ["other options", { option: ["Tea", "Milk"] }],
      ["another order", { option: ["Coffee", "Tea"] }],
      ["several to choose", { option: ["Tea", "Coffee"], poll_several: "1" }],
    ])("begins anew with %s, and ends when it would have", async (_name, changed) => {
      const body = `Drinks with ${_name}`;
      const { path } = await asked(body);
      const { endTime } = await question(body);
      await visitor.post(path, { ...words(body), ...changed });
      const votes = changed.option.map((name) => [name, 0]);
      expect(await question(body)).toEqual({ votes, several: "poll_several" in changed, endTime });
    });

    test("is refused without options or with an end that has come, and nothing typed is lost", async () => {
      const { path } = await asked("Drinks two");
      const before = await question("Drinks two");
      const none = await visitor.post(path, { ...words("Drinks two, none"), option: ["", ""] });
      expect([none.status, none.text]).toEqual([422, expect.stringContaining("at least 2")]);
      const odd = await visitor.post(path, { ...words("Drinks two, odd"), option: ["Tea", "Milk"], poll_ends: "17" });
      expect([odd.status, odd.text]).toEqual([422, expect.stringContaining('value="Milk"')]);
      world.hub.advance(2 * day);
      await visitor.get(path);
      const late = await visitor.post(path, { ...words("Drinks two, late"), option: ["Tea", "Milk"] });
      expect([late.status, late.text]).toEqual([422, expect.stringContaining("would have ended already")]);
      expect(late.text).toContain('value="Milk"');
      expect(await question("Drinks two")).toEqual(before);
      const onlyWords = await visitor.post(path, { ...words("Drinks two, over"), option: ["Tea", "Coffee"] });
      expect(onlyWords.status).toBe(303);
      expect(await question("Drinks two, over")).toEqual(before);
    });
  });

  test.each([
    ["one option", ["Alone"], "at least 2"],
    ["equal options", ["Same", "Same"], "are the same"],
    ["too many options", Array.from({ length: 21 }, (_, n) => `Option ${n}`), "at most 20"],
    ["an option that is too long", ["Short", "x".repeat(201)], "at most 200"],
  ])("with %s is refused, and nothing typed is lost", async (_name, option, sentence) => {
    const answer = await post({ body: "Half a poll", option, poll_ends: "86400" });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(sentence);
    for (const one of option.slice(0, 3)) expect(answer.text).toContain(`value="${one}"`);
    expect(await itemOf("Half a poll")).toBeUndefined();
  });
});

describe("files", () => {
  const photo = async (name = "tree.jpg"): Promise<File> =>
    new File([new Uint8Array(await picture(90, 60).jpeg().toBuffer())], name, { type: "image/jpeg" });
  const idsIn = (text: string): string[] => [...text.matchAll(/name="media_id" value="(\d+)"/g)].map(([, id]) => id!);
  const fileCount = async (): Promise<number> =>
    (await world.hub.db.selectFrom("attach").select("id").where("uid", "=", uid()).where("is_dir", "=", 0).execute())
      .length;
  const upload = async (file: Blob, by = visitor): Promise<VisitedPage> => {
    await by.get("/network");
    return by.post("/uploads", { media: file });
  };

  test("are uploaded while one writes, described and put in order; the post then names them", async () => {
    const rows = [await upload(await photo("one.jpg")), await upload(await photo("two.jpg"))];
    expect(rows.map(({ status }) => status)).toEqual([200, 200]);
    const [one, two] = rows.map(({ text }) => idsIn(text)[0]!) as [string, string];
    await visitor.get("/network");
    const sent = await post({
      body: "With words",
      media_id: [two, one],
      [`alt_${one}`]: "An old tree",
      [`alt_${two}`]: 'A "young" [tree]',
    });
    expect(sent.status).toBe(303);
    const { uuid, id } = (await itemOf("With words"))!;
    const headers = { accept: "application/activity+json" };
    const { attachment } = (await world.anonymous.get(`/item/${uuid}`, {}, { headers })).json;
    expect(attachment.map(({ name }: { name: string }) => name)).toEqual(["A 'young' (tree)", "An old tree"]);
    const status = (await bob.get("/api/statuses/show", { id, include_entities: true })).json;
    expect(status.entities.media.map((one: { ext_alt_text: string }) => one.ext_alt_text)).toEqual(
      expect.arrayContaining(["An old tree"]),
    );
    const mid = `http://hub.example/item/${uuid}`;
    expect((await ann.get("/api/z/1.0/item/full", { mid })).text).toContain("An old tree");
    world.hub.advance(2 * day);
    await jobs["trim-unattached"](world.hub, {});
    expect((await readers[1]!.get(`/display/${uuid}`)).text).toContain('alt="An old tree"');
  });

  test("that no post uses are nobody else's, and go after a day with their bytes", async () => {
    const before = await fileCount();
    const [id] = idsIn((await upload(await photo("unused.jpg"))).text);
    expect(await fileCount()).toBe(before + 1);
    const { hash } = (await world.hub.db
      .selectFrom("attach")
      .select("hash")
      .where("id", "=", Number(id))
      .executeTakeFirst())!;
    for (const reader of readers) expect((await reader.get(`/photo/${hash}-2`)).status).toBe(404);
    await readers[0]!.get("/network");
    const stolen = await readers[0]!.post("/network", { body: "Not mine", audience: "public", media_id: id! });
    expect(stolen.status).toBe(422);
    const dropped = await readers[0]!.post("/network", { body: "x", audience: "public", drop_media: id! });
    expect([dropped.status, await fileCount()]).toEqual([422, before + 1]);
    world.hub.advance(day - 60);
    await jobs["trim-unattached"](world.hub, {});
    expect(await fileCount()).toBe(before + 1);
    world.hub.advance(120);
    await jobs["trim-unattached"](world.hub, {});
    expect(await fileCount()).toBe(before);
    await world.work();
    await jobs["trim-unattached"](world.hub, {});
  });

  test("of a draft stay as long as the draft", async () => {
    const before = await fileCount();
    const [id] = idsIn((await upload(await photo("drafted.jpg"))).text);
    await visitor.get("/network");
    await visitor.post("/network", { do: "keep", sketch: "draft-with-file", body: "", media_id: id! });
    world.hub.advance(10 * day);
    await jobs["trim-unattached"](world.hub, {});
    expect(await fileCount()).toBe(before + 1);
    const { text } = await visitor.get("/network?draft=draft-with-file");
    expect(idsIn(text)).toEqual([id]);
    await visitor.post("/network", { drop_media: id!, media_id: id!, sketch: "draft-with-file" });
    expect(await fileCount()).toBe(before);
    await visitor.post("/drafts/drop", { draft: "draft-with-file" });
  });

  test("that came with a form stand in it when it is shown again, to be moved and removed by buttons", async () => {
    const before = await fileCount();
    const form = { body: "", audience: "chosen", media: await photo("kept.jpg") };
    const refused = await post(form);
    expect(refused.status).toBe(422);
    const [first] = idsIn(refused.text);
    const more = await post({
      body: "Look",
      do: "look",
      media_id: first!,
      [`alt_${first}`]: "Words",
      media: await photo(),
    });
    expect(more.status).toBe(200);
    const [, second] = idsIn(more.text);
    expect(idsIn(more.text)).toEqual([first, second]);
    expect(more.text).toMatch(/<textarea[^>]*name="alt_\d+"[^>]*>\s*Words<\/textarea/);
    const both = { body: "Look", media_id: [first!, second!] };
    expect(idsIn((await post({ ...both, raise_media: second! })).text)).toEqual([second, first]);
    expect(idsIn((await post({ ...both, drop_media: second! })).text)).toEqual([first]);
    expect(await fileCount()).toBe(before + 1);
    await post({ body: "", media_id: first!, [`alt_${first}`]: "Nothing but a picture" });
    expect((await readers[1]!.get("/channel/ann")).text).toContain('alt="Nothing but a picture"');
  });

  test.each([
    [
      "a broken picture",
      () => new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1])], "x.jpg", { type: "image/jpeg" }),
    ],
    ["an empty file", () => new File([], "empty.txt")],
  ])("%s is refused in words, and nothing is stored", async (_name, file) => {
    const before = await fileCount();
    const answer = await upload(file());
    expect([answer.status, await fileCount()]).toEqual([422, before]);
    expect(answer.text).toMatch(/^[A-Z][^<>]+\.$/);
  });

  test("that are pictures, and cannot be shown in the post, say so", async () => {
    const hint = "goes along as a file to download";
    const heic = new File(["ftypheic"], "IMG_1.HEIC", { type: "image/heic" });
    const said = [await upload(heic), await upload(await photo()), await upload(new File(["x"], "x.pdf"))];
    expect(said.map(({ status, text }) => [status, text.includes(hint)])).toEqual([
      [200, true],
      [200, false],
      [200, false],
    ]);
  });

  test("need a log-in and the token of a form", async () => {
    const stranger = await readers[1]!.post("/uploads", { media: await photo() });
    expect([stranger.status, stranger.location]).toEqual([303, expect.stringContaining("/login")]);
    const forged = await visitor.post("/uploads", { media: await photo(), form_security_token: "x" });
    expect(forged.status).toBe(403);
  });
});

describe("drafts", () => {
  const name = "my-first-draft";
  const keep = (fields: Record<string, string | string[]>) =>
    visitor.post("/network", { do: "keep", sketch: name, ...fields });

  test("have everything that was typed, on every device, until they are posted", async () => {
    const fields = {
      body: "Half a thought",
      title: "On tea",
      audience: "connections",
      option: ["Tea", "Cocoa"],
      lang: "de",
    };
    expect((await keep(fields)).location).toBe("/drafts?done=kept");
    const other = visitorOf(world.app);
    await other.logIn("ann", password);
    expect((await other.get("/drafts")).text).toMatch(/href="\/network\?draft=my-first-draft">On tea · Half a thought/);
    const { text } = await other.get(`/network?draft=${name}`);
    for (const part of [
      />\s*Half a thought<\/textarea/,
      /value="On tea"/,
      /value="Cocoa"/,
      /value="connections" checked/,
      /value="de" selected/,
    ])
      expect(text).toMatch(part);
    await other.post("/network", { ...fields, sketch: name, poll_ends: "", do: "post" });
    expect((await visitor.get("/drafts")).text).not.toContain("Half a thought");
    expect((await visitor.get(`/network?draft=${name}`)).text).not.toMatch(/Half a thought<\/textarea/);
    // Who goes back to the form and keeps it has another one.
    expect((await keep({ body: "Half of another thought" })).location).toBe("/drafts?done=kept");
    expect((await visitor.get(`/network?draft=${name}`)).text).not.toMatch(/Half of another thought<\/textarea/);
    expect((await visitor.get("/drafts")).text).toMatch(
      /href="\/network\?draft=[0-9a-f-]{36}">Half of another thought/,
    );
  });

  test("are their owner's alone, who can delete them", async () => {
    const name = "my-second-draft";
    await keep({ body: "Secret draft", sketch: name });
    const [reader] = readers as [Visitor];
    expect((await reader.get("/drafts")).text).not.toContain("Secret draft");
    expect((await reader.get(`/network?draft=${name}`)).text).not.toContain("Secret draft");
    expect((await reader.post("/drafts/drop", { draft: name })).status).toBe(404);
    await reader.post("/network", { do: "keep", sketch: name, body: "Bob's own" });
    expect((await visitor.get(`/network?draft=${name}`)).text).toContain("Secret draft");
    expect((await visitor.post("/drafts/drop", { draft: name })).location).toBe("/drafts?done=deleted");
    expect((await visitor.get("/drafts")).text).not.toContain("Secret draft");
  });

  test("are kept by scripts as well; what was sent and has arrived does not come back", async () => {
    const kept = await visitor.post("/drafts/keep", {
      sketch: "by-script",
      place: "/network?done=posted",
      body: "Typed",
    });
    expect([kept.status, JSON.parse(kept.text)]).toEqual([200, { kept: true }]);
    expect((await visitor.get("/drafts")).text).toContain('href="/network?draft=by-script"');
    const again = { sketch: "by-script", place: "/network", body: "Typed" };
    expect((await visitor.post("/drafts/keep", again)).status).toBe(200);
    await visitor.get("/network");
    await post({ body: "Typed", sketch: "by-script" });
    await visitor.get("/network");
    // No refusal, which the console of a browser would show after many a post.
    const nothing = await visitor.post("/drafts/keep", again);
    expect([nothing.status, JSON.parse(nothing.text)]).toEqual([200, { kept: false }]);
    expect((await visitor.get("/drafts")).text).not.toContain("by-script");
    // One that the hub heard of for the first time when it was sent, neither; names are each member's own.
    await post({ body: "Typed at once", sketch: "never-kept" });
    const late = { sketch: "never-kept", place: "/network", body: "Typed at once" };
    expect((await visitor.post("/drafts/keep", late)).text).toBe('{"kept":false}');
    const [bob] = readers as [Visitor];
    await bob.get("/network");
    expect((await bob.post("/drafts/keep", late)).text).toBe('{"kept":true}');
    await visitor.get("/drafts");
  });

  test.each([
    ["a short name", { sketch: "x" }],
    ["a name with other signs", { sketch: "../../../etc/passwd" }],
    ["a text that is too long", { sketch: "long-long", body: "x".repeat(1_000_001) }],
  ])("%s is refused", async (_name, fields) => {
    const answer = await visitor.post("/drafts/keep", { place: "/network", body: "x", ...fields });
    expect([413, 422]).toContain(answer.status);
  });
});

describe("what a post says besides", () => {
  test("a preview is what it will look like, and stores nothing", async () => {
    const body = "**Bold** for @bob";
    const { status, text } = await post({ body, mimetype: "text/markdown", do: "look" });
    expect(status).toBe(200);
    expect(text).toMatch(/class="preview"[^]*<strong>Bold<\/strong> for [^]*\/channel\/bob/);
    expect(text).toMatch(/>\s*\*\*Bold\*\* for @bob<\/textarea/);
    expect(await itemOf("**Bold**")).toBeUndefined();
  });

  test("the form remembers what one writes in", async () => {
    await post({ body: "**Strong** words", mimetype: "text/markdown" });
    expect((await itemOf("**Strong**"))!.mimetype).toBe("text/markdown");
    expect((await visitor.get("/network")).text).toMatch(/value="text\/markdown" selected/);
    await post({ body: "[b]Others[/b]", mimetype: "text/bbcode" });
    expect((await visitor.get("/network")).text).toMatch(/value="text\/bbcode" selected/);
  });

  test("only me is for nobody else", async () => {
    await post({ body: "Dear diary", audience: "self" });
    expect((await itemOf("Dear diary"))!.public_policy).toBe("self");
    expect(await reads("Dear diary")).toEqual([false, false]);
    const { text } = await visitor.get("/channel/ann");
    expect(text).toMatch(/Only me[^]*Dear diary/);
  });

  test("language and place are those that were chosen", async () => {
    await post({ body: "Guten Tag", lang: "de", location: "Köln" });
    expect(await itemOf("Guten Tag")).toMatchObject({ lang: "de", location: "Köln" });
  });

  test("an event stands in the calendar and is shown to whom the post is for", async () => {
    const fields = { body: "Tea for two\nBring cups", location: "Garden" };
    const sent = await post({ ...fields, event_begins: typedIn(5 * day), event_ends: typedIn(5 * day + 3600) });
    expect(sent.location).toMatch(/^\/event\//);
    expect((await visitor.get(sent.location)).text).toMatch(/Tea for two[^]*Garden/);
    expect(await reads("Tea for two")).toEqual([true, true]);
    await visitor.get("/network");
    const both = await post({ ...fields, event_begins: typedIn(day), option: ["A", "B"], poll_ends: "" });
    expect(both.status).toBe(422);
  });

  test.each([
    ["language", { lang: "xx" }],
    ["format", { mimetype: "text/html" }],
    ["length of a poll", { option: ["A", "B"], poll_ends: "17" }],
    ["date", { publish_at: "soon" }],
  ])("an unknown %s is refused, and nothing typed is lost", async (name, fields) => {
    const answer = await post({ body: `Keep ${name}`, ...fields });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`Keep ${name}`);
    expect(await itemOf(`Keep ${name}`)).toBeUndefined();
  });
});

test("code that says its language has colours from when it is posted", async () => {
  await post({ body: "[code=js]\nconst tea = 'green';[/code]" });
  const { text } = await visitor.get("/channel/ann");
  expect(text).toContain('<span class="code-keyword">const</span> tea = <span class="code-string">\'green\'</span>;');
});

describe("the same form elsewhere", () => {
  const draft = "a-draft-elsewhere";
  const note = new File(["notes"], "notes.txt", { type: "text/plain" });

  test("a comment has files, a warning, a preview and a draft; whoever reads the thread sees its file", async () => {
    await post({ body: "Comment on this" });
    const { uuid } = (await itemOf("Comment on this"))!;
    const path = `/display/${uuid}`;
    await visitor.get(path);
    const looked = await visitor.post(path, { body: "[b]Bold[/b]", media: note, do: "look" });
    expect(looked.text).toMatch(/name="media_id" value="\d+"[^]*notes\.txt/);
    expect(looked.text).toMatch(/class="preview"[^]*<strong>Bold<\/strong>/);
    const [, id = ""] = /name="media_id" value="(\d+)"/.exec(looked.text)!;
    const fields = { body: "See the notes", summary: "Notes inside", media_id: id, sketch: draft };
    await visitor.post(path, { ...fields, do: "keep" });
    const again = await visitor.get(`${path}?draft=${draft}`);
    expect(again.text).toMatch(/id="comment"[^]*See the notes<\/textarea>[^]*notes\.txt[^]*value="Notes inside"/);
    expect((await visitor.post(path, { ...fields, do: "post" })).location).toContain("done=commented");
    await world.work();
    const read = (await readers[1]!.get(path)).text;
    expect(read).toMatch(/<summary>Notes inside[^]*See the notes/);
    const [, file] = /href="http:\/\/hub\.example(\/attach\/[0-9a-f]+)"/.exec(read)!;
    expect((await readers[1]!.get(file!)).text).toBe("notes");
    expect((await visitor.get("/drafts")).text).not.toContain("See the notes");
  });

  test("an edit begins with what was typed, has the files of the post, and takes another one", async () => {
    await post({ body: "Hello @bob", media: await picture(40, 30).jpeg().toBuffer().then(jpeg) });
    await world.work();
    const { id } = (await itemOf("Hello "))!;
    const path = `/item/${id}/edit`;
    const form = (await visitor.get(path)).text;
    expect(form).toMatch(/>\s*Hello @bob<\/textarea>[^]*p\.jpg/);
    const [, photo = ""] = /name="media_id" value="(\d+)"/.exec(form)!;
    const typed = { body: "Hello again", media_id: photo, title: "", summary: "", category: "" };
    expect((await visitor.post(path, { ...typed, media: note, do: "post" })).location).toContain("done=edited");
    const { text } = await visitor.get("/channel/ann");
    expect(text).toMatch(/Hello again[^]*<img[^>]*-\d\.jpg[^]*notes\.txt/);
  });

  test("an article is laid out before it is published, and brings its files", async () => {
    const path = "/articles/ann/new";
    await visitor.get(path);
    const typed = { title: "Tea", body: "**Green**", mimetype: "text/markdown", audience: "public" };
    expect((await visitor.post(path, { ...typed, do: "look" })).text).toContain("<strong>Green</strong>");
    const { location } = await visitor.post(path, { ...typed, media: note, do: "post" });
    expect((await readers[1]!.get(location)).text).toMatch(/notes(\(\d\))?\.txt/);
  });
});

const jpeg = (bytes: Buffer): File => new File([new Uint8Array(bytes)], "p.jpg", { type: "image/jpeg" });

describe("suggestions", () => {
  const suggested = async (key: string, text: string, by = visitor): Promise<string[]> => {
    const answer = await by.get(`/suggestions?${String(new URLSearchParams({ key, text }))}`);
    expect(answer.status).toBe(200);
    return [...answer.text.matchAll(/data-value="([^"]*)"/g)].map(([, value]) => value!);
  };

  test("people: connections first, by nick or a word of the name; then those of this hub who do not hide", async () => {
    const { hub } = world;
    for (const [nick, name] of [
      ["abel", "Abel Stone"],
      ["bobbin", "Bobbin"],
      ["hidden", "Bobo Hidden"],
      ["nemo", "Bobby Nemo"],
    ] as const)
      await world.person(nick, { name });
    await hub.db.updateTable("xchan").set({ xchan_hidden: 1 }).where("xchan_name", "=", "Bobo Hidden").execute();
    const nemo = (await findChannelByNick(hub, "nemo"))!;
    await befriend(hub, ann.channel, nemo);
    expect(await suggested("@", "bob")).toEqual(["@bob@hub.example", "@nemo@hub.example", "@bobbin@hub.example"]);
    expect(await suggested("@", "NEM")).toEqual(["@nemo@hub.example"]);
    expect(await suggested("@", "sto")).toEqual([]);
    expect(await suggested("@", "hid")).toEqual([]);
    await block(hub, ann.channel, { xchan_hash: nemo.channel_hash, xchan_network: "zot6" });
    expect(await suggested("@", "nem")).toEqual([]);
  });

  test("hashtags of what has reached one, and of nothing else", async () => {
    await bob.post("/api/z/1.0/item/update", { body: "#marmalade #marzipan" });
    await bob.post("/api/z/1.0/item/update", { body: "#marmalade" });
    const secret = { body: "#marginal", contact_allow: [bob.channel.channel_hash] };
    await bob.post("/api/z/1.0/item/update", secret);
    await world.work();
    expect(await suggested("#", "mar")).toEqual(["#marmalade", "#marzipan"]);
    expect(await suggested("#", "MARZ")).toEqual(["#marzipan"]);
    expect((await suggested("#", "mar", readers[0])).toSorted()).toEqual(["#marginal", "#marmalade", "#marzipan"]);
  });

  test("own groups whose members may know of them, by which alone a post is for them", async () => {
    for (const [name, visible] of [
      ["Rowers", true],
      ["Row two", true],
      ["Rowdies", false],
    ] as const)
      await createGroup(world.hub, ann.channel.channel_id, name, { visible });
    expect((await suggested("@", "row")).toSorted()).toEqual(["!!&quot;Row two&quot;", "!!Rowers"]);
    expect(await suggested("@", "row", readers[0])).toEqual([]);
  });

  test("emoji by the beginnings of their names, the shortest first", async () => {
    expect((await suggested(":", "smil"))[0]).toBe("😄");
    expect(await suggested(":", "tad")).toEqual(["🎉"]);
  });

  test.each([
    ["an unknown sign", "!", "bob"],
    ["nothing", "@", ""],
    ["signs that databases know", "@", "%"],
    ["very much", "#", "x".repeat(5000)],
  ])("%s is answered with nothing", async (_name, key, text) => {
    expect(await suggested(key, text)).toEqual([]);
  });

  test("are for members alone", async () => {
    const answer = await readers[1]!.get("/suggestions?key=%40&text=bob");
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining("/login")]);
  });
});

test("a hundred drafts are kept, each for ninety days", async () => {
  const { hub } = world;
  const { channel } = await world.person("dora");
  const keep = (n: number) =>
    keepSketch(hub, channel, { name: `draft-${n}`, place: "/network", fields: [["body", `Number ${n}`]] });
  for (let n = 1000; n < 1101; n++) await keep(n);
  const names = async () => (await listSketches(hub, channel)).map((sketch) => sketch.name).toSorted();
  expect([(await names()).length, (await names())[0], (await names()).at(-1)]).toEqual([
    100,
    "draft-1001",
    "draft-1100",
  ]);
  hub.advance(89 * day);
  await keep(1050);
  hub.advance(2 * day);
  await jobs["trim-sketches"](hub, {});
  expect(await names()).toEqual(["draft-1050"]);
});
