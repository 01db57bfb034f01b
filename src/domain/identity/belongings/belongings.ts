import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { families } from "../channels/channel-settings.ts";
import { rowsOf } from "./belonging.ts";
import type { Belonging } from "./belonging.ts";

/** How far its permissions reached still says what of it was open to the public, for other hubs that ask. */
const choices: Belonging = {
  table: "config",
  later: true,
  isTheirs: ({ channel }) => sql<SqlBool>`uid = ${channel} and cat <> ${families.limits}`,
};

/** What goes with a channel; applications and sessions end at once. */
export const belongings: readonly Belonging[] = [
  rowsOf("profile", "uid"),
  rowsOf("atoken", "atoken_uid"),
  rowsOf("app", "app_channel"),
  rowsOf("obj", "obj_channel"),
  rowsOf("likes", "channel_id"),
  rowsOf("chatroom", "cr_uid"),
  choices,
];
