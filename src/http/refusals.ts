import { HubError, refusal } from "../errors.ts";

/** A body over the limit; `size` is how large it is, as far as that is known. */
export function tooLarge(most: number, size: number): HubError {
  return refusal("request_too_large", { most, size });
}

/** More parameters than any honest request has. */
export function tooManyParameters(): HubError {
  return refusal("parameters_too_many");
}

/** A body that does not follow the form that it says it has. */
export function unreadable(sentence: string, cause?: unknown): HubError {
  return new HubError("invalid", sentence, { reason: "bad_parameter", cause });
}

/** What is no form, though it says so. */
export function noForm(cause: unknown): HubError {
  return refusal("form_unreadable", { reason: "bad_parameter", cause });
}

/** A body that ends before it is complete, if anybody is left to read the answer. */
export function brokenOff(cause?: unknown): HubError {
  return refusal("body_broken_off", { reason: "bad_parameter", cause });
}

/** A body that nobody here can read. */
export function unsupported(sentence: string): HubError {
  return new HubError("unsupported", sentence);
}

/** What holds keys does not go over the network for everybody to read. */
export function insecure(): HubError {
  return new HubError("denied", "Exports are given out over HTTPS only.", { reason: "permission_denied" });
}
