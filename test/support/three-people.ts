import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { openTestHub } from "./hub.ts";
import type { TestHub } from "./hub.ts";
import { befriend, newcomer } from "./people.ts";

/** Three people whose nicks end in the number of the test, since all tests of a file share the hub. */
export type ThreePeople = { hub: TestHub; round: number; alice: Channel; bob: Channel; carol: Channel };

/** Who is connected with whom before the test begins; each has to be named. */
export type Bonds = "strangers" | "all with alice" | "one after the other";

/** Opens a hub for the tests of a file, and before each lets three new people come to it. */
export function beforeEachThreePeople(bonds: Bonds, prepare: (people: ThreePeople) => Promise<void> | void): void {
  let hub: TestHub;
  let round = 0;
  beforeAll(async () => {
    hub = await openTestHub();
  });
  afterAll(() => hub.close());
  beforeEach(async () => {
    round += 1;
    hub.setClock("2026-03-01T12:00:00Z");
    const alice = await newcomer(hub, `alice${round}`);
    const bob = await newcomer(hub, `bob${round}`);
    const carol = await newcomer(hub, `carol${round}`);
    if (bonds !== "strangers") await befriend(hub, alice, bob);
    if (bonds === "all with alice") await befriend(hub, alice, carol);
    if (bonds === "one after the other") await befriend(hub, bob, carol);
    await prepare({ hub, round, alice, bob, carol });
  });
}
