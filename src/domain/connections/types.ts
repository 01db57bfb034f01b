import type { Selectable } from "kysely";
import type { AbconfigTable, AbookTable } from "../../storage/tables/connections.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";

export type Abook = Selectable<AbookTable>;

/** Connection metadata. */
export type Abconfig = Selectable<AbconfigTable>;

/** The two bit sets of native contract 3.3; they are computed when a connection is read. */
export type PermissionSums = { abook_my_perms: number; abook_their_perms: number };

/** A connection joined with its identity. */
export type Connection = Abook & PermissionSums & Xchan;
