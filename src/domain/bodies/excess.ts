import { HubError } from "../../errors.ts";

/** Footnotes and what refers to them: more than the longest scholarly text has, and what reading them costs grows faster. */
const mostFootnotes = 2000;

/** Refuses a text that no person writes, and that would cost far more than others of its length. Throws invalid. */
export function refuseExcess(body: string, mimetype: string, field: string): void {
  if (mimetype !== "text/markdown" && mimetype !== "text/x-multicode") return;
  let count = 0;
  for (let at = body.indexOf("[^"); at !== -1; at = body.indexOf("[^", at + 2)) count += 1;
  if (count > mostFootnotes) throw new HubError("invalid", "This text has too many footnotes.", { field });
}
