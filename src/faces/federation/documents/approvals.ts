import { findApproval } from "../../../domain/items/approvals.ts";
import { missing } from "../../../errors.ts";
import type { Address, Question } from "../address.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { stampOf } from "../present/consent.ts";
import { objectContext } from "./context.ts";
import { findSaid, uuidIn } from "./said.ts";

/** The stamps on quotations, answers, likes and shares, for those who may see what these are about (federation contract 3, 7). */
export const approvalDocuments: readonly Address[] = [
  { path: "/approval/:uuid", kept: true, mayBeStale: true, get: approval },
];

async function approval(question: Question): Promise<Document> {
  const { hub, params } = question;
  const uuid = uuidIn(params);
  const found = await findApproval(hub, uuid);
  if (!found) throw missing("Item");
  const { message: post, kind, quoting: act } = found;
  const [{ nick }] = await findSaid(question, post);
  return jsonDocument({ "@context": objectContext, ...stampOf(hub, nick, { approval: uuid, kind, act, post }) });
}
