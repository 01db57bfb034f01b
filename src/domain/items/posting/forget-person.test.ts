import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { connect } from "../../connections/connections.ts";
import { forgetPerson } from "./forget-person.ts";

let world: TestApp;
let [alma, bob]: Person[] = [];

beforeAll(async () => {
  world = await openTestApp();
  [alma, bob] = [await world.person("alma"), await world.person("bob")];
  await connect(world.hub, alma.channel, { xchan_hash: bob.channel.channel_hash });
  await connect(world.hub, bob.channel, { xchan_hash: alma.channel.channel_hash });
});
afterAll(() => world.close());

test("what somebody wrote is gone for everybody, threads and comments, however much it is", async () => {
  const post = async (who: Person, form: Record<string, unknown>) =>
    (await who.post("/api/statuses/update.json", form)).json.id as number;
  await post(alma!, { status: "Mine stays" });
  for (let n = 0; n < 55; n++) await post(bob!, { status: `Bob ${n}` });
  await world.work();
  const home = async () =>
    ((await alma!.get("/api/statuses/home_timeline.json", { count: 100 })).json as { text: string }[]).map(
      ({ text }) => text,
    );
  const seen = (await bob!.get("/api/statuses/home_timeline.json", { count: 100 })).json.find(
    ({ text }: { text: string }) => text === "Mine stays",
  );
  await post(bob!, { status: "Bob comments", in_reply_to_status_id: seen.id });
  await world.work();
  expect(await home()).toHaveLength(57);
  await forgetPerson(world.hub, bob!.channel.xchan_id);
  expect(await home()).toEqual(["Mine stays"]);
  await forgetPerson(world.hub, bob!.channel.xchan_id);
});
