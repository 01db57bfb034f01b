import { escapeHtml } from "../../bodies/escape.ts";
import { verifySignature } from "../../identity/xchans/signing.ts";
import type { ItemForm } from "./item-form.ts";
import type { Person } from "../people/people.ts";

/** What the report says about items whose signature does not hold. */
export const unverified = "kept as unverified, because the signature does not fit the text";

/**
 * Does the signature of an item hold? Nobody can say of somebody whose key is not known here; the owner of the export
 * (`own`) signs everything. Programs that store texts escaped sign them so; our own exports of such texts carry the old
 * signature along.
 */
export function signatureStateOf(
  { signature, signedBody }: ItemForm,
  { key }: Pick<Person, "key">,
  own: boolean,
): "holds" | "fails" | "unknown" {
  if (key === undefined || (signature === "" && !own)) return "unknown";
  const holds = verifySignature(key, signedBody, signature) || verifySignature(key, escapeHtml(signedBody), signature);
  return holds ? "holds" : "fails";
}
