import { listedEvents } from "../domain/events/save.ts";
import { listedFiles } from "../domain/files/lists.ts";
import { listedChatrooms } from "../domain/identity/belongings/chatrooms.ts";
import { listedThings } from "../domain/identity/belongings/things.ts";
import { listedChannels } from "../domain/identity/channels/channel.ts";
import { nameSuccessor } from "../domain/identity/records/name-successor.ts";
import type { Succession } from "../domain/identity/records/name-successor.ts";
import { listedItems } from "../domain/items/audience.ts";
import { listedPhotos } from "../domain/photos/rows.ts";
import type { Hub } from "../hub.ts";

/** All that has access lists. */
export const allListed = [
  listedChannels,
  listedChatrooms,
  listedThings,
  listedFiles,
  listedPhotos,
  listedItems,
  listedEvents,
];

/** Whoever goes on as somebody else is named wherever they were in the lists of a channel (federation contract 11). A job. */
export async function nameSuccessorEverywhere(hub: Hub, succession: Succession): Promise<void> {
  for (const listed of allListed) await nameSuccessor(hub, listed, succession);
}
