import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { jsonAnswer, openElsewhere } from "../../../../test/support/elsewhere.ts";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { findHost } from "../../../domain/peers/host-list.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";
import { setSiteBlock } from "../../../domain/peers/site-blocks.ts";
import { readsForHost } from "../../../domain/peers/software.ts";
import { askSoftware } from "./node-info.ts";

/** What other servers run, as they say themselves. */

let hub: TestHub;
const elsewhere = openElsewhere();

beforeAll(async () => {
  hub = await openTestHub({ env: { HUBBUB_BASE_URL: "https://hub.example" }, fetch: elsewhere.fetch });
});
afterAll(() => hub.close());

const schema = "http://nodeinfo.diaspora.software/ns/schema/2.0";

/** A host of somebody who is known, and what it answers about itself. */
async function meet(host: string, href: string, info?: object, actor?: string): Promise<void> {
  const id = `https://${host}/users/ann`;
  await meetActor(hub, actorOf("ann", { id, address: `ann@${host}`, inbox: `${id}/inbox`, sharedInbox: "", keys: [] }));
  elsewhere.put(`https://${host}/.well-known/nodeinfo`, () =>
    jsonAnswer(
      {
        links: [
          { rel: "other", href: 7 },
          { rel: schema, href },
          ...(actor === undefined ? [] : [{ rel: "https://www.w3.org/ns/activitystreams#Application", href: actor }]),
        ],
      },
      "application/json",
    ),
  );
  if (info) elsewhere.put(href, () => jsonAnswer(info, "application/json"));
}

const runs = async (host: string): Promise<string[]> => {
  const { software, software_version } = await findHost(hub, host);
  return [software, software_version];
};
const asked = (): string[] => elsewhere.asked.splice(0).map(({ url }) => url);

test("each host is asked once a day for what it runs, and nobody speaks for another one", async () => {
  const software = { name: "Mastodon", version: "4.5.0" };
  await meet("one.example", "https://one.example/nodeinfo/2.0", { software });
  await meet("two.example", "https://one.example/nodeinfo/2.0");
  await meet("odd.example", "https://odd.example/nodeinfo", { software: { name: 5 } });
  await meet("bad.example", "https://bad.example/nodeinfo", { software });
  await setSiteBlock(hub, { domain: "bad.example", level: "suspend", noMedia: true });
  await askSoftware(hub);
  expect(asked().toSorted()).toEqual([
    "https://odd.example/.well-known/nodeinfo",
    "https://odd.example/nodeinfo",
    "https://one.example/.well-known/nodeinfo",
    "https://one.example/nodeinfo/2.0",
    "https://two.example/.well-known/nodeinfo",
  ]);
  expect(await Promise.all(["one.example", "two.example", "odd.example", "bad.example"].map(runs))).toEqual([
    ["mastodon", "4.5.0"],
    ["", ""],
    ["", ""],
    ["", ""],
  ]);
  await askSoftware(hub);
  expect(asked()).toEqual([]);
  hub.advance(24 * 3600 + 1);
  elsewhere.put("https://one.example/.well-known/nodeinfo", new Error("one.example does not answer"));
  await askSoftware(hub);
  expect(asked()).toContain("https://one.example/.well-known/nodeinfo");
  expect(await runs("one.example")).toEqual(["mastodon", "4.5.0"]);
});

test("a host names the actor that reads for all of it, and none of another host", async () => {
  const software = { name: "Mastodon", version: "4.5.0" };
  const named = { "named.example": "https://NAMED.example/actor", "false.example": "https://one.example/users/ann" };
  for (const [host, actor] of Object.entries(named)) await meet(host, `https://${host}/info`, { software }, actor);
  await meet("bare.example", "https://bare.example/info", {}, "https://bare.example/actor");
  hub.advance(24 * 3600 + 1);
  await askSoftware(hub);
  const ids = ["https://named.example/actor", "https://one.example/users/ann", "https://bare.example/actor"];
  expect(await Promise.all(ids.map((id) => readsForHost(hub, id)))).toEqual([true, false, true]);
});
