import { download } from "../../answers.ts";
import type { PageContext } from "../../page.ts";

/** An iCalendar text as the answer. */
export function calendarFile(context: PageContext, name: string, text: string): Response {
  return download(context, { name, type: "text/calendar; charset=utf-8", bytes: () => new Blob([text]).stream() });
}
