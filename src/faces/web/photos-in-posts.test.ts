import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { picture } from "../../../test/support/pictures.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";

/** Photos and files of posts, and the photos of a channel, as people use them. */

let world: TestApp;
let alma: Person;
let ben: Person;
let page: Visitor;
beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  ben = await world.person("ben");
  await befriend(world.hub, alma.channel, ben.channel);
  page = visitorOf(world.app);
  await page.logIn("alma", password);
});
afterAll(() => world.close());

const photo = async (name = "tree.jpg", width = 900, height = 600): Promise<File> =>
  new File([new Uint8Array(await picture(width, height).jpeg().toBuffer())], name, { type: "image/jpeg" });
const text = (name: string, body = "words"): File => new File([body], name, { type: "text/plain" });

/** Sends a form with several files under one name. */
async function send(path: string, fields: Record<string, string>, name: string, files: File[]) {
  const form = new FormData();
  for (const [key, value] of Object.entries({ form_security_token: page.token(), ...fields })) form.append(key, value);
  for (const file of files) form.append(name, file);
  const cookie = [...page.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
  const headers = { host: "hub.example", cookie };
  const response = await world.app.request(`http://hub.example${path}`, { method: "POST", body: form, headers });
  return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
}

describe("a new post", () => {
  test("takes several photos and files", async () => {
    expect((await page.get("/network")).text).toMatch(/<input id="f-composer-media" type="file" name="media" multiple/);
    const sent = await send("/network", { body: "From the garden", audience: "public" }, "media", [
      await photo(),
      text("to do.txt"),
      await photo("second.jpg"),
    ]);
    expect([sent.status, sent.location]).toEqual([303, "/network?done=posted"]);
    const { text: shown } = await page.get("/channel/alma");
    expect(shown.match(/<img[^>]+src="http:\/\/hub\.example\/photo\/[0-9a-f]{64}-2\.jpg"/g)).toHaveLength(2);
    expect(shown).toMatch(/<a href="http:\/\/hub\.example\/attach\/[0-9a-f]{64}"[^>]*>.*to do\.txt<\/a\s*>/s);
  });

  test("has a name for every link around a photo", async () => {
    const photo = "[img]https://pictures.example/tree.jpg[/img]";
    const described = "[img=https://pictures.example/tree.jpg]A tree[/img]";
    const titled = '[img title="The <old> tree"]https://pictures.example/tree.jpg[/img]';
    const link = (inner: string) => `[url=https://a.example/x]${inner}[/url]`;
    const body = [photo, described, titled, `${photo} and words`, "words"].map(link).join("\n");
    await page.get("/network");
    await page.post("/network", { body, audience: "public" });
    const { text: shown } = await page.get("/channel/alma");
    const links = [...shown.matchAll(/<a\s[^>]*href="https:\/\/a\.example\/x"[^>]*>/g)].map(([tag]) => tag);
    const names = links.map((tag) => /aria-label="([^"]*)"/.exec(tag)?.[1]);
    expect(names).toEqual(["Picture", undefined, "The &lt;old&gt; tree", undefined, undefined]);
  });

  test("is a photo alone, or nothing at all", async () => {
    const alone = await send("/network", { body: "", audience: "public" }, "media", [await photo()]);
    expect(alone.status).toBe(303);
    const empty = await send("/network", { body: "", audience: "public" }, "media", [new File([], "")]);
    expect(empty.status).toBe(422);
  });

  test("is not sent without a file that has nothing in it: that is said, and the rest stays in the form", async () => {
    const files = [await photo("full.jpg"), new File([], "blank.txt")];
    const first = await send("/network", { body: "Both of them", audience: "public" }, "media", files);
    expect([first.status, first.text.includes("“blank.txt” is empty")]).toEqual([422, true]);
    expect(first.text).toContain("Both of them");
    const id = /name="media_id" value="(\d+)"/.exec(first.text)![1]!;
    const again = await send("/network", { body: "Both of them", audience: "public", media_id: id }, "media", []);
    expect(again.status).toBe(303);
  });

  test("keeps its text when a photo is broken, and stores nothing", async () => {
    const before = await world.hub.db.selectFrom("attach").select("id").execute();
    const broken = new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2])], "x.jpg", { type: "image/jpeg" });
    const sent = await send("/network", { body: "Do not lose this", audience: "public" }, "media", [
      await photo(),
      broken,
    ]);
    expect(sent.status).toBe(422);
    expect(sent.text).toContain("Do not lose this");
    expect(await world.hub.db.selectFrom("attach").select("id").execute()).toEqual(before);
  });

  test("on the wall of somebody else has no photos", async () => {
    expect((await page.get("/channel/ben")).text).not.toContain('name="media"');
    const before = await world.hub.db.selectFrom("attach").select("id").execute();
    expect((await send("/channel/ben", { body: "Hello" }, "media", [await photo()])).status).toBe(303);
    expect(await world.hub.db.selectFrom("attach").select("id").execute()).toEqual(before);
  });

  test("names of files are text", async () => {
    await send("/network", { body: "x", audience: "public" }, "media", [text('<img src=x onerror="alert(1)">.txt')]);
    const { text: shown } = await page.get("/channel/alma");
    expect(shown).not.toContain("<img src=x");
    expect(shown).toContain("&lt;img src=x");
  });
});

describe("the photos of a channel", () => {
  test("a profile photo and a cover are taken, shown and taken away", async () => {
    await page.get("/settings/profile");
    for (const use of ["photo", "cover"])
      expect((await send(`/settings/profile/${use}`, {}, "image", [await photo("me.jpg", 1400, 700)])).status).toBe(
        303,
      );
    const { text: settings } = await page.get("/settings/profile");
    expect(settings).toContain("Back to the drawn one");
    expect(settings).toContain("No cover");
    const { text: channel } = await page.get("/channel/alma");
    const cover = /src="(\/photo\/[0-9a-f]{64}-7)"/.exec(channel)![1]!;
    expect((await visitorOf(world.app).get(cover)).status).toBe(200);
    for (const use of ["photo", "cover"])
      expect((await page.post(`/settings/profile/${use}/remove`, {})).status).toBe(303);
    expect((await page.get("/channel/alma")).text).not.toContain(cover);
    expect((await visitorOf(world.app).get(cover)).status).toBe(200);
  });

  test("what is no picture is refused beside its own form", async () => {
    const sent = await send("/settings/profile/cover", {}, "image", [text("cover.jpg")]);
    expect(sent.status).toBe(422);
    expect(sent.text).toMatch(/aria-label="Cover".*This is not a picture in JPEG/s);
    expect(await world.hub.db.selectFrom("attach").select("id").where("filename", "=", "cover.jpg").execute()).toEqual(
      [],
    );
  });
});
