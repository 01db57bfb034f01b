import FollowBackBot from "@evanp/activitypub-bot/lib/bots/followback.js";
import GroupBot from "@evanp/activitypub-bot/lib/bots/group.js";
import OKBot from "@evanp/activitypub-bot/lib/bots/ok.js";

/** It would say to whom, and reads addresses as only the newer vocabulary gives them. */
class PlainOKBot extends OKBot {
  async onMention(object) {
    if (await this.hasSeen(object)) return;
    await this._context.sendReply("OK", object);
    await this.setSeen(object);
  }
}

/** Who lives on the server of bots: one that answers, one that follows back, and a group that hands on. */
// oxlint-disable-next-line import/no-default-export -- the server asks for it so
export default { ok: new PlainOKBot("ok"), back: new FollowBackBot("back"), club: new GroupBot("club") };
