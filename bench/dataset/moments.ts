import { sqlDate } from "../../src/storage/sql.ts";

/** A moment in seconds as tables store it. */
export function stored(seconds: number): string {
  return sqlDate(new Date(seconds * 1000));
}
