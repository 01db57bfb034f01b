import { HubError } from "../../../errors.ts";

/** What somebody is told who asks for a stream that there is not. */
export function unknownStream(sentence = "Unknown stream type"): HubError {
  return new HubError("invalid", sentence, { reason: "bad_parameter" });
}
