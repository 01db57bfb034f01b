import { afterAll, beforeAll, expect, test } from "vitest";
import { almaAndEva } from "../../../test/support/alma-and-eva.ts";
import type { AlmaAndEva } from "../../../test/support/alma-and-eva.ts";
import { mastodonPerson } from "../../../test/support/mastodon.ts";
import { react } from "../../domain/items/posting/react.ts";
import { everybody } from "./everybody.ts";

/** Pictures that other servers have for codes: in names, texts and reactions (federation contract 4.2). */

let { world, elsewhere, arrives, alma, eva, member } = {} as AlmaAndEva;

const far = "https://far.example";
const emoji = (code: string) => ({
  type: "Emoji",
  id: `${far}/emoji/${code}`,
  name: `:${code}:`,
  icon: { type: "Image", mediaType: "image/png", url: `${far}/${code}.png` },
});
const img = (code: string, end = "") =>
  `<img class="emoji" src="/proxy/emoji/far.example/${code}" alt=":${code}:" title=":${code}:"${end}>`;
let count = 0;
const did = (type: string, object: unknown, more: object = {}) => ({
  id: `${far}/deeds/${++count}`,
  type,
  actor: eva.xchan_hash,
  object,
  to: [everybody],
  ...more,
});
const verbOf = async (mid: string): Promise<string | undefined> =>
  (
    await world.hub.db
      .selectFrom("message")
      .innerJoin("item", "item.message_id", "message.id")
      .select("verb")
      .where("mid", "=", mid)
      .where("item_deleted", "=", 0)
      .executeTakeFirst()
  )?.verb
    .split("/")
    .at(-1);

/** A post of Eva's, and its copy here. */
async function post(more: object = {}) {
  const note = {
    id: `${far}/notes/${++count}`,
    type: "Note",
    attributedTo: eva.xchan_hash,
    to: [everybody],
    content: "<p>Look</p>",
    published: "2026-02-01T00:00:00Z",
    ...more,
  };
  await arrives(did("Create", note));
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "mid", "uuid"])
    .where("mid", "=", note.id)
    .executeTakeFirstOrThrow();
}

beforeAll(async () => {
  const more = {
    name: "Eva :tree: <b> at 12:30:45",
    tag: [emoji("tree"), emoji("leaf")],
    attachment: [{ type: "PropertyValue", name: "Likes", value: ":leaf: of :tree:" }],
  };
  ({ world, elsewhere, arrives, alma, eva, member } = await almaAndEva(more));
});
afterAll(() => world.close());

test("stand in names and in what people say about themselves", async () => {
  const { uuid } = await post();
  for (const path of [`/display/${uuid}`, `/person/${eva.xchan_id}`, "/connections"])
    expect((await member.get(path)).text).toContain(`Eva ${img("tree")} &lt;b&gt; at 12:30:45`);
  expect((await member.get(`/person/${eva.xchan_id}`)).text).toMatch(
    /emoji\/far\.example\/leaf.* of .*far\.example\/tree/,
  );
});

test("are named to applications, in names and texts", async () => {
  const { id } = await post({ content: "<p>A :bush:</p>", tag: [emoji("bush")] });
  const { get } = await mastodonPerson(world, alma.channel);
  const { json } = await get(`/api/v1/statuses/${id}`);
  const named = (code: string) => {
    const url = `http://hub.example/proxy/emoji/far.example/${code}`;
    return { shortcode: code, url, static_url: url, visible_in_picker: false, category: null };
  };
  expect(json).toMatchObject({
    content: "<p>A :bush:</p>",
    emojis: [named("bush")],
    account: { display_name: "Eva :tree: <b> at 12:30:45", emojis: [named("tree")] },
  });
});

test("are reactions: shown as pictures, each once for a person, given here as well, and taken back", async () => {
  const { id, mid, uuid } = await post();
  const tag = [emoji("blob")];
  const first = did("EmojiReact", mid, { content: ":blob:", tag });
  const again = did("Like", mid, { content: ":blob@.:", tag });
  const unknown = did("Like", mid, { content: ":none:", tag });
  for (const one of [first, again, unknown]) await arrives(one);
  expect(await Promise.all([first, again, unknown].map((one) => verbOf(one.id)))).toEqual([
    "react#blob@far.example",
    undefined,
    "like",
  ]);
  const { text } = await member.get(`/display/${uuid}`);
  expect(text).toContain(img("blob", " /"));
  expect(text).toContain('value="react#blob@far.example"');
  await world.work();
  elsewhere.asked.length = 0;
  await react(world.hub, alma.channel, { id }, "react#blob@far.example", "stays");
  await expect(react(world.hub, alma.channel, { id }, "react#none@far.example", "stays")).rejects.toMatchObject({
    code: "unknown_verb",
  });
  await world.work();
  const sent = elsewhere.asked.flatMap(({ options: { body } }) => (body ? [JSON.parse(String(body))] : []));
  const url = "http://hub.example/proxy/emoji/far.example/blob";
  expect(sent).toMatchObject([
    {
      type: "EmojiReact",
      object: mid,
      content: ":blob:",
      tag: [{ type: "Emoji", id: url, name: ":blob:", icon: { type: "Image", url } }],
    },
  ]);
  const { id: _, ...without } = first;
  await arrives(did("Undo", without));
  expect(await verbOf(first.id)).toBe(undefined);
});
