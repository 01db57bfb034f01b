import type { DeletedKind } from "../../../domain/items/deleted-ids.ts";
import { isoDate } from "../../../http/dates.ts";

const formerTypes: Readonly<Record<DeletedKind, string>> = {
  article: "Article",
  event: "Event",
  note: "Note",
  question: "Question",
};

/** What is left of something that was deleted. */
export function tombstoneOf(id: string, { kind, deleted }: { kind: DeletedKind; deleted: string }): object {
  return { id, type: "Tombstone", formerType: formerTypes[kind], deleted: isoDate(deleted) };
}

/** Is this what something that was said may have been, and not how somebody reacted? */
export function isFormerKind(kind: string): kind is DeletedKind {
  return Object.hasOwn(formerTypes, kind);
}
