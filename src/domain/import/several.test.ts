import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonFile } from "../../../test/support/hubzilla.ts";
import { makeAccount, makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { exportChannel } from "../export/export-channel.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { setPermissionLimits } from "../identity/channels/permission-limits.ts";
import { limits } from "../identity/channels/roles.ts";
import { takingPart } from "../messages/conversations.ts";
import { deleteConversation } from "../messages/remove.ts";
import { sendMessage } from "../messages/send.ts";
import { importNow, tryImport } from "./start.ts";

/** Messages to several people move with their channel: whoever got one is known at the new hub, connected or not. */

let old: TestHub;
let here: TestHub;
let alma: Channel;
let file: string;

beforeAll(async () => {
  old = await openTestHub({ env: { HUBBUB_BASE_URL: "http://a.example" } });
  here = await openTestHub({ env: { HUBBUB_BASE_URL: "http://b.example" } });
  const [one, ben, carl] = await Promise.all(["alma", "ben", "carl"].map((nick) => makeChannel(old, nick)));
  alma = one!;
  for (const { channel_id } of [ben!, carl!])
    await setPermissionLimits(old, channel_id, { post_mail: limits.authenticated });
  const to = { to: ben!.channel_hash, also: [carl!.channel_hash] };
  await sendMessage(old, alma, { ...to, body: "Who brings cake?" });
  const gone = await sendMessage(old, alma, { ...to, body: "Forget me" });
  await deleteConversation(old, alma, gone.id);
  let text = "";
  for await (const piece of await exportChannel(old, alma, {})) text += piece;
  file = jsonFile(JSON.parse(text));
});
afterAll(async () => {
  await old?.close();
  await here?.close();
});

test("and a second import changes nothing", async () => {
  const account = await makeAccount(here, "alma@example.org");
  const options = { mode: "clone", nick: "", posts: true } as const;
  const bring = () => importNow(here, account.account_id, { file }, options, () => undefined);
  const predicted = await tryImport(here, account.account_id, { file }, options);
  const run = await bring();
  expect(run.report.sections["mail"]).toEqual({ found: 2, imported: 2, there: 0, left: {} });
  expect(predicted.sections["mail"]).toEqual(run.report.sections["mail"]);
  const copy = (await findChannelById(here, run.channelId))!;
  const mails = () => here.db.selectFrom("mail").selectAll().orderBy("id").execute();
  const [kept, gone] = await mails();
  const others = await takingPart(here, copy, kept!.conv_guid);
  expect(others.map(({ xchan_addr }) => xchan_addr)).toEqual(["ben@a.example", "carl@a.example"]);
  expect(await takingPart(here, copy, gone!.conv_guid)).toEqual([]);
  expect((await bring()).report.sections["mail"]).toEqual({ found: 2, imported: 0, there: 2, left: {} });
  expect(await mails()).toEqual([kept, gone]);
});
