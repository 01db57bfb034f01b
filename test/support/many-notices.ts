import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { notify } from "../../src/domain/notifications/notify.ts";
import type { Hub } from "../../src/hub.ts";

/** Notices for somebody that the other one has named them, as many as that, about a few posts. */
export async function notifyOften(hub: Hub, to: Channel, { xchan_id: actor }: Channel, times: number): Promise<void> {
  const posts: number[] = [];
  for (let at = 0; at < 8; at++) posts.push((await postItem(hub, to, { body: `post ${at}` })).id);
  const notices = Array.from({ length: times }, (_, at) => ({ item: posts[at % 8]!, verb: `v${at}` }));
  await notify(
    hub,
    notices.map((notice) => ({ ...notice, kind: "mention" as const, to, actor })),
  );
}
