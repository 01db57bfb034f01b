import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../../test/support/app.ts";
import { put } from "../../../../../test/support/files.ts";
import { password } from "../../../../../test/support/hub.ts";
import { befriend, nobody } from "../../../../../test/support/people.ts";
import { picture } from "../../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { saveEvent } from "../../../../domain/events/events.ts";
import { observerOf } from "../../../../domain/identity/channels/observer.ts";
import { importChatroom } from "../../../../domain/identity/belongings/chatrooms.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { sendMessage } from "../../../../domain/messages/messages.ts";
import { listRooms } from "../../../../domain/messages/rooms.ts";
import { savePage } from "../../../../domain/pages/save.ts";
import { createWiki } from "../../../../domain/pages/wiki-create.ts";
import { saveWikiPage } from "../../../../domain/pages/wiki-save.ts";
import { pages } from "../table.ts";

/** What was written before a log-in ended is not lost, and nothing happens to it without a press of its button. */

let world: TestApp;
let alma: Person;
/** Somebody whose log-in has ended while a form was open. */
let late: Visitor;
const paths: Record<string, string> = {};

beforeAll(async () => {
  world = await openTestApp();
  const { hub } = world;
  alma = await world.person("alma");
  const { channel } = alma;
  const ben = await world.person("ben");
  await befriend(hub, channel, ben.channel);
  const post = await postItem(hub, channel, { body: "the post" });
  const event = await saveEvent(hub, channel, {
    summary: "Party",
    dtstart: "2026-07-01 18:00:00",
    dtend: "2026-07-01 20:00:00",
    share: { audience: nobody },
  });
  const { hash } = await put(hub, channel, "lake.jpg", await picture(300, 200).jpeg().toBuffer());
  await world.work();
  const mail = await sendMessage(hub, channel, { to: ben.channel.channel_hash, body: "hello" });
  const talk = await postItem(hub, channel, { body: "hello you", directTo: [ben.channel.channel_hash] });
  await importChatroom(hub, channel, { cr_name: "Salon" });
  const [room] = await listRooms(hub, observerOf(channel), channel);
  await createWiki(hub, channel, { name: "Notes", mimetype: "text/markdown", posted: false });
  await saveWikiPage(hub, channel, channel, "Notes", { name: "Home", body: "first words", base: 0 });
  const element = { title: "", mimetype: "text/bbcode", layoutMid: "", body: "element" };
  for (const kind of ["webpage", "block", "layout"] as const)
    paths[kind] = String((await savePage(hub, channel, channel, { ...element, kind, name: kind })).id);
  Object.assign(paths, {
    "/report": `/report?xchan=${ben.channel.channel_hash}`,
    "/display/:link": `/display/${post.mid.split("/item/")[1]}`,
    "/item/:id/edit": `/item/${post.id}/edit`,
    "/event/:hash": `/event/${event.event_hash}`,
    "/event/:hash/edit": `/event/${event.event_hash}/edit`,
    "/photos/:nick/image/:hash": `/photos/alma/image/${hash}`,
    "/chat/:nick/:id": `/chat/alma/${room!.cr_id}`,
    "/mail/:id": `/mail/${mail.id}`,
    "/mail/talk/:id": `/mail/talk/${talk.id}`,
    "/wiki/:nick/:wiki/:page": "/wiki/alma/Notes/Home",
    "/webpages/:nick/:id": `/webpages/alma/${paths["webpage"]}`,
    "/blocks/:nick/:id": `/blocks/alma/${paths["block"]}`,
    "/layouts/:nick/:id": `/layouts/alma/${paths["layout"]}`,
  });
  late = await member();
});
afterAll(() => world?.close());

async function member(): Promise<Visitor> {
  const visitor = visitorOf(world.app);
  await visitor.logIn("alma", password);
  return visitor;
}

function end(visitor: Visitor): void {
  visitor.cookies.delete("hubbub");
}

const pathOf = (row: string): string => paths[row] ?? row.replace(":nick", "alma");

/** The fields of the form in a page that sends to a path, without its token. */
function fieldsOf({ text }: VisitedPage, path: string): Record<string, string[]> {
  const [, inner = ""] =
    new RegExp(`<form[^>]*action="${path.replace("?", "\\?")}#fault"[^>]*>([^]*?)</form>`).exec(text) ?? [];
  const fields: Record<string, string[]> = {};
  for (const [, name = "", value = ""] of inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g))
    if (name !== "form_security_token") (fields[name] ??= []).push(value);
  return fields;
}

/** Everything that could have come out of a form. */
async function everything(): Promise<unknown> {
  const tables = ["item", "message", "mail", "event", "attach"] as const;
  return Promise.all(tables.map((table) => world.hub.db.selectFrom(table).selectAll().execute()));
}

const text = 'Half an hour of "work" & more\n\n</textarea><script>x</script>';
const escaped = "Half an hour of &quot;work&quot; &amp; more\n\n&lt;/textarea&gt;&lt;script&gt;x&lt;/script&gt;";
const rows = pages.filter(({ again }) => again).map(({ path }) => path);

describe.each(rows)("%s", (row) => {
  const typed = { body: text, description: text, act: "save", base: "1", audience: "chosen", group_allow: ["a", "b"] };

  test("asks to log in, keeps the text, and shows its form with it afterwards", async () => {
    const path = pathOf(row);
    const before = await everything();
    end(late);
    const asked = await late.post(path, typed);
    expect([asked.status, asked.location]).toEqual([403, ""]);
    expect(asked.text).toContain(`readonly>${escaped}</textarea>`);
    const kept = fieldsOf(asked, path);
    expect(kept).toMatchObject({ body: [escaped], group_allow: ["a", "b"], audience: ["chosen"] });
    const wrong = await late.post(path, { ...typed, log_in_again: "1", login: "alma", password: "a guess" });
    expect([wrong.status, wrong.text.includes("a guess")]).toEqual([422, false]);
    expect(fieldsOf(wrong, path)).toEqual(kept);
    const back = await late.post(path, { ...typed, log_in_again: "1", login: "alma", password });
    expect([back.status, back.location]).toEqual([200, ""]);
    expect(back.text).toMatch(/Nothing was sent yet: look it over and press the button once more\./);
    expect(back.text).toMatch(
      new RegExp(`<textarea[^>]*name="(body|description)"[^>]*>\n${RegExp.escape(escaped)}</textarea>`),
    );
    expect(await everything()).toEqual(before);
  });

  test("does the same for a form of an earlier log-in", async () => {
    const before = await everything();
    const visitor = await member();
    const again = await visitor.post(pathOf(row), { ...typed, form_security_token: "of another session" });
    expect(again.status).toBe(403);
    expect(again.text).toContain("This form has been open for too long. Nothing was sent yet");
    expect(again.text).toContain(escaped);
    expect(await everything()).toEqual(before);
  });
});

test("the button sends it then, to those who were chosen", async () => {
  const visitor = await member();
  end(visitor);
  const typed = { body: "for my connections alone", audience: "connections" };
  await visitor.post("/network", typed);
  const back = await visitor.post("/network", { ...typed, log_in_again: "1", login: "alma", password });
  expect(back.text).toMatch(/value="connections" checked/);
  const sent = await visitor.post("/network", typed);
  expect([sent.status, sent.location]).toEqual([303, "/network?done=posted"]);
  const posted = await world.hub.db.selectFrom("item").select("public_policy").orderBy("id", "desc").executeTakeFirst();
  expect(posted).toEqual({ public_policy: "contacts" });
});

test("photos are not kept, and that is said", async () => {
  const visitor = await member();
  end(visitor);
  const before = await everything();
  const media = new File([new Uint8Array(300_000)], "photo.jpg", { type: "image/jpeg" });
  const asked = await visitor.post("/network", { body: "with a photo", audience: "public", media });
  expect(asked.status).toBe(403);
  expect(asked.text).toContain("with a photo");
  expect(asked.text.length).toBeLessThan(20_000);
  const back = await visitor.post("/network", { body: "with a photo", log_in_again: "1", login: "alma", password });
  expect(back.text).toContain("Files have to be chosen again.");
  expect(await everything()).toEqual(before);
});

test("the log-in needs its token, and other sites send nothing here", async () => {
  const visitor = visitorOf(world.app);
  const form = { body: "forged", log_in_again: "1", login: "alma", password };
  const refused = await visitor.post("/network", form);
  expect([refused.status, visitor.cookies.has("hubbub")]).toEqual([403, false]);
  const foreign = await visitor.post("/network", { body: "forged" }, { "sec-fetch-site": "cross-site" });
  expect([foreign.status, foreign.text.includes("forged")]).toEqual([403, false]);
  const inside = await late.post(
    "/network",
    { body: "forged", form_security_token: "x" },
    { origin: "https://x.example" },
  );
  expect([inside.status, inside.text.includes("forged")]).toEqual([403, false]);
});

test("buttons and empty forms lead to the log-in page as ever", async () => {
  const visitor = visitorOf(world.app);
  for (const [path, fields] of [
    ["/network", { body: " ", audience: "public" }],
    [pathOf("/wiki/:nick/:wiki/:page"), { act: "delete" }],
    ["/follow", { body: "x" }],
  ] as const) {
    const asked = await visitor.post(path, fields);
    expect([path, asked.status, asked.location.startsWith("/login")]).toEqual([path, 303, true]);
  }
});

test("a wiki page that others have changed meanwhile is not written over unseen", async () => {
  const { hub } = world;
  const visitor = await member();
  end(visitor);
  const path = pathOf("/wiki/:nick/:wiki/:page");
  await saveWikiPage(hub, alma.channel, alma.channel, "Notes", { name: "Home", body: "of somebody else", base: 1 });
  const typed = { act: "save", base: "1", body: "mine" };
  await visitor.post(path, typed);
  const back = await visitor.post(path, { ...typed, log_in_again: "1", login: "alma", password });
  expect(back.text).toContain('name="base" value="1"');
  const sent = await visitor.post(path, typed);
  expect([sent.status, sent.text.includes("Save mine all the same")]).toEqual([422, true]);
});
