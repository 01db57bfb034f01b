import { expect, test } from "vitest";
import { openTestApp } from "../test/support/app.ts";
import { put } from "../test/support/files.ts";
import { keptOf } from "./drill/orders.ts";
import { report } from "./drill/report.ts";
import type { World } from "./drill/world.ts";

test("a drill that has lost bytes says how many, with all its other figures", async () => {
  const { hub, person, close } = await openTestApp();
  try {
    const { channel } = await person("anna");
    const [lost] = [await put(hub, channel, "lost.txt", "lost"), await put(hub, channel, "kept.txt", "kept")];
    await hub.blobs.remove(lost.blob);
    const elsewhere = { texts: () => [] } as unknown as World["elsewhere"];
    const nothing = { posts: new Map(), pictures: new Map(), inbox: new Map() };
    const kept = await keptOf(hub, { elsewhere } as World, nothing, () => Promise.resolve());
    const { text, isGood } = report({ sent: [], leftOut: 0, end: () => Promise.resolve() }, [], [], kept);
    expect(text).toContain("posts: 0 acknowledged");
    expect(text).toContain("files: 2 acknowledged, 1 stored, 1 lost, 0 twice");
    expect(isGood).toBe(false);
  } finally {
    await close();
  }
});
