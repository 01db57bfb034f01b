import type { Selectable } from "kysely";
import type { AttachTable } from "../../storage/tables/files.ts";

/** A file or directory; one row for each revision. */
export type File = Selectable<AttachTable>;

/** Who may see it, in the stored form `<hash><hash>`; four empty lists are the whole world. */
export type Lists = Pick<File, "allow_cid" | "allow_gid" | "deny_cid" | "deny_gid">;

/** Names a file; the newest revision when none is given. */
export type FileRef = { hash: string; revision?: number | undefined };
