import { chosenMedia, uploadUnattached } from "../../../../domain/cloud/unattached.ts";
import { fragment } from "../../answers.ts";
import { fault, faultOf } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext, Page } from "../../page.ts";
import { chosenMediaRow } from "../../parts/items/chosen-media.ts";

/** Takes a file while its post is still being written, for scripts: the answer is its row in the form, or why there is none. */
export const uploadsPages: Page[] = [{ path: "/uploads", access: "member", post: take, files: ["media"] }];

async function take(context: MemberContext, typed: Fields): Promise<Response> {
  const { hub, member } = context;
  try {
    const files = typed.files("media");
    if (files.length === 0) throw fault("media", context.say("composer.empty-file"));
    const kept = await uploadUnattached(hub, member.channel, files);
    const rows = await chosenMedia(
      hub,
      member.channel,
      kept.map(({ id }) => id),
    );
    return await fragment(
      context,
      rows.map((row) => chosenMediaRow(context, row)),
    );
  } catch (error) {
    const found = faultOf(context, error);
    if (!found) throw error;
    return fragment(context, found.sentence, found.status);
  }
}
