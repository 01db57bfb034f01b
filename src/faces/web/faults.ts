import { messageOf } from "../../refusals/messages.ts";
import { HubError } from "../../errors.ts";
import type { ErrorKind } from "../../refusals/row.ts";
import type { Language } from "./languages/languages.ts";

/** Where a fault is said. */
type Place = { language: Language };

/** Why a form was not taken, in words for the person who filled it in. */
export type Fault = FieldFault & {
  status: number;
  retryAfter: number | undefined;
  /** What else speaks against it, in other fields. */
  also?: readonly FieldFault[];
};

type FieldFault = { field: string; sentence: string };

/** Status of each kind of failure; what is missing or broken has a page of its own. */
const statuses: Partial<Record<ErrorKind, number>> = {
  invalid: 422,
  conflict: 422,
  unauthenticated: 422,
  denied: 403,
  "too-large": 413,
  unsupported: 415,
  "too-many": 429,
  unavailable: 503,
};

/** A fault that the page itself found. */
export function fault(field: string, sentence: string): HubError {
  return new HubError("invalid", sentence, { field });
}

/** The fault that an error means, in the language of the page; undefined for what is no fault of the form. */
export function faultOf({ language }: Place, error: unknown): Fault | undefined {
  if (!(error instanceof HubError)) return undefined;
  const status = statuses[error.kind];
  if (status === undefined || isStrangeForm(error)) return undefined;
  return {
    field: error.field ?? "",
    sentence: messageOf(language.messages, error),
    status,
    retryAfter: error.retryAfter,
  };
}

/** What is said beside a field; undefined where nothing is wrong with it. */
export function sentenceAt(fault: Fault | undefined, field: string): string | undefined {
  return fault && [fault, ...(fault.also ?? [])].find((one) => one.field === field)?.sentence;
}

/** Was a form refused that has to be loaded and sent anew? */
export function isStrangeForm({ code }: HubError): boolean {
  return code === "form_strange" || code === "form_of_other_channel" || code === "form_changed";
}

/** Does what a form asks for; when it cannot be taken, `again` shows the form with what was typed and the reason. */
export async function tryForm(
  place: Place,
  work: () => Promise<Response>,
  again: (fault: Fault) => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const found = faultOf(place, error);
    if (!found) throw error;
    const response = await again(found);
    if (found.retryAfter !== undefined) response.headers.set("retry-after", String(found.retryAfter));
    return response;
  }
}
