import type { Hub } from "../../../hub.ts";
import { freeAgain } from "../../connections/free-again.ts";

/** How often others are asked who somebody is for the lists of one channel (decision 60). */
const looks = { table: "list_import_entry", column: "looked", most: 30, span: 600 * 1000 } as const;

/** When others may be asked once more, if that is not now. */
export function looksFreeAgain(hub: Hub, uid: number): Promise<string | undefined> {
  return freeAgain(hub, uid, looks);
}
