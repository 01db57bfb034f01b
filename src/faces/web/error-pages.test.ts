import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { onPostgres, password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../test/support/visitor.ts";
import { whileAway } from "../../../test/support/while-away.ts";
import { rateLimits } from "../../http/rate-limits.ts";

/** Pages of errors: in the language of who reads them, with what to do next, and with what was written. */

const mostUpload = 200_000;
const written = "Words that took long";
let world: TestApp;
let ann: Person;
let own: Visitor;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_MAX_UPLOAD: String(mostUpload), HUBBUB_RATE_LIMITS: "on" } });
  ann = await world.person("ann");
  own = visitorOf(world.app);
  await own.logIn("ann", password);
  await own.get("/network");
});
afterAll(() => world.close());

type Ask = (headers: Record<string, string>) => Promise<VisitedPage>;

const oob = "urn:ietf:wg:oauth:2.0:oob";
const large = (): File => new File([new Uint8Array(mostUpload + 1)], "film.bin");
const post = { body: written, audience: "public" };

/** Each way to a page of an error, with its status; `keeps` what was written. */
const ways: [status: number, what: string, ask: Ask, keeps?: true][] = [
  [
    400,
    "an application that is not known",
    (spoken) => own.get(`/oauth/authorize?client_id=no&response_type=code&redirect_uri=${oob}`, spoken),
  ],
  [400, "a token that is not known", (spoken) => own.get("/oauth/authorize?oauth_token=no", spoken)],
  [
    400,
    "a question that an application asks wrongly",
    async (spoken) => {
      const made = await world.anonymous.post("/api/v1/apps", { client_name: "Reader", redirect_uris: oob });
      const { client_id: id } = made.json as { client_id: string };
      return own.get(`/oauth/authorize?client_id=${id}&response_type=strange&redirect_uri=${oob}`, spoken);
    },
  ],
  [400, "a code that is none", (spoken) => own.get("/oauth/authorize/native", spoken)],
  [
    403,
    "a form of another site",
    (spoken) => own.post("/network", post, { ...spoken, origin: "https://evil.example" }),
  ],
  [
    403,
    "a button that was open for too long",
    (spoken) => own.post("/item/1/act", { act: "like", form_security_token: "old" }, spoken),
  ],
  [
    403,
    "a form that was open for too long",
    (spoken) => own.post("/network", { ...post, form_security_token: "old" }, spoken),
    true,
  ],
  [404, "an address of nothing", (spoken) => own.get("/nothing", spoken)],
  [404, "an address of nothing, for a stranger", (spoken) => visitorOf(world.app).get("/nothing", spoken)],
  [404, "a form of what is gone", (spoken) => own.post("/display/nothing", { body: written }, spoken), true],
  [405, "a form that no page has", (spoken) => own.post("/help", {}, spoken)],
  [413, "a file that is too large", (spoken) => own.post("/uploads", { media: large() }, spoken)],
  [
    413,
    "a post with a file that is too large",
    (spoken) => own.post("/network", { ...post, media: large() }, spoken),
    true,
  ],
  [
    415,
    "a form that cannot be read",
    (spoken) => own.post("/network", post, { ...spoken, "content-type": "text/odd" }),
  ],
  [429, "a post too many", (spoken) => whileMany(() => own.post("/network", post, spoken)), true],
  [429, "a page too many", (spoken) => whileMany(() => own.get("/network", spoken))],
  [
    503,
    "a post while the database is away",
    (spoken) => whileAway(world.hub, () => own.post("/network", post, spoken)),
    true,
  ],
];

// A file that somebody else writes is read all the same.
if (onPostgres)
  ways.push([
    503,
    "a page while the database is away",
    (spoken) => whileAway(world.hub, () => own.get("/network", spoken)),
  ]);

/** Nothing more is left to ask for until the clock goes on. */
async function whileMany(ask: () => Promise<VisitedPage>): Promise<VisitedPage> {
  const limits = rateLimits(world.hub);
  for (const kind of ["read", "write"] as const)
    while (limits.rate(kind, ann.channel.channel_id)!.remaining > 0) limits.count(kind, ann.channel.channel_id);
  const page = await ask();
  world.hub.setClock(new Date(world.hub.clock().getTime() + 3_600_000));
  return page;
}

const main = ({ text }: VisitedPage): string => /<main[\s\S]*<\/main>/.exec(text)![0];
/** What stands in the page, piece by piece, but for what was typed, the names of things, and what only programs are told. */
const pieces = (page: VisitedPage): string[] =>
  main(page)
    .replaceAll(/<(textarea|option|select)\b[\s\S]*?<\/\1>|<p lang="en">[^<]*/g, "")
    .split(/<[^>]*>/)
    .map((piece) => piece.trim())
    .filter((piece) => /\p{L}\s+\p{L}/u.test(piece));

describe.each(ways)("%i for %s", (status, _, ask, keeps) => {
  test("is said in five languages, with what to do next", async () => {
    const english = await ask({ "accept-language": "en" });
    expect(main(english)).toMatch(/class="button|go back to the application/i);
    for (const tag of ["en", "de", "fr", "es", "pt"]) {
      const page = tag === "en" ? english : await ask({ "accept-language": tag });
      expect([tag, page.status]).toEqual([tag, status]);
      expect([tag, page.text.includes(`<html lang="${tag}"`)]).toEqual([tag, true]);
      expect(pieces(page).join("\n")).not.toMatch(/undefined|\[object|[a-z]+_[a-z]+|[{}]/);
      if (tag !== "en")
        expect([tag, pieces(page).filter((piece) => pieces(english).includes(piece))]).toEqual([tag, []]);
      if (keeps) expect([tag, main(page).includes(`${written}</textarea>`)]).toEqual([tag, true]);
    }
  });
});
