import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { layOut } from "../../bodies/texts.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { sign } from "../../identity/xchans/signing.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { personLink } from "../links.ts";
import type { NewMessage } from "../save.ts";
import type { Item } from "../types.ts";
import { objectTypes, verbUri } from "../vocabulary.ts";

/** What somebody does with an item, as the sentence in its body says: "X `does` Y's post `after`". */
export type Activity = { verb: string; does: string; after?: string };

/** The parts of a message that tell what it is about, made from the item's own object. */
export type About = Pick<NewMessage, "obj_type" | "obj" | "tgt_type" | "target">;

/** The message of an activity about an item: reactions, community tags, following. A channel of this hub signs it. */
export async function activityMessage(
  hub: Hub,
  author: Pick<Channel, "xchan_id"> & Partial<Pick<Channel, "channel_id">>,
  top: Item,
  target: Item,
  { verb, does, after = "" }: Activity,
  about: (type: string, object: object) => About = plainly,
): Promise<NewMessage> {
  const writer = await findXchan(hub, { id: target.author_id });
  const actor = await findXchan(hub, { id: author.xchan_id });
  const type = objectTypes[target.resource_type === "photo" ? "photo" : "note"];
  const whose = writer ? `${personLink(writer)}'s` : "a";
  const body = `${personLink(actor!)} ${does} ${whose} [zrl=${target.plink}]post[/zrl]${after}`;
  const [{ html, plain }, sig] = await Promise.all([
    layOut(hub, body, "text/bbcode"),
    author.channel_id === undefined ? "" : sign(hub, author.channel_id, body),
  ]);
  const created = now(hub);
  return {
    ...about(type, objectOf(target, writer, type)),
    author_id: author.xchan_id,
    parent_mid: top.mid,
    thr_parent: target.mid,
    created,
    edited: created,
    mimetype: "text/bbcode",
    body,
    html,
    plain,
    verb: verbUri(verb),
    sig,
    item_verified: 1,
  };
}

function plainly(type: string, object: object): About {
  return { obj_type: type, obj: JSON.stringify(object) };
}

/** An item as the object or target of an activity. */
function objectOf(target: Item, writer: Xchan | undefined, type: string): object {
  return {
    type,
    id: target.mid,
    parent: target.thr_parent,
    link: [{ rel: "alternate", type: "text/html", href: target.plink }],
    title: target.title,
    content: target.body,
    created: target.created,
    edited: target.edited,
    ...(writer && {
      author: {
        name: writer.xchan_name,
        address: writer.xchan_addr,
        guid: writer.xchan_guid,
        guid_sig: writer.xchan_guid_sig,
        link: [
          { rel: "alternate", type: "text/html", href: writer.xchan_url },
          { rel: "photo", type: writer.xchan_photo_mimetype, href: writer.xchan_photo_m },
        ],
      },
    }),
  };
}
