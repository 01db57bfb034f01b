import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { put } from "../../../test/support/files.ts";
import { picture } from "../../../test/support/pictures.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { size } from "../../../test/support/size.ts";
import { setOnlySignedReads } from "../../domain/peers/signed-reads.ts";
import { addresses } from "./addresses.ts";
import { anyCharacter, anySegment } from "../../../test/support/any-character.ts";

/** What all addresses with a document have in common; a new one is met here by itself. */

let world: TestApp;
let known: Record<string, string>;

beforeAll(async () => {
  world = await openTestApp();
  const alma = await world.person("alma");
  const { mid } = (await alma.post("/api/z/1.0/item/update", { body: "public" })).json.item;
  const { hash } = await put(world.hub, alma.channel, "a.png", await picture(60, 40).png().toBuffer());
  known = { nick: "alma", uuid: mid.split("/").at(-1), name: `${hash}-2.png`, hash };
  const { id } = await world.hub.db
    .selectFrom("message")
    .select("id")
    .where("uuid", "=", known["uuid"]!)
    .executeTakeFirstOrThrow();
  // A stamp on a quotation has a name of its own kind; here it is the same.
  const stamp = { uuid: known["uuid"]!, message_id: id, person_id: 0, quoting: "https://far.example/1", created: "" };
  await world.hub.db.insertInto("approval").values(stamp).execute();
});
afterAll(() => world.close());

const accept = { accept: "application/activity+json" };
const query = (path: string) => (path.endsWith("/webfinger") ? "?resource=acct:alma@hub.example" : "");
const fill = (path: string, values: Record<string, string>) => path.replace(/:(\w+)/g, (_, name) => values[name]!);
const send = (method: string, path: string) => world.anonymous.send(method, path, undefined, { headers: accept });

describe.each(addresses)("$path", ({ path, beside, open, forAll, signed }) => {
  const place = () => fill(path, known) + query(path);
  // Follows are there for those whom they name, and histories for the readers of private threads, who have to sign.
  const isForFew = signed || ["/follow/:uuid", "/conversation/:uuid/history"].includes(path);

  test.skipIf(isForFew)("is there, under a name that changes with it", async () => {
    const answer = await send("GET", place());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/(?:activity\+json|jrd\+json|json|xrd\+xml)/);
    expect(answer.headers.get("vary")).toContain("Accept");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("access-control-allow-origin")).toBe(open ? "*" : null);
    const again = await world.anonymous.get(
      place(),
      {},
      {
        headers: { ...accept, "if-none-match": answer.headers.get("etag")! },
      },
    );
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test.skipIf(isForFew)("answers HEAD like GET, and a slash at the end with the way to it", async () => {
    const [head, whole] = [await send("HEAD", place()), await send("GET", place())];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-length", "etag", "cache-control"])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    const slash = await send("GET", `${fill(path, known)}/?x=1`);
    expect([slash.status, slash.headers.get("location")]).toEqual([308, `${fill(path, known)}?x=1`]);
  });

  test("is only for those who sign where the site says so, whether it is there or not", async () => {
    await setOnlySignedReads(world.hub, true);
    const places = [
      place(),
      `${fill(path, { nick: "nobody", uuid: "none", name: "none", hash: "none" })}?x=1`,
      `${fill(path, known)}/`,
    ];
    const answers = await Promise.all(places.map((each) => send("GET", each)));
    const head = await send("HEAD", place());
    const page = beside && (await world.anonymous.get(place(), {}, { headers: { accept: "text/html" } }));
    await setOnlySignedReads(world.hub, false);
    if (page) expect(page.status).not.toBe(401);
    if (forAll) expect(answers.map(({ status }) => status)).not.toContain(401);
    else {
      expect([...answers, head].map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers[0]!.headers.get("accept-signature")).toContain('"@target-uri"');
      expect(answers[0]!.headers.get("cache-control")).toBe("no-store");
    }
  });

  // Where there is a page as well, everything but reading is about that, and forms may go there.
  test("says what may be done with it", async () => {
    const options = await send("OPTIONS", place());
    const allow = beside ? /^GET, HEAD, (POST, )?OPTIONS$/ : /^GET, HEAD, OPTIONS$/;
    expect([options.status, options.text, options.headers.get("allow")]).toEqual([
      204,
      "",
      expect.stringMatching(allow),
    ]);
    for (const method of [...(beside ? [] : ["POST"]), "PUT", "PATCH", "DELETE"])
      expect([method, (await send(method, place())).status]).toEqual([method, 405]);
  });

  const odd = fc.oneof(
    fc.constantFrom(
      "%00",
      "a%00b",
      "%ff",
      "%e0%a4%a",
      "..",
      "%2e%2e",
      "'",
      "%25",
      "__proto__",
      "constructor",
      "first",
      "1e9",
    ),
    fc.constantFrom(
      "-1",
      "9".repeat(400),
      "alma",
      "ALMA",
      "instance.actor",
      "b64.AAAA",
      "a".repeat(3000),
      "\u202e",
      "[",
      "<>",
    ),
    fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
    anySegment,
  );

  test("takes anything calmly, in the place of names and of parameters", async () => {
    const asked = fc.record({
      nick: odd,
      uuid: odd,
      name: odd,
      hash: odd,
      page: odd,
      resource: odd,
      right: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ right, page, resource, ...names }) => {
        const answer = await send("GET", `${fill(path, right ? known : names)}?page=${page}&resource=${resource}`);
        expect([200, 304, 308, 400, 404, 410, ...(signed ? [401] : [])]).toContain(answer.status);
        if (answer.status >= 400 && !answer.headers.get("content-type")!.startsWith("text/html"))
          expect(answer.json).toEqual({ error: expect.any(String) });
      }),
      { numRuns: size(15, 200) },
    );
  });
});
