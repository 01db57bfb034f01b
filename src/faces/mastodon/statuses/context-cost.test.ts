import { afterAll, beforeAll, expect, test } from "vitest";
import { openCostHub } from "../../../../test/support/cost.ts";
import type { CostHub } from "../../../../test/support/cost.ts";
import { commentOften } from "../../../../test/support/many-comments.ts";
import { bearerFor } from "../../../../test/support/mastodon.ts";
import { newcomer } from "../../../../test/support/people.ts";
import { onPostgres } from "../../../../test/support/hub.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { createApp } from "../../../main.ts";

let hub: CostHub;

beforeAll(async () => {
  hub = await openCostHub();
});
afterAll(() => hub.close());

// Pages that are looked at are counted on PostgreSQL alone, and it is PostgreSQL that chooses by what is usual.
test.skipIf(!onPostgres)(
  "a context costs no more for each answer when most of what there is answers one post",
  async () => {
    const app = createApp(hub);
    const ann = await newcomer(hub, "ann");
    const headers = { authorization: `Bearer ${await bearerFor({ hub }, ann)}` };
    const { id: top } = await postItem(hub, ann, { body: "top" });
    const costPerAnswer = async (): Promise<number> => {
      // Without a vacuum, which would make the index look cheap: of what has just come no page is known to be seen by all.
      await hub.run("analyze");
      const read = async () => {
        const answer = await app.request(`http://hub.example/api/v1/statuses/${top}/context`, { headers });
        return ((await answer.json()) as { descendants: unknown[] }).descendants.length;
      };
      const found = await read();
      return (await hub.costOf(read)) / found;
    };
    await commentOften(hub, ann, top, 500);
    const few = await costPerAnswer();
    await commentOften(hub, ann, top, 2500);
    const many = await costPerAnswer();
    expect([few, many, many < 2 * few]).toEqual([few, many, true]);
  },
);
