import { events, nothing } from "../../answers.ts";
import type { Asked } from "../../live/live-stream.ts";
import { isMember } from "../../page.ts";
import type { Page, PageContext } from "../../page.ts";

/** A page shows no more threads than these. */
const mostThreads = 50;

/** What happens while a page is open, for scripts: server-sent events. */
export const livePages: Page[] = [{ path: "/live", access: "anybody", get: (context) => live(context) }];

async function live(context: PageContext): Promise<Response> {
  // Whoever asks for events does not come back after this answer.
  if (!isMember(context) || !context.readsEvents || context.method === "HEAD") return nothing(context);
  const { liveStream } = await import("../../live/live-stream.ts");
  return events(context, await liveStream(context, asked(context)));
}

function asked({ query, lastEventId }: PageContext): Asked {
  const [since, last] = [query.number("since"), lastEventId || query.word("after")];
  return {
    page: query.word("page"),
    after: /^\d{1,15}$/.test(last) ? Number(last) : since === undefined ? undefined : new Date(since),
    threads: idsIn(query.text("threads"), mostThreads),
    rooms: idsIn(query.text("rooms"), 1),
  };
}

function idsIn(text: string, most: number): number[] {
  const ids = text.split(",").slice(0, most);
  return ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
}
