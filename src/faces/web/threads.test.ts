import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAccount, makeChannel, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, copyOf, deliver, mark } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { createChannel } from "../../domain/identity/channels/channels.ts";
import { tagItem } from "../../domain/items/posting/community-tags.ts";
import { fileItem } from "../../domain/items/posting/folders.ts";
import { keptBack } from "../../domain/items/posting/moderation.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { listSavedSearches, saveSearch } from "../../domain/items/timelines/saved-searches.ts";
import type { Item } from "../../domain/items/types.ts";
import { webPages } from "./web.ts";

/** Folders, tags, emoji, following, closing, moderation and saved searches on the pages, and who must not notice them. */

let hub: TestHub;
let app: Hono;
let alma: Channel;
let bruno: Channel;
let carla: Channel;
let almas: Visitor;
let brunos: Visitor;
let carlas: Visitor;

beforeAll(async () => {
  hub = await openTestHub();
  app = webPages(hub);
  alma = await makeChannel(hub, "alma");
  bruno = await makeChannel(hub, "bruno");
  carla = await makeChannel(hub, "carla");
  await befriend(hub, alma, bruno);
  [almas, brunos, carlas] = [await member("alma"), await member("bruno"), await member("carla")];
});
afterAll(() => hub.close());

async function member(nick: string): Promise<Visitor> {
  const visitor = visitorOf(app, hub.config.host);
  expect((await visitor.logIn(nick, password)).status).toBe(303);
  return visitor;
}

async function post(who: Channel, body: string, more: Partial<Parameters<typeof postItem>[2]> = {}): Promise<Item> {
  hub.advance(60);
  const item = await postItem(hub, who, { body, ...more });
  await deliver(hub);
  return item;
}

const display = (item: Item): string => `/display/${item.mid.split("/item/")[1]}`;
const onlyBruno = () => ({
  audience: { allow_cid: [bruno.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
});

describe("what a card offers", () => {
  test("emoji are given and taken back by the same button", async () => {
    const top = await post(alma, "emoji");
    const own = (await copyOf(hub, bruno, top))!;
    const { text } = await brunos.get(display(top));
    expect(text).toContain('value="react#heart" aria-pressed="false"');
    expect((await brunos.post(`/item/${own.id}/act`, { act: "react#heart" })).status).toBe(303);
    const shown = (await brunos.get(display(top))).text;
    expect(shown).toContain("❤️ You");
    expect(shown).toContain('value="unreact#heart" aria-pressed="true"');
    await brunos.post(`/item/${own.id}/act`, { act: "unreact#heart" });
    expect((await brunos.get(display(top))).text).not.toContain("❤️ You");
    expect((await brunos.post(`/item/${own.id}/act`, { act: "react#nonsense" })).status).toBe(422);
    expect((await brunos.post(`/item/${own.id}/act`, { act: "constructor" })).status).toBe(422);
  });

  test("notices of a thread are stopped and taken up; its owner closes it", async () => {
    const top = await post(alma, "thread");
    const own = (await copyOf(hub, bruno, top))!;
    expect((await almas.get(display(top))).text).toContain("Stop notices of this thread");
    await almas.post(`/item/${top.id}/act`, { act: "unfollow" });
    expect((await almas.get(display(top))).text).toContain("Get notices of this thread");
    expect((await brunos.get(display(top))).text).not.toContain("Close for comments");
    expect((await brunos.post(`/item/${own.id}/act`, { act: "close" })).status).toBe(403);
    await almas.post(`/item/${top.id}/act`, { act: "close" });
    expect((await brunos.get(display(top))).text).toContain("This post takes no more comments.");
    expect((await almas.get(display(top))).text).toContain("Take comments again");
  });

  test("folders: saved, listed, found again, taken out; for the member alone", async () => {
    const top = await post(alma, "worth keeping");
    const own = (await copyOf(hub, bruno, top))!;
    expect((await brunos.post(`/item/${own.id}/folders`, { folder: "Good things" })).status).toBe(303);
    expect((await brunos.get("/folders")).text).toContain("/network?file=Good%20things");
    expect((await brunos.get("/network?file=good%20things")).text).toContain("worth keeping");
    expect((await brunos.post(`/item/${own.id}/folders`, { folder: " " })).status).toBe(422);
    for (const other of [almas, carlas]) {
      expect((await other.get("/folders")).text).not.toContain("Good things");
      expect((await other.get("/network?file=good%20things")).text).not.toContain("worth keeping");
    }
    for (const other of [almas, carlas, visitorOf(app)])
      expect((await other.get(display(top))).text).not.toContain("Good things");
    await brunos.post(`/item/${own.id}/folders/leave`, { folder: "Good things" });
    expect((await brunos.get("/folders")).text).toContain("Nothing saved yet");
  });

  test("tags: added by readers, seen and found by everybody, removed by who may", async () => {
    const top = await post(alma, "tag this");
    const own = (await copyOf(hub, bruno, top))!;
    expect((await brunos.post(`/item/${own.id}/tags`, { tag: "#Harvest" })).status).toBe(303);
    expect((await visitorOf(app).get(display(top))).text).toContain("#Harvest");
    expect((await visitorOf(app).get("/search?tag=harvest")).text).toContain("tag this");
    const foreign = await post(carla, "carla's");
    expect((await brunos.post(`/item/${foreign.id}/tags`, { tag: "x" })).status).toBe(403);
    expect((await almas.post(`/item/${top.id}/tags/remove`, { tag: "Harvest" })).status).toBe(303);
    expect((await visitorOf(app).get(display(top))).text).not.toContain("#Harvest");
    await setConfig(hub, alma.channel_id, "system", "blocktags", "1");
    expect((await brunos.post(`/item/${own.id}/tags`, { tag: "x" })).status).toBe(422);
    await setConfig(hub, alma.channel_id, "system", "blocktags", "0");
  });
});

describe("moderation", () => {
  test("settings, the waiting comment, letting in, hiding and showing", async () => {
    const form = { moderate: "2", tags: "1", quoters: "everybody" };
    expect((await almas.post("/settings/posts", form)).status).toBe(303);
    expect((await almas.post("/settings/posts", { moderate: "9" })).status).toBe(422);
    const top = await post(alma, "moderated");
    const said = await brunos.post(display(top), { body: "please let me in" });
    expect(said.location).toContain("done=waits");
    const [held] = (await keptBack(hub, alma, "held", { count: 1 })).items;
    expect((await almas.get("/moderate")).text).toContain("please let me in");
    expect((await almas.get("/notifications")).text).toContain("the comment waits for you");
    for (const other of [almas, carlas, visitorOf(app)]) {
      const { text } = await other.get(display(top));
      expect(text).not.toContain("please let me in");
      expect(text).not.toContain("1 comment");
    }
    const unknown = await carlas.get("/display/00000000-0000-4000-8000-000000000000");
    const hidden = await carlas.get(display(held!));
    expect([hidden.status, plainOf(hidden.text)]).toEqual([404, plainOf(unknown.text)]);
    expect((await brunos.get("/moderate")).text).not.toContain("please let me in");
    expect((await brunos.post(`/moderate/${held!.id}`, { act: "approve" })).status).toBe(404);
    expect((await almas.post(`/moderate/${held!.id}`, { act: "approve" })).status).toBe(303);
    expect((await visitorOf(app).get(display(top))).text).toContain("please let me in");

    expect((await almas.post(`/item/${held!.id}/act`, { act: "block" })).status).toBe(303);
    expect((await visitorOf(app).get(display(top))).text).not.toContain("please let me in");
    expect((await almas.get("/moderate/hidden")).text).toContain("please let me in");
    expect((await almas.post(`/moderate/${held!.id}`, { act: "show" })).status).toBe(303);
    expect((await visitorOf(app).get(display(top))).text).toContain("please let me in");

    await post(bruno, "and this one?", { parent: { mid: top.mid } });
    const [second] = (await keptBack(hub, alma, "held", { count: 1 })).items;
    expect((await almas.post(`/moderate/${second!.id}`, { act: "drop" })).status).toBe(303);
    expect((await almas.get("/moderate")).text).toContain("No comments are waiting.");
    await almas.post("/settings/posts", { ...form, moderate: "0" });
  });

  /** What a page says, without what names the request. */
  function plainOf(text: string): string {
    return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>").replaceAll(/value="[^"]*"/g, "");
  }
});

describe("an administrator", () => {
  test("deletes what others wrote for everybody; nobody else is offered or granted that", async () => {
    const account = await makeAccount(hub, "root@example.org", { roles: 4096 });
    await createChannel(hub, account, { nick: "root", name: "Root" });
    const root = await member("root");
    const top = await post(alma, "against the rules");
    expect((await root.get(display(top))).text).toContain("delete?as=administrator");
    expect((await carlas.get(display(top))).text).not.toContain("as=administrator");
    expect((await carlas.post(`/item/${top.id}/delete?as=administrator`, {})).status).toBe(403);
    expect((await root.get(`/item/${top.id}/delete?as=administrator`)).text).toContain("It disappears for everybody");
    expect((await root.post(`/item/${top.id}/delete?as=administrator`, {})).status).toBe(303);
    expect((await almas.get(display(top))).status).toBe(404);
    const closed = await post(alma, "not for root", onlyBruno());
    expect((await root.post(`/item/${closed.id}/delete?as=administrator`, {})).status).toBe(404);
  });
});

describe("searching", () => {
  test("words in public posts and the own stream; searches are saved and forgotten, each member's own", async () => {
    const top = await post(alma, "Quinces in the cellar");
    const closed = await post(alma, "Secret quinces", onlyBruno());
    expect((await brunos.get("/search?search=QUINCES")).text).toContain("Secret quinces");
    const { text } = await carlas.get("/search?search=quinces");
    expect(text).toContain("in the cellar");
    expect(text).not.toContain("Secret quinces");
    const stranger = (await visitorOf(app).get("/search?search=quinces&order=best")).text;
    expect(stranger).toContain("in the cellar");
    expect(stranger).not.toContain("Secret quinces");
    expect((await visitorOf(app).get("/search?search=secret")).text).toContain("No posts with this that you may see");
    expect((await brunos.get("/search?search=%23garden")).text).toContain("No posts with this hashtag");
    expect((await brunos.post("/search/save", { query: "quinces" })).status).toBe(303);
    const [saved] = await listSavedSearches(hub, bruno);
    expect(saved!.query).toBe("quinces");
    expect((await brunos.get("/search")).text).toContain("/search?search=quinces");
    expect((await carlas.get("/search")).text).not.toContain("quinces");
    expect((await carlas.post("/search/forget", { id: String(saved!.id) })).status).toBe(404);
    expect((await brunos.post("/search/forget", { id: String(saved!.id) })).status).toBe(303);
    expect(await listSavedSearches(hub, bruno)).toEqual([]);
    expect([top.item_private, closed.item_private]).toEqual([0, 1]);
  });
});

describe("nobody finds a private post by the new doors", () => {
  const never = 987_654_321;
  type Door = [name: string, open: (who: Visitor, id: number) => Promise<{ status: number; text: string }>];
  const doors: Door[] = [
    ["the folders of an item", (who, id) => who.get(`/item/${id}/folders`)],
    ["saving it", (who, id) => who.post(`/item/${id}/folders`, { folder: "x" })],
    ["taking it out", (who, id) => who.post(`/item/${id}/folders/leave`, { folder: "x" })],
    ["its tags", (who, id) => who.get(`/item/${id}/tags`)],
    ["tagging it", (who, id) => who.post(`/item/${id}/tags`, { tag: "x" })],
    ["removing a tag", (who, id) => who.post(`/item/${id}/tags/remove`, { tag: "hushed" })],
    ["letting it in", (who, id) => who.post(`/moderate/${id}`, { act: "approve" })],
    ["dropping it", (who, id) => who.post(`/moderate/${id}`, { act: "drop" })],
    ["blocking it", (who, id) => who.post(`/moderate/${id}`, { act: "block" })],
    ["showing it", (who, id) => who.post(`/moderate/${id}`, { act: "show" })],
    ...["react#heart", "unreact#heart", "follow", "unfollow", "close", "open", "block"].map((act): Door => [
      `the button ${act}`,
      (who, id) => who.post(`/item/${id}/act`, { act }),
    ]),
  ];
  let secret: Item;
  let dora: Visitor;

  beforeAll(async () => {
    secret = await post(alma, "the secret recipe", onlyBruno());
    await tagItem(hub, bruno, { mid: secret.mid }, "hushed");
    await fileItem(hub, bruno, { mid: secret.mid }, "Hidden things");
    await saveSearch(hub, bruno, "secret recipe");
    await deliver(hub);
    const channel = await makeChannel(hub, "dora");
    await befriend(hub, alma, channel);
    await mark(hub, alma, channel, { blocked: true });
    dora = await member("dora");
  });

  const strangers: [string, () => Visitor][] = [
    ["somebody else", () => carlas],
    ["somebody blocked", () => dora],
    ["nobody", () => visitorOf(app, hub.config.host)],
  ];

  test.each(strangers.flatMap(([who, visitor]) => doors.map((door) => [who, door[0], visitor, door[1]] as const)))(
    "%s at %s",
    async (_who, _door, visitor, open) => {
      const plain = ({ status, text }: { status: number; text: string }, id: number) => [
        status,
        text
          .replaceAll(/assets\/[0-9a-f]+\/|[0-9a-f]{8}-[0-9a-f-]{27}|value="[^"]*"/g, "")
          .replaceAll(String(id), "<id>"),
      ];
      const expected = plain(await open(visitor(), never), never);
      expect(plain(await open(visitor(), secret.id), secret.id)).toEqual(expected);
    },
  );

  test.each(["/search?tag=hushed", "/network?file=Hidden+things", "/folders", "/moderate", "/search?search=recipe"])(
    "nor in %s",
    async (path) => {
      for (const [, visitor] of strangers) expect((await visitor().get(path)).text).not.toContain("the secret recipe");
    },
  );

  test("its readers do", async () => {
    expect((await brunos.get("/search?tag=hushed")).text).toContain("the secret recipe");
    expect((await brunos.get("/network?file=hidden+things")).text).toContain("the secret recipe");
  });
});
