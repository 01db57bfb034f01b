import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findChannelByNick } from "../src/domain/identity/channels/channels.ts";
import { checkFiles } from "../src/domain/files/check-files.ts";
import { makeKeys } from "../src/keys.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { basic, clientOf } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { channelExport, itemsPage, oldHub } from "./support/hubzilla.ts";
import { bearerFor } from "./support/mastodon.ts";
import { formWith, picture } from "./support/pictures.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** A new password ends log-ins and applications at once, and nothing that was let in before: that comes to its end, whole (decision 187). */

const fresh = "words of another kind";

let world: TestApp;
let anna: Person;
/** Two browsers of hers. */
let here: Visitor;
let there: Visitor;
let whileFetching: () => Promise<void>;

const bytes = Buffer.from("the plan of the house");
const dates = { created: "2026-11-20 10:00:00", edited: "2026-11-20 10:00:00" };
const plan = { hash: randomBytes(16).toString("hex"), filename: "plan.txt", filetype: "text/plain", ...dates };

beforeEach(async () => {
  const keys = (await makeKeys()).rsa;
  whileFetching = () => Promise.resolve();
  const attach = { ...plan, filesize: bytes.length, is_dir: 0, is_photo: 0, revision: 0, folder: "" };
  const items = itemsPage(keys)["item"];
  world = await openTestApp({
    clock: "2026-12-01T12:00:00Z",
    async fetch(given, init) {
      if (String(given).includes("filedata")) await whileFetching();
      return oldHub({ basic: channelExport(keys), items, files: [{ form: { attach: [attach] }, bytes }] })(given, init);
    },
  });
  anna = await world.person("anna");
  [here, there] = [visitorOf(world.app), visitorOf(world.app)];
  for (const browser of [here, there]) await browser.logIn("anna", password);
});
afterEach(() => world.close());

async function changePassword(): Promise<void> {
  await there.get("/settings/account");
  const { location } = await there.post("/settings/account", { old_password: password, password: fresh });
  expect(location).toBe("/settings/account?done=password");
}

async function noFileIsLost(): Promise<void> {
  expect(await checkFiles(world.hub, { repair: false, tell: () => undefined })).toMatchObject({ lost: { count: 0 } });
}

test("an import by the page that is under way goes on, and shows itself to whoever knows the new one", async () => {
  await here.get("/import");
  const old = { url: "https://hz.test", login: "alice", password: "horse" };
  const { location } = await here.post("/import", { mode: "clone", posts: "1", nick: "", ...old });
  let changed = 0;
  whileFetching = async () => {
    if (changed++ === 0) await changePassword();
  };
  await world.work();
  expect(changed).toBeGreaterThan(0);
  expect((await here.get(location)).location).toMatch(/^\/login/);
  expect((await there.get(location)).text).toContain("The import is done");
  const { channel_id } = (await findChannelByNick(world.hub, "alice"))!;
  const files = await world.hub.db.selectFrom("attach").select("filename").where("uid", "=", channel_id).execute();
  expect(files).toContainEqual({ filename: "plan.txt" });
  const runs = await world.hub.db.selectFrom("import_run").select(["state", "options"]).execute();
  expect(runs).toMatchObject([{ state: "done" }]);
  expect(runs[0]!.options).not.toContain("horse");
  await noFileIsLost();
});

test("an upload in pieces goes on with the new one, from the piece where it was", async () => {
  const png = await picture(300, 200).png({ compressionLevel: 0 }).toBuffer();
  const half = Math.ceil(png.length / 2);
  const call = (secret: string, fields: Record<string, string>, piece?: Buffer) =>
    clientOf(world.app, `anna:${secret}`).send(
      "POST",
      "/api/media/upload.json",
      formWith(fields, piece ? [["media", piece, "blob", "application/octet-stream"]] : []),
    );
  const begun = await call(password, { command: "INIT", total_bytes: String(png.length), media_type: "image/png" });
  const media_id = begun.json.media_id_string as string;
  const append = (secret: string, at: 0 | 1) =>
    call(secret, { command: "APPEND", media_id, segment_index: String(at) }, png.subarray(at * half, (at + 1) * half));
  await append(password, 0);
  await changePassword();
  expect((await append(password, 1)).status).toBe(401);
  expect((await call(password, { command: "FINALIZE", media_id })).status).toBe(401);
  expect((await append(fresh, 1)).status).toBe(200);
  expect((await call(fresh, { command: "FINALIZE", media_id })).json).toMatchObject({ image: { w: 300, h: 200 } });
  await noFileIsLost();
});

const doors: [string, string, () => Promise<string>, string][] = [
  ["an application", "/api/v2/media", async () => `Bearer ${await bearerFor(world, anna.channel)}`, "file"],
  ["a password", "/api/media/upload.json", () => Promise.resolve(basic(`anna:${password}`)), "media"],
];

test.each(doors)(
  "an upload that %s has begun arrives whole, and is the last",
  async (_by, path, credentials, field) => {
    const png = await picture(300, 200).png({ compressionLevel: 0 }).toBuffer();
    const authorization = await credentials();
    const given = new Request("http://hub.example", {
      method: "POST",
      body: formWith({}, [[field, png, "a.png", "image/png"]]),
    });
    const [body, type] = [Buffer.from(await given.arrayBuffer()), given.headers.get("content-type")!];
    let sent = 0;
    const arriving = new ReadableStream(
      {
        async pull(controller) {
          if (sent === 1) await changePassword();
          if (sent === 2) controller.close();
          else controller.enqueue(body.subarray((sent * body.length) / 2, ((sent + 1) * body.length) / 2));
          sent++;
        },
      },
      { highWaterMark: 0 },
    );
    const send = (what: ReadableStream | Buffer): Response | Promise<Response> => {
      const headers = { authorization, "content-type": type };
      const sent: RequestInit & { duplex: "half" } = { method: "POST", headers, body: what, duplex: "half" };
      return world.app.request(`http://hub.example${path}`, sent);
    };
    expect((await send(arriving)).status).toBe(200);
    expect(sent).toBeGreaterThan(1);
    const photos = await world.hub.db
      .selectFrom("photo")
      .select(["width", "height"])
      .where("imgscale", "=", 0)
      .execute();
    expect(photos).toEqual([{ width: 300, height: 200 }]);
    await noFileIsLost();
    expect((await send(body)).status).toBe(401);
  },
);
