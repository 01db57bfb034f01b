import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

/** What goes with a channel. */
export const belongings: readonly Belonging[] = [rowsOf("list_import_entry", "uid"), rowsOf("list_import", "uid")];
