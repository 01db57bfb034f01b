import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { setConfigs } from "../identity/channels/channel-config.ts";
import { choose, readChoices, usualChoices } from "./choices.ts";
import { noticeTopics } from "./kinds.ts";
import { countUnseen, listNotices } from "./notices.ts";
import { markSeen } from "./seen.ts";
import { notify } from "./notify.ts";

let hub: TestHub;
let bob: Channel;
beforeAll(async () => {
  hub = await openTestHub();
  bob = await makeChannel(hub, "bob");
});
afterAll(() => hub.close());

const silent = { page: false, push: false, mail: "never" } as const;
const request = (to: Channel) => notify(hub, [{ kind: "request", to, actor: bob.xchan_id }]);
const rows = (to: Channel) =>
  hub.db.selectFrom("notify").select(["id", "kind", "listed", "seen"]).where("uid", "=", to.channel_id).execute();

test("who has chosen nothing is told as is usual, and what is chosen stays, whatever else is", async () => {
  const [ann, other] = [await makeChannel(hub, "ann"), await makeChannel(hub, "other")];
  expect(await readChoices(hub, ann.channel_id)).toEqual(usualChoices);
  await choose(hub, ann.channel_id, { tag: silent, mail: { page: true, push: false, mail: "once" } });
  await choose(hub, ann.channel_id, { share: { page: false, push: true, mail: "digest" } });
  await choose(hub, ann.channel_id, {});
  expect(await readChoices(hub, ann.channel_id)).toEqual({
    ...usualChoices,
    tag: silent,
    mail: { page: true, push: false, mail: "once" },
    share: { page: false, push: true, mail: "digest" },
  });
  expect(await readChoices(hub, other.channel_id)).toEqual(usualChoices);
  expect(Object.keys(usualChoices)).toEqual([...noticeTopics]);
});

test("words that an import has brought along say what they can", async () => {
  const cleo = await makeChannel(hub, "cleo");
  const brought = { tag: "", mention: "page  once digest push!", wall: "PAGE", nonsense: "page" };
  await setConfigs(hub, cleo.channel_id, "notices", brought);
  expect(await readChoices(hub, cleo.channel_id)).toEqual({
    ...usualChoices,
    tag: silent,
    mention: { page: true, push: false, mail: "once" },
    wall: silent,
  });
});

test("of what nobody wants to hear there is no notice, and of what comes by other ways none in any list", async () => {
  const [dan, eve] = [await makeChannel(hub, "dan"), await makeChannel(hub, "eve")];
  await choose(hub, dan.channel_id, { request: silent });
  await choose(hub, eve.channel_id, { request: { ...silent, push: true } });
  for (const to of [dan, eve]) await request(to);
  expect(await rows(dan)).toEqual([]);
  const [row] = await rows(eve);
  expect(row).toMatchObject({ kind: "request", listed: 0, seen: 1 });
  expect([await listNotices(hub, eve.channel_id), await countUnseen(hub, eve.channel_id)]).toEqual([[], 0]);
  await expect(markSeen(hub, eve.channel_id, row!.id, false)).rejects.toMatchObject({ kind: "missing" });
  await choose(hub, eve.channel_id, { request: usualChoices.request });
  await request(eve);
  expect(await listNotices(hub, eve.channel_id)).toHaveLength(1);
});
