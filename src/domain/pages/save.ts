import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { editItem } from "../items/posting/edit.ts";
import { postItem } from "../items/posting/post.ts";
import type { Audience, Item } from "../items/types.ts";
import { findElement } from "./find.ts";
import { pageKinds } from "./kinds.ts";
import type { PageKind } from "./kinds.ts";
import { requireWritePages } from "./may-write.ts";

export type PageDraft = {
  kind: PageKind;
  /** Left out, a page gets a name from its mid. */
  name: string;
  title: string;
  body: string;
  mimetype: string;
  /** Mid of a layout of the channel; empty for none. */
  layoutMid: string;
  /** The owner's choice; on somebody else's channel its default audience, or what the page has. */
  audience?: Audience;
  /** Files that come behind the text, on the own channel. */
  mediaIds?: readonly number[];
};

/**
 * Makes a page element of `owner`, or changes the one with that id. Throws denied without `write_pages`, missing, conflict
 * (page name), invalid.
 */
export async function savePage(hub: Hub, actor: Channel, owner: Channel, draft: PageDraft, id?: number): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    await requireWritePages(hub, actor, owner);
    const { name, title, body, mimetype, layoutMid } = draft;
    const own = actor.channel_id === owner.channel_id;
    const fields = {
      title,
      body,
      mimetype,
      layoutMid,
      ...(name.trim() !== "" && { pageTitle: name }),
      ...(own && draft.audience && { audience: draft.audience }),
      ...(own && (draft.mediaIds ?? []).length > 0 && { mediaIds: draft.mediaIds }),
    };
    if (id === undefined) {
      const { itemType } = pageKinds[draft.kind];
      return postItem(hub, actor, { ...fields, itemType, ...(!own && { wall: owner.channel_id }) });
    }
    const page = await findElement(hub, observerOf(actor), owner, draft.kind, id);
    return editItem(hub, owner, page.id, fields, actor);
  });
}

/** Deletes a page element of `owner`. Throws denied without `write_pages`, missing. */
export async function deletePage(hub: Hub, actor: Channel, owner: Channel, kind: PageKind, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await requireWritePages(hub, actor, owner);
    const page = await findElement(hub, observerOf(actor), owner, kind, id);
    await deleteItem(hub, owner, { id: page.id });
  });
}
