import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

/** What goes with a channel besides its files. */
export const belongings: readonly Belonging[] = [rowsOf("message_file", "uid")];
