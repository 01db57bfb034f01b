import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { childrenOf, readXml } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { setPostingLimits } from "../../../domain/items/posting-limits.ts";

/** Sharing, looking up, and what of one's own was shared: microblog contract 8.2 and 8.3. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());

const noId = "An id is missing.";
const noStatus = "There is no status with this id.";

async function post(person: Person, status: string, more: Record<string, unknown> = {}): Promise<number> {
  const { json } = await person.post("/api/statuses/update", { status, ...more });
  await world.work();
  return json.id;
}

const retweet = (person: Person, id: number, form = {}) => person.post(`/api/statuses/retweet/${id}.json`, form);

describe("statuses/retweet", () => {
  test("traps 16, 30: the new status has the original with an id of its own", async () => {
    const id = await post(ann, "worth repeating");
    const { status, json } = await retweet(cara, id);
    expect([status, json.user.screen_name, json.svc_author.screen_name]).toEqual([200, "cara", "ann"]);
    expect(json.retweeted_status).toMatchObject({ text: "worth repeating", user: { screen_name: "ann" } });
    expect(json.retweeted_status.id).toBe(id);
    expect(json.id).not.toBe(id);
    expect("retweeted_status" in json.retweeted_status).toBe(false);
    const seen = (await ann.get(`/api/statuses/show/${id}`)).json;
    expect([seen.retweet_count, seen.retweeted]).toEqual([1, false]);
    expect((await cara.get(`/api/statuses/show/${id}`)).json.retweeted).toBe(true);
  });

  test("again: the existing reshare, also by the id of somebody's reshare", async () => {
    const id = await post(ann, "once is enough");
    const first = (await retweet(cara, id)).json.id;
    const bobs = (await retweet(bob, id)).json.id;
    for (const again of [id, first, bobs]) {
      const { status, json } = await cara.post("/api/statuses/retweet", { id: again });
      expect([status, json.id]).toEqual([200, first]);
    }
    expect((await ann.get(`/api/statuses/show/${id}`)).json.retweet_count).toBe(2);
  });

  test("on one page with its original, which is counted once in both places", async () => {
    const id = await post(ann, "seen twice");
    await post(bob, "well", { in_reply_to_status_id: id });
    await bob.post("/api/svc/activity/like", { id });
    await retweet(bob, id);
    await world.work();
    const page = (await ann.get("/api/statuses/home_timeline", { count: 5 })).json as any[];
    const shared = page.find((status) => status.retweeted_status?.id === id);
    const counts = (status: any) => [status.favorite_count, status.retweet_count, status.friendica_comments];
    expect([counts(page.find((status) => status.id === id)), counts(shared.retweeted_status)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(shared.retweeted_status.friendica_activities.like.length).toBe(1);
  });

  test("two at once make one", async () => {
    const id = await post(ann, "in a hurry");
    const answers = await Promise.all([retweet(cara, id), retweet(cara, id), retweet(cara, id)]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  });

  test("of a reshare the original is shared", async () => {
    const id = await post(ann, "handed on");
    const bobs = (await retweet(bob, id)).json.id;
    const { json } = await retweet(cara, bobs);
    expect(json.retweeted_status).toMatchObject({ id, user: { screen_name: "ann" } });
    expect(json.svc_author.screen_name).toBe("ann");
  });

  test("what adds words is a post of its own, and can be shared", async () => {
    const id = await post(ann, "the core");
    const share = (await retweet(bob, id)).json;
    const quote = await bob.post("/api/statuses/update", {
      status: `look at this [share author='Ann' profile='http://hub.example/channel/ann' avatar='' link='${share.retweeted_status.external_url}' posted='2026-03-01 12:00:00' message_id='${share.retweeted_status.external_url}']the core[/share]`,
    });
    await world.work();
    expect(quote.json).toMatchObject({
      is_quote_status: true,
      text: "look at this",
      quoted_status: { text: "the core" },
    });
    expect("retweeted_status" in quote.json).toBe(false);
    // Only the reshare counts, and once that is taken back nothing does.
    const counted = async () => {
      const { json } = await bob.get(`/api/statuses/show/${share.retweeted_status.id}`);
      return [json.retweet_count, json.retweeted, json.friendica_activities.announce.length];
    };
    expect(await counted()).toEqual([1, true, 1]);
    const ofAnn = async () => (await ann.get("/api/statuses/retweets_of_me")).json.map((s: any) => s.text);
    expect(await ofAnn()).toContain("the core");
    await bob.post(`/api/statuses/unretweet/${id}`);
    await world.work();
    expect(await counted()).toEqual([0, false, 0]);
    expect(await ofAnn()).not.toContain("the core");
    const { json } = await retweet(cara, quote.json.id);
    expect(json.retweeted_status).toMatchObject({ id: quote.json.id, user: { screen_name: "bob" } });
    // A quotation is no reshare: it does not stand in the way of one, and is not taken back like one.
    expect((await retweet(cara, id)).json.retweeted_status.id).toBe(id);
    await bob.post(`/api/statuses/unretweet/${id}`);
    expect((await bob.get(`/api/statuses/show/${quote.json.id}`)).status).toBe(200);
  });

  test("source is the application's name, else api", async () => {
    const ids = [await post(ann, "s1"), await post(ann, "s2")];
    expect((await retweet(bob, ids[0]!, { source: '<a href="https://x.example">Tweeter</a>' })).json.source).toBe(
      "Tweeter (Hubbub)",
    );
    expect((await retweet(bob, ids[1]!)).json.source).toBe("api (Hubbub)");
  });

  test("posts that came as HTML can be shared too", async () => {
    const { json } = await ann.post("/api/statuses/update", { htmlstatus: "<p>in <b>bold</b> [b]type[/b]</p>" });
    const shared = await retweet(bob, json.id);
    expect([shared.status, shared.json.retweeted_status?.id]).toEqual([200, json.id]);
  });

  test("errors", async () => {
    const secret = await post(ann, "for bob alone", { contact_allow: `<${bob.channel.channel_hash}>` });
    const bobsCopy = (await bob.get("/api/statuses/home_timeline")).json.find(
      (s: any) => s.text === "for bob alone",
    ).id;
    const cases: [Promise<{ status: number; json: any }>, number, string][] = [
      [bob.post("/api/statuses/retweet"), 400, noId],
      [bob.post("/api/statuses/retweet", { id: 0 }), 400, noId],
      [bob.post("/api/statuses/retweet", { id: 987_654 }), 404, noStatus],
      [cara.post("/api/statuses/retweet", { id: secret }), 404, noStatus],
      [bob.post("/api/statuses/retweet", { id: bobsCopy }), 403, "Forbidden"],
      [ann.post("/api/statuses/retweet", { id: secret }), 403, "Forbidden"],
      [ann.get("/api/statuses/retweet", { id: secret }), 405, "Method Not Allowed"],
    ];
    for (const [answer, code, error] of cases) {
      const { status, json } = await answer;
      expect([status, json]).toMatchObject([code, { error, code }]);
    }
  });
});

describe("companions", () => {
  test("unretweet deletes the reshare and answers the original", async () => {
    const id = await post(ann, "taken back");
    const share = (await retweet(bob, id)).json.id;
    await world.work();
    const { status, json } = await bob.post(`/api/statuses/unretweet/${id}.json`);
    expect([status, json.text, json.retweeted]).toEqual([200, "taken back", false]);
    expect((await bob.get(`/api/statuses/show/${share}`)).status).toBe(404);
    for (const [path, code, error] of [
      [`statuses/unretweet/${id}`, 404, noStatus],
      ["statuses/unretweet/987654", 404, noStatus],
      ["statuses/unretweet", 400, noId],
    ] as const) {
      const again = await bob.post(`/api/${path}`);
      expect([again.status, again.json.error]).toEqual([code, error]);
    }
    expect((await bob.get(`/api/statuses/unretweet/${id}`)).status).toBe(405);
    // By the id of the reshare itself too.
    const other = (await retweet(bob, id)).json.id;
    expect((await bob.post(`/api/statuses/unretweet/${other}`)).json.id).toBe(json.id);
  });

  test("retweets and retweeters/ids", async () => {
    const id = await post(ann, "popular");
    const shares = [(await retweet(bob, id)).json.id, (await retweet(cara, id)).json.id];
    await world.work();
    const { json } = await cara.get(`/api/statuses/retweets/${id}.json`);
    expect(json.map((status: any) => [status.id, status.user.screen_name, status.retweeted_status.text])).toEqual([
      [shares[1], "cara", "popular"],
      [shares[0], "bob", "popular"],
    ]);
    expect((await cara.get("/api/statuses/retweets", { id, count: 1 })).json.length).toBe(1);
    // Of a reshare: those of what it repeats.
    expect((await cara.get(`/api/statuses/retweets/${shares[0]}`)).json.length).toBe(2);
    const xml = readXml(await cara.get(`/api/statuses/retweets/${id}.xml`));
    expect([xml.name, childrenOf(xml, "status").length]).toEqual(["statuses", 2]);
    const people = [bob, cara].map((person) => person.channel.xchan_id).toSorted((one, other) => other - one);
    const all = (await ann.get("/api/statuses/retweeters/ids", { id })).json;
    expect(all).toMatchObject({ ids: people, next_cursor: 0, previous_cursor: 0, total_count: 2 });
    const first = (await ann.get("/api/statuses/retweeters/ids", { id, count: 1, stringify_ids: "true" })).json;
    expect(first).toMatchObject({ ids: [String(people[0])], next_cursor: people[0], previous_cursor: 0 });
    const second = (await ann.get("/api/statuses/retweeters/ids", { id, count: 1, cursor: first.next_cursor })).json;
    expect(second).toMatchObject({ ids: [people[1]], next_cursor: 0 });
    const list = readXml(await ann.get("/api/statuses/retweeters/ids.xml", { id }));
    expect(list.name).toBe("id_list");
    for (const path of ["retweets", "retweeters/ids"]) {
      for (const [query, code, error] of [
        [{}, 400, noId],
        [{ id: 987_654 }, 404, noStatus],
      ] as const) {
        const answer = await ann.get(`/api/statuses/${path}`, query);
        expect([path, answer.status, answer.json.error]).toEqual([path, code, error]);
      }
      expect((await ann.post(`/api/statuses/${path}`, { id })).status).toBe(405);
    }
  });

  test("retweets_of_me: own posts and answers that others shared openly, as long as they do", async () => {
    const dan = await world.person("dan");
    await befriend(world.hub, dan.channel, bob.channel);
    const texts = async () => (await dan.get("/api/statuses/retweets_of_me")).json.map((status: any) => status.text);
    const mine = [await post(dan, "one"), await post(dan, "two"), await post(dan, "three")];
    const bobs = await post(bob, "a question");
    const copy = (await dan.get("/api/statuses/home_timeline")).json.find(
      (s: any) => s.id !== bobs && s.text === "a question",
    );
    const answer = await post(dan, "an answer", { in_reply_to_status_id: copy.id });
    expect(await texts()).toEqual([]);
    await retweet(dan, mine[0]!);
    expect(await texts()).toEqual([]);
    await retweet(bob, mine[0]!);
    await retweet(cara, mine[1]!);
    await retweet(cara, answer);
    expect(await texts()).toEqual(["an answer", "two", "one"]);
    expect((await dan.get("/api/statuses/retweets_of_me", { count: 1, max_id: mine[1] })).json[0].text).toBe("two");
    await cara.post(`/api/statuses/unretweet/${mine[1]}`);
    expect(await texts()).toEqual(["an answer", "one"]);
    expect((await dan.post("/api/statuses/retweets_of_me")).status).toBe(405);
    expect((await bob.get("/api/statuses/retweets_of_me")).json.map((s: any) => s.user.screen_name)).not.toContain(
      "dan",
    );
  });

  test("lookup: in the order of the request, each once, what is unknown left out", async () => {
    const [one, two] = [await post(ann, "first"), await post(ann, "second")];
    const secret = await post(ann, "not for cara", { contact_allow: `<${bob.channel.channel_hash}>` });
    const ids = async (answer: Promise<{ json: any }>) => (await answer).json.map((status: any) => status.id);
    expect(await ids(cara.get("/api/statuses/lookup", { id: `${two},987654,${secret},${one},${two}` }))).toEqual([
      two,
      one,
    ]);
    expect(await ids(cara.post("/api/statuses/lookup", { id: [one, two] }))).toEqual([one, two]);
    expect(await ids(cara.get("/api/1.1/statuses/lookup.json", { id: `<${one}><${two}>` }))).toEqual([one, two]);
    expect(await ids(ann.get("/api/statuses/lookup", { id: "x,0,-1,987654" }))).toEqual([]);
    const own = (await bob.get("/api/statuses/home_timeline")).json.find((status: any) => status.text === "first").id;
    expect(await ids(bob.get("/api/statuses/lookup", { id: `${one},${own}` }))).toEqual([own]);
    const many = Array.from({ length: 120 }, (_, n) => 900_000 + n);
    expect(await ids(ann.get("/api/statuses/lookup", { id: [...many.slice(0, 99), one, two].join(",") }))).toEqual([
      one,
    ]);
    expect(readXml(await ann.get("/api/statuses/lookup.xml", { id: one })).name).toBe("statuses");
    for (const query of [{}, { id: "" }]) {
      const { status, json } = await ann.get("/api/statuses/lookup", query);
      expect([status, json.error]).toEqual([400, noId]);
    }
    expect((await ann.send("PUT", `/api/statuses/lookup?id=${one}`)).status).toBe(405);
  });
});

test("posting limits: top-level posts and reshares, not answers; with Retry-After", async () => {
  const eve = await world.person("eve");
  await befriend(world.hub, eve.channel, bob.channel);
  await setPostingLimits(world.hub, { day: 2, week: 3, month: 1000 });
  try {
    const id = await post(eve, "one");
    await post(eve, "two");
    await post(eve, "an answer", { in_reply_to_status_id: id });
    const daily = await eve.post("/api/statuses/update", { status: "three" });
    expect([daily.status, daily.json.error]).toEqual([
      429,
      "Daily posting limit of 2 posts reached. The post was rejected.",
    ]);
    expect(Number(daily.headers.get("retry-after"))).toBeGreaterThan(86_000);
    expect((await retweet(eve, id)).status).toBe(429);
    world.hub.advance(86_401);
    await post(eve, "three");
    const weekly = await eve.post("/api/statuses/update.xml", { status: "four" });
    expect([weekly.status, weekly.text]).toEqual([
      429,
      expect.stringContaining("Weekly posting limit of 3 posts reached. The post was rejected."),
    ]);
    await setPostingLimits(world.hub, { day: 0, week: 0, month: 1 });
    const monthly = await eve.post("/api/statuses/update", { status: "four" });
    expect(monthly.json.error).toBe("Monthly posting limit of 1 post reached. The post was rejected.");
    expect((await post(eve, "another answer", { in_reply_to_status_id: id })) > id).toBe(true);
  } finally {
    await setPostingLimits(world.hub, { day: 0, week: 0, month: 0 });
  }
});

test("`network` limits a post to the people of hubs like this; others are ignored", async () => {
  const open = await ann.post("/api/statuses/update", { status: "for all networks", network: "pigeon" });
  const narrow = await ann.post("/api/statuses/update", { status: "for ours", network: "zot" });
  expect([open.json.svc_private, narrow.json.svc_private]).toEqual([false, true]);
  expect((await cara.get(`/api/statuses/show/${narrow.json.id}`)).status).toBe(200);
});
