import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestHub, password } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { storageQuota } from "../../../domain/files/quota.ts";
import { createAccount } from "../../../domain/identity/accounts.ts";
import { createChannel } from "../../../domain/identity/channels.ts";
import { webPages } from "../web.ts";

let hub: TestHub;

beforeAll(async () => void (hub = await openTestHub()));
afterAll(() => hub.close());

test("an administrator limits the storage of each account", async () => {
  const account = await createAccount(hub, { email: "root@example.org", password, roles: 4096 });
  await createChannel(hub, account, { nick: "root", name: "Root" });
  const root = visitorOf(webPages(hub), hub.config.host);
  await root.logIn("root", password);
  const shown = async (): Promise<string> =>
    /name="storage_quota"[^>]*value="(\d*)"/.exec((await root.get("/admin")).text)![1]!;
  const save = (storage_quota?: string) =>
    root.post("/admin", {
      site_name: "Here",
      registration: "open",
      ...(storage_quota !== undefined && { storage_quota }),
    });
  expect([await shown(), await storageQuota(hub)]).toEqual(["0", 0]);
  expect((await save("500")).status).toBe(303);
  expect([await shown(), await storageQuota(hub)]).toEqual(["500", 500 * 2 ** 20]);
  for (const wrong of ["-1", "many", "1.5", "99999999999"])
    expect([wrong, (await save(wrong)).status]).toEqual([wrong, 422]);
  expect((await save()).status).toBe(303);
  expect(await storageQuota(hub)).toBe(500 * 2 ** 20);
  expect((await save("0")).status).toBe(303);
  expect(await storageQuota(hub)).toBe(0);
});
