import { expect, test } from "vitest";
import { writeFollowers } from "../../../../test/support/followers.ts";
import { openTestHub } from "../../../../test/support/hub.ts";
import { newcomer } from "../../../../test/support/people.ts";
import { oneStep } from "../../../storage/in-steps.ts";
import { followers, followersAndOthers } from "./readers-elsewhere.ts";

test("more followers than one statement reads are all found, and nobody twice", async () => {
  const hub = await openTestHub();
  try {
    const alice = await newcomer(hub, "alice");
    const many = 2 * oneStep;
    await writeFollowers(hub, alice, ["https://one.example", "https://two.example"], many);
    const found = await followers(hub, alice);
    expect(found).toHaveLength(many);
    expect(new Set(found.map(({ actor }) => actor)).size).toBe(many);
    expect(await followersAndOthers(hub, alice)).toEqual({ people: found, leavesOut: false });
    const last = found.at(-1)!;
    await hub.db
      .updateTable("abook")
      .set({ abook_archived: 1 })
      .where("abook_channel", "=", alice.channel_id)
      .where("abook_xchan", "=", last.actor)
      .execute();
    expect(await followersAndOthers(hub, alice)).toEqual({ people: found.slice(0, -1), leavesOut: true });
  } finally {
    await hub.close();
  }
});
