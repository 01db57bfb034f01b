import { connect, receiveAccept } from "../../src/domain/connections/connections.ts";
import type { Xchan } from "../../src/domain/identity/xchans/xchans.ts";
import { metActor } from "../../src/faces/federation/retrieve/actor.ts";
import { openTestApp } from "./app.ts";
import type { Person, TestApp } from "./app.ts";
import { openElsewhere } from "./elsewhere.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { password } from "./hub.ts";
import { arrivesIn } from "./incoming.ts";
import type { Arrives } from "./incoming.ts";
import { visitorOf } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

/** Alma, who is logged in, and Eva of another hub, whom she follows and whose hub takes what it gets. */
export type AlmaAndEva = {
  world: TestApp;
  elsewhere: Elsewhere;
  arrives: Arrives;
  alma: Person;
  eva: Xchan;
  member: Visitor;
};

/** A hub with both of them; Eva's document says more where that is given. */
export async function almaAndEva(more: object = {}): Promise<AlmaAndEva> {
  const elsewhere = openElsewhere();
  const world = await openTestApp({ fetch: elsewhere.fetch });
  const alma = await world.person("alma");
  const document = elsewhere.actor("eva", more);
  for (const inbox of ["https://far.example/inbox", document.inbox]) elsewhere.put(inbox, 202);
  const eva = (await metActor(world.hub, document.id))!;
  await connect(world.hub, alma.channel, eva);
  await receiveAccept(world.hub, alma.channel, eva);
  const member = visitorOf(world.app);
  await member.logIn("alma", password);
  return { world, elsewhere, arrives: arrivesIn(world.hub), alma, eva, member };
}
