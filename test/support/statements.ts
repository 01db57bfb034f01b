import type { Hub } from "../../src/hub.ts";

/** How many statements are built for this work, which goes through the hub; those that are compiled once are not among them. */
export async function statementsOf(hub: Hub, work: () => Promise<unknown>): Promise<number> {
  const { db } = hub;
  let asked = 0;
  const counting = db.withPlugin({
    transformQuery: ({ node }) => (asked++, node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
  Object.assign(hub, { db: counting });
  await work();
  Object.assign(hub, { db });
  return asked;
}
