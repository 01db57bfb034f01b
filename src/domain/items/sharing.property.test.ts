import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { mastodonPerson } from "../../../test/support/mastodon.ts";
import type { MastodonClient } from "../../../test/support/mastodon.ts";
import { size } from "../../../test/support/size.ts";
import { makeShare } from "../bodies/share.ts";
import { takeLongStep } from "../upkeep/long-steps.ts";
import { editItem } from "./posting/edit.ts";
import { postItem } from "./posting/post.ts";
import { sharesPurely } from "./queries.ts";
import type { Item } from "./types.ts";

/**
 * Whether a text repeats a post and adds nothing is said in two ways: by what is asked of the tables, and by what is read in the text.
 * Both say the same of any text, in whatever way it came to be there, also of what is there from before.
 */

let world: TestApp;
let ann: Person;
let app: MastodonClient;
let originals: Item[];

beforeAll(async () => {
  world = await openTestApp();
  [ann] = [await world.person("ann"), await world.person("ben")];
  app = await mastodonPerson(world, ann.channel);
  originals = [
    await postItem(world.hub, ann.channel, { body: "quince" }),
    await postItem(world.hub, ann.channel, { body: "pear" }),
  ];
});
afterAll(() => world.close());

type Piece = { text: string } | { share: number; inside: string };

const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ share: fc.constantFrom(0, 1), inside: fc.constantFrom("x", "[b]y[/b]", "") }) },
    {
      weight: 2,
      arbitrary: fc.record({
        text: fc.constantFrom(
          " ",
          "\n\n",
          "words",
          "[share]",
          "[/share]",
          "[SHARE]",
          "[shared]z[/shared]",
          "[code]",
          "[/code]",
        ),
      }),
    },
  ),
  { minLength: 1, maxLength: 4 },
);

const bodyOf = (some: readonly Piece[]): string => some.map(written).join("");

function written(piece: Piece): string {
  if ("text" in piece) return piece.text;
  const { mid, plink } = originals[piece.share]!;
  return makeShare({
    author: "Ann",
    profile: "",
    avatar: "",
    link: plink,
    posted: "",
    messageId: mid,
    body: piece.inside,
  });
}

/** What applications show of it: they read the text. */
async function isShownAsShare({ id }: Item): Promise<boolean> {
  const { json } = await app.get(`/api/v1/statuses/${id}`);
  return json.reblog !== null;
}

async function isAskedForAsShare({ message_id }: Item): Promise<boolean> {
  const { hub } = world;
  const rows = await hub.db
    .selectFrom("message")
    .select("id")
    .where("id", "=", message_id)
    .where("shared_id", ">", sql.lit(0))
    .where(sharesPurely())
    .execute();
  return rows.length > 0;
}

test("the tables and the text say the same of whether a share adds something", async () => {
  let shares = 0;
  const items: Item[] = [];
  const compare = async (item: Item): Promise<void> => {
    const isShare = await isShownAsShare(item);
    if (isShare) shares += 1;
    expect([item.body, await isAskedForAsShare(item)]).toEqual([item.body, isShare]);
  };
  await fc.assert(
    fc.asyncProperty(pieces, pieces, async (first, second) => {
      const item = await postItem(world.hub, ann.channel, { body: bodyOf(first) || "x", allowEmpty: true });
      await compare(item);
      const edited = await editItem(world.hub, ann.channel, item.id, { body: bodyOf(second) || "x", allowEmpty: true });
      await compare(edited);
      items.push(edited);
    }),
    { numRuns: size(60, 1500) },
  );
  await world.hub.db.updateTable("message").set({ shares_purely: -1 }).execute();
  await takeLongStep(world.hub, "old-shares");
  for (const item of items) await compare(item);
  expect(shares).toBeGreaterThan(5);
});
