import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, receiveAccept } from "../src/domain/connections/connections.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { regularJobs } from "../src/jobs/kinds.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { crawl } from "./support/crawl.ts";
import { openElsewhere } from "./support/elsewhere.ts";
import { arrivesIn } from "./support/incoming.ts";
import { visitorOf } from "./support/visitor.ts";
import { wholeChannel } from "./support/whole-channel.ts";

/** Who has no log-in causes no request to other servers, at once nor by a job (federation contract 13, 17). */

let world: TestApp;
let first: string[];
const elsewhere = openElsewhere();
const everybody = "https://www.w3.org/ns/activitystreams#Public";
const note = "https://far.example/notes/1";

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_LINK_CARDS: "on" }, fetch: elsewhere.fetch });
  const { hub } = world;
  const alma = await wholeChannel(hub, "alma");
  const carla = await meetActor(hub, {
    ...actorOf("carla"),
    picture: "https://far.example/carla.png",
    outbox: "https://far.example/users/carla/outbox",
  });
  await connect(hub, alma, carla);
  await receiveAccept(hub, alma, carla);
  const object = {
    id: note,
    type: "Note",
    attributedTo: carla.xchan_hash,
    to: [everybody],
    content: `<p>:cat: <a href="https://page.example/">a page</a> <img src="https://far.example/in.png"></p>`,
    tag: [{ type: "Emoji", name: ":cat:", icon: { url: "https://far.example/cat.png" } }],
    attachment: [{ type: "Document", mediaType: "image/png", url: "https://far.example/out.png" }],
    replies: `${note}/replies`,
  };
  const actor = carla.xchan_hash;
  await arrivesIn(hub)({ id: `${note}/made`, type: "Create", actor, to: [everybody], object }, [alma]);
  // Whoever has not been looked at for long would be, if somebody with a log-in looked.
  hub.advance(30 * 24 * 3600);
  await world.work();
  const rows = await hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["message.uuid", "item.id"])
    .where("message.mid", "=", note)
    .execute();
  const far = encodeURIComponent("https://other.example/notes/2");
  first = [
    "/",
    "/channel/alma",
    "/pubstream",
    "/directory",
    `/search?search=${far}`,
    `/follow?url=dora@other.example`,
    `/authorize_interaction?uri=${far}`,
    ...rows.map(({ uuid }) => `/display/${uuid}`),
    `/xchan/${carla.xchan_id}`,
    "/.well-known/webfinger?resource=acct:carla@far.example",
    `/.well-known/webfinger?resource=${far}`,
    "/.well-known/nodeinfo",
    ...["/actor", "/channel/alma", "/channel/alma/outbox", "/channel/alma/followers"].map((path) => `${path}?page=1`),
    ...rows.flatMap(({ id }) =>
      ["", "/context", "/card", "/favourited_by"].map((part) => `/api/v1/statuses/${id}${part}`),
    ),
    "/api/v1/timelines/public",
    "/api/v1/directory",
    `/api/v1/accounts/lookup?acct=carla@far.example`,
    `/api/v1/accounts/lookup?acct=dora@other.example`,
    `/api/v2/search?q=${far}&resolve=true`,
    `/api/v1/accounts/search?q=dora@other.example&resolve=true`,
    "/api/v1/instance/peers",
    `/api/oembed?url=${far}`,
    "/api/statuses/public_timeline.json",
    `/api/users/show.json?screen_name=dora@other.example`,
    "/api/z/1.0/xchan?address=dora@other.example",
  ];
});
afterAll(() => world.close());

const jobs = async (): Promise<string[]> => {
  const regular: string[] = regularJobs.map(([kind]) => kind);
  const rows = await world.hub.db.selectFrom("job").select(["name", "payload"]).orderBy("id").execute();
  return rows.filter(({ name }) => !regular.includes(name)).map(({ name, payload }) => `${name} ${payload}`);
};

test("a visitor who goes everywhere, as a browser and as another server, has nobody asked", async () => {
  const [visitor, server] = [visitorOf(world.app), visitorOf(world.app)];
  const before = await jobs();
  elsewhere.asked.length = 0;
  const statuses = new Set<number>();
  const kindOf = (path: string): string => path.split("/")[1]!;
  expect((await visitor.get(first.find((path) => path.startsWith("/display"))!)).text).toContain("page.example");
  const { paths } = await crawl(visitor, first, kindOf, (_, { status }) => void statuses.add(status), 8);
  for (const path of paths) {
    const { status } = await server.get(path, { accept: "application/activity+json" });
    statuses.add(status);
  }
  expect(paths.length).toBeGreaterThan(first.length + 10);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect([elsewhere.asked.map(({ url }) => url), await jobs()]).toEqual([[], before]);
});
