import type { Hub } from "../../hub.ts";
import type { File } from "./types.ts";

/** Says what is to be seen or heard in a film, a sound or another file that is no picture. */
export async function describeFile(hub: Hub, { id }: Pick<File, "id">, description: string): Promise<File> {
  return hub.db
    .updateTable("attach")
    .set({ description })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
