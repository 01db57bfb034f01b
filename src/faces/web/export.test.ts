import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { unpackTar } from "modern-tar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { newRevision, upload } from "../../domain/cloud/upload.ts";
import { readEntryName } from "../../domain/export/archive-layout.ts";
import { postItem } from "../../domain/items/posting/post.ts";

/** The downloads, and the archive with everything. */

let world: TestApp;
let alma: Person;
let browser: Visitor;

beforeAll(async () => {
  world = await openTestApp({ clock: "2026-03-31T12:00:00Z" });
  alma = await world.person("alma", { timezone: "Europe/Berlin" });
  browser = visitorOf(world.app);
  await browser.logIn("alma", password);
  const { hub } = world;
  for (const [body, created] of [
    ["last second of 2024", "2024-12-31 22:59:59"],
    ["first second of 2025", "2024-12-31 23:00:00"],
    ["in March", "2025-03-31 21:59:59"],
    ["in April", "2025-03-31 22:00:00"],
  ] as const)
    await postItem(hub, alma.channel, { body, created });
});
afterAll(() => world.close());

const staged = (bytes: Buffer) => world.hub.blobs.stage(Readable.from([bytes]), bytes.length);
const bodiesOf = (text: string): string[] => JSON.parse(text).item.map((item: { body: string }) => item.body);

/** The bytes of the archive; a visitor reads every answer as text. */
async function archive(): Promise<Map<string, Buffer>> {
  await browser.get("/uexport");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await world.app.request("http://hub.example/uexport/archive", {
    method: "POST",
    body: new URLSearchParams({ form_security_token: browser.token(), password }),
    headers: { cookie },
  });
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="alma-2026-03-31.tar"');
  expect(response.headers.get("content-type")).toBe("application/x-tar");
  const entries = await unpackTar(await response.arrayBuffer(), { strict: true });
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? new Uint8Array())]));
}

describe("the page", () => {
  test("says what is in the files and warns of the key", async () => {
    const { status, text } = await browser.get("/uexport");
    expect(status).toBe(200);
    expect(text).toContain("private key");
    expect(text).toContain("on your wall (4)");
    expect(text).toContain('<a href="/drafts">Drafts</a> are in none of these files');
    for (const link of ["/uexport/basic", "/uexport/complete", "/uexport/archive", "/uexport/2024/12", "/uexport/2025"])
      expect(text).toContain(`"${link}"`);
    expect(text).not.toContain('"/uexport/2024/11"');
    expect(text).not.toContain('"/uexport/2025/5"');
  });

  test("is for members", async () => {
    const stranger = visitorOf(world.app);
    for (const path of ["/uexport", "/uexport/basic", "/uexport/2025", "/uexport/2025/3"])
      expect((await stranger.get(path)).location).toContain("/login");
    await stranger.get("/login");
    expect((await stranger.post("/uexport/basic", { password })).location).toContain("/login");
  });

  test("has no other addresses", async () => {
    for (const path of ["/uexport/all", "/uexport/25", "/uexport/2025/0", "/uexport/2025/13", "/uexport/2025/3/1"])
      expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
  });
});

describe("what holds the key", () => {
  test.each(["basic", "complete", "archive"])("%s wants the password again", async (what) => {
    await browser.get("/uexport");
    for (const fields of [{}, { password: "wrong" }]) {
      const { status, text } = await browser.post(`/uexport/${what}`, { ...fields });
      expect(status).toBe(422);
      expect(text).toContain("This is not your password.");
      expect(text).not.toContain("PRIVATE KEY");
    }
    const shown = await browser.get(`/uexport/${what}`);
    expect([shown.status, shown.headers.get("content-disposition")]).toEqual([200, null]);
    expect((await browser.post(`/uexport/${what}`, { password, form_security_token: "x" })).status).toBe(403);
  });

  test("basic and complete are what the API gives", async () => {
    await browser.get("/uexport");
    const basic = await browser.post("/uexport/basic", { password });
    expect(basic.headers.get("content-disposition")).toBe('attachment; filename="alma-basic-2026-03-31.json"');
    expect(basic.headers.get("cache-control")).toBe("no-store");
    expect(basic.text).toBe((await alma.get("/api/z/1.0/channel/export/basic")).text);
    const complete = await browser.post("/uexport/complete", { password });
    expect(complete.text).toBe((await alma.get("/api/z/1.0/channel/export/basic", { posts: 1 })).text);
  });
});

describe("a year or a month", () => {
  test("is what the owner's clocks say", async () => {
    const year = await browser.get("/uexport/2025");
    expect(bodiesOf(year.text)).toEqual(["first second of 2025", "in March", "in April"]);
    expect(year.headers.get("content-disposition")).toBe('attachment; filename="alma-2025.json"');
    expect(Object.keys(JSON.parse(year.text))).toEqual(["relocate", "item"]);
    expect(bodiesOf((await browser.get("/uexport/2025/3")).text)).toEqual(["in March"]);
    expect(bodiesOf((await browser.get("/uexport/2024/12")).text)).toEqual(["last second of 2024"]);
    expect(bodiesOf((await browser.get("/uexport/2024/1")).text)).toEqual([]);
  });
});

describe("the archive", () => {
  test("holds channel, posts, files and their bytes, and can be read back", async () => {
    const { hub } = world;
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
    const file = { filename: "Größe 5.bin", type: "application/octet-stream" };
    const first = await upload(hub, alma.channel, alma.channel, await staged(bytes), {
      ...file,
      folder: { path: "Über/uns" },
    });
    await newRevision(hub, alma.channel, alma.channel, first.hash, await staged(Buffer.from("short")), file.type);
    await upload(hub, alma.channel, alma.channel, await staged(Buffer.alloc(0)), {
      filename: "empty",
      type: file.type,
    });
    const later = await postItem(hub, alma.channel, { body: "not yet", created: "2026-05-01 00:00:00" });
    const entries = await archive();
    const names = [...entries.keys()];
    expect(names.every((name) => readEntryName(name) !== undefined)).toBe(true);
    expect(names.slice(0, 5)).toEqual([
      "archive.json",
      "channel.json",
      "items/000001.json",
      "elsewhere.json",
      "files/000001.json",
    ]);
    const channel = JSON.parse(entries.get("channel.json")!.toString());
    expect(channel).toEqual((await alma.get("/api/z/1.0/channel/export/basic")).json);
    const { item, items_total } = JSON.parse(entries.get("items/000001.json")!.toString());
    expect(items_total).toBe("5");
    expect(item.at(-1)).toMatchObject({ message_id: later.mid, item_delayed: "1" });
    expect(entries.get(`blobs/${first.hash}-0`)).toEqual(bytes);
    expect(entries.get(`blobs/${first.hash}-1`)!.toString()).toBe("short");
    const { results } = (await alma.get("/api/z/1.0/files")).json;
    const forms = names
      .filter((name) => name.startsWith("files/"))
      .map((name) => JSON.parse(entries.get(name)!.toString()));
    expect(forms.map(({ attach }) => attach.at(-1).id)).toEqual(results.map(({ id }: { id: string }) => id));
    // Bytes follow their form.
    expect(names.indexOf(`blobs/${first.hash}-1`) - 1).toBe(
      names.findIndex((name) => name.startsWith("files/") && entries.get(name)!.includes(`"revision":"1"`)),
    );
    expect(readdirSync(join(hub.config.dataDir, "blobs", "staging"))).toEqual([]);
  });

  test("goes on without bytes that are lost, and without more or fewer than the record says", async () => {
    const { hub } = world;
    const [lost, cut] = await Promise.all(
      ["lost", "cut"].map(async (name) =>
        upload(hub, alma.channel, alma.channel, await staged(Buffer.from(`some ${name} bytes`)), {
          filename: `${name}.bin`,
          type: "application/octet-stream",
        }),
      ),
    );
    await hub.blobs.remove(lost!.blob);
    await hub.db.updateTable("attach").set({ filesize: 7 }).where("id", "=", cut!.id).execute();
    const names = [...(await archive()).keys()];
    expect(names).not.toContain(`blobs/${lost!.hash}-0`);
    expect(names).not.toContain(`blobs/${cut!.hash}-0`);
    await hub.db.deleteFrom("attach").where("hash", "in", [lost!.hash, cut!.hash]).execute();
  });
});
