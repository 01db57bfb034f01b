import { expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { addMembers, createGroup } from "../groups/groups.ts";
import { setAccountFlag } from "../identity/accounts/accounts.ts";

test("whom the operator has locked out is nobody to choose, and stays chosen until they are back", async () => {
  const world = await openTestApp();
  const [ann, bob] = [await world.person("ann"), await world.person("bob", { name: "Bob Long" })];
  await befriend(world.hub, ann.channel, bob.channel);
  const { channel_id } = ann.channel;
  const crew = await createGroup(world.hub, channel_id, "Crew");
  const choir = await createGroup(world.hub, channel_id, "Choir");
  await addMembers(world.hub, channel_id, choir.id, [bob.channel.channel_hash]);
  const visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
  const lists = ["/network", "/mail/new", `/group/${crew.id}`, "/suggestions/people?list=posts&find=long"];
  const naming = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const path of lists) if ((await visitor.get(path)).text.includes("Bob Long")) found.push(path);
    return found;
  };
  expect(await naming()).toEqual(lists);
  await setAccountFlag(world.hub, bob.channel.channel_account_id, "blocked", true);
  expect(await naming()).toEqual([]);
  expect((await visitor.get(`/group/${choir.id}`)).text).toContain("Bob Long");
  await setAccountFlag(world.hub, bob.channel.channel_account_id, "blocked", false);
  expect(await naming()).toEqual(lists);
  await world.close();
});
