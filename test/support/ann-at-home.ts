import { openTestApp } from "./app.ts";
import type { Person, TestApp } from "./app.ts";
import { password } from "./hub.ts";
import { befriend } from "./people.ts";
import { visitorOf } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

/** Ann, who is logged in, Bob, with whom she is connected, and Cleo, whom she does not know. */
export type AnnAtHome = { world: TestApp; ann: Person; bob: Person; cleo: Person; visitor: Visitor };

/** A hub with three people, and the browser of the first of them. */
export async function annAtHome(): Promise<AnnAtHome> {
  const world = await openTestApp();
  const [ann, bob, cleo] = [await world.person("ann"), await world.person("bob"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, bob.channel);
  const visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
  return { world, ann, bob, cleo, visitor };
}
