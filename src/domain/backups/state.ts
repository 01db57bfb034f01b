import type { Hub } from "../../hub.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import { getSetting } from "../identity/site/site-settings.ts";

const hour = 3600 * 1000;

type HubOfBackups = Pick<Hub, "db" | "engine" | "caches" | "config" | "clock">;

/** How backups stand: when the last one was begun that came to its end, and whether the next one is due, or late by as long again. */
export type BackupState = { last: string | undefined; isDue: boolean; isLate: boolean };

/** Nothing is due where the operator has the hub make none. */
export async function backupState(hub: HubOfBackups): Promise<BackupState> {
  const last = await getSetting(hub, "lastBackup");
  const { to, every } = hub.config.backups;
  const age = last === undefined ? Infinity : hub.clock().getTime() - fromSqlDate(last).getTime();
  return { last, isDue: to !== undefined && age >= every * hour, isLate: to !== undefined && age > 2 * every * hour };
}
