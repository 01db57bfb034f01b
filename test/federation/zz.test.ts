import { test } from "vitest";
import { follows, inhabitant, openHubs } from "../support/hubs.ts";
test("x", async () => {
  const world = await openHubs(2);
  const [one, two] = world.hubs as any;
  const ann = await inhabitant(one, "ann"), ben = await inhabitant(two, "ben");
  await follows(world, ben, ann); await follows(world, ann, ben);
  const post = async (who: any, form: any) => { const r = await who.post("/api/z/1.0/item/update", form); await world.settle(); return r.json.item; };
  const top = await post(ann, { body: "Between us", public_policy: "contacts" });
  await post(ben, { body: "Sure", parent_mid: top.mid });
  console.log(await two.hub.db.selectFrom("job").select(["name","payload","attempts","last_error"]).where("attempts",">",0).execute());
  console.log(await two.hub.db.selectFrom("outbox_activity").innerJoin("delivery","activity","outbox_activity.id").select(["deed","bytes","inbox","delivery.state","last_status","last_error"]).orderBy("delivery.id","desc").limit(1).execute());
  console.log(await one.hub.db.selectFrom("inbox_activity").select(["activity_id","state","last_error"]).orderBy("id","desc").limit(1).execute());
  await world.close();
});
