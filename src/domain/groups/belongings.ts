import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

/** What goes with a channel. */
export const belongings: readonly Belonging[] = [
  rowsOf("pgrp_member", "uid", { later: true }),
  rowsOf("pgrp", "uid", { later: true }),
];
