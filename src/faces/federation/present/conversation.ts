import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { conversationId, historyId } from "../ids.ts";
import { readJson } from "../translate/json.ts";
import { Node } from "../translate/node.ts";

/** Which conversation something belongs to: one of this hub by its address, another one in the words of whoever began it. */
export function conversationOf(hub: Hub, { item, top, topDocument }: WrittenHere): object {
  if (top.nick !== null) {
    const id = conversationId(hub, top.uuid);
    // What is for everybody is read in the conversation itself.
    const history = item.item_private !== 0 && { contextHistory: historyId(hub, top.uuid) };
    return { context: id, conversation: id, ...history };
  }
  const node = topDocument === undefined ? undefined : begun(topDocument);
  const context = node?.oneId("context");
  const conversation = node?.text("conversation");
  return { ...(context !== undefined && { context }), ...(conversation !== undefined && { conversation }) };
}

/** Those for whom a private thread of elsewhere is, where its top names them all at once (federation contract 6.3). */
export function collectionOf({ ownersFollowers, topDocument }: WrittenHere): string[] {
  const node = topDocument === undefined ? undefined : begun(topDocument);
  const addressed = [...(node?.ids("to") ?? []), ...(node?.ids("cc") ?? [])];
  return addressed.some((id) => isSameId(id, ownersFollowers)) ? [ownersFollowers] : [];
}

/** The post that was sent, or found at its id. */
function begun(document: string): Node | undefined {
  const read = readJson(Buffer.from(document));
  const node = "value" in read ? Node.of(read.value) : undefined;
  return node?.has("actor") ? node.nodes("object")[0] : node;
}
