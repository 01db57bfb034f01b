import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";

/** Forgets what is known of pages that no message links to any more, as soon as it would be asked for anew. A scheduled job. */
export async function trimLinkCards(hub: Hub): Promise<void> {
  await removeInSteps((most) =>
    hub.db
      .deleteFrom("link_card")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("link_card as old")
          .select("old.id")
          .where("old.again", "<=", now(hub))
          .where((x) =>
            x.not(x.exists(x.selectFrom("message_link").select("card_id").whereRef("card_id", "=", "old.id"))),
          )
          .orderBy("old.again")
          .limit(most),
      )
      .executeTakeFirst(),
  );
}
