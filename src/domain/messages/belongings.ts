import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

const said: Belonging = {
  table: "chat_line",
  isTheirs: ({ channel, xchan }) =>
    sql<SqlBool>`(author_id = ${xchan} or room_id in (select cr_id from chatroom where cr_uid = ${channel}))`,
};

/** What goes with a channel, with what it said in rooms of others. Of letters that is its own copies: others keep theirs. */
export const belongings: readonly Belonging[] = [said, rowsOf("mail", "channel_id"), rowsOf("conv", "uid")];
