import { findSession } from "../../../domain/identity/accounts/sessions.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import { listen } from "../../../domain/listeners/listeners.ts";
import { EventStream } from "../../../http/event-stream.ts";
import type { MemberContext } from "../page.ts";
import { loadNews } from "../parts/items/news.ts";
import { happeningsOf, isEmpty } from "./happenings.ts";

/** So many milliseconds what happens is gathered: a page asks once for all of it. */
const together = 150;

/** What the page has already: everything up to this number, or until this moment; and the threads of others and chatrooms that it shows. */
export type Asked = { after: number | Date | undefined; threads: readonly number[]; rooms: readonly number[] };

/**
 * What happens, for an open page of a browser that is logged in: events `news` with ids and counts. Ends with the log-in, and when
 * the browser acts as another channel.
 */
export async function liveStream(
  context: MemberContext,
  { after, threads, rooms }: Asked,
): Promise<ReadableStream<Uint8Array>> {
  const { hub, member, observer, address } = context;
  const voice = new Voice(context);
  const quit = await listen(
    hub,
    {
      observer,
      threads,
      rooms,
      account: member.account.account_id,
      address,
      hear: (heard, last) => voice.hear(heard, last),
      async isLetIn() {
        const session = await findSession(hub, member.token);
        return session?.channel.channel_id === member.channel.channel_id;
      },
      end: () => voice.stream.end(),
    },
    after,
  );
  voice.begin(quit);
  return voice.stream.body;
}

/** Says to one page what was heard for it. */
class Voice {
  readonly stream: EventStream;
  readonly #context: MemberContext;
  #heard: Heard[] = [];
  /** The number up to which everything was heard, and that up to which everything was said. */
  #last = 0;
  #said = 0;
  #timer: NodeJS.Timeout | undefined;
  #isSaying = false;
  #quit = (): void => undefined;

  constructor(context: MemberContext) {
    this.#context = context;
    this.stream = new EventStream({ beat: () => this.#mark(), ended: () => this.#ended() });
  }

  /** The first bytes tell the browser that it is connected. */
  begin(quit: () => void): void {
    this.#quit = quit;
    if (this.stream.isOver) quit();
    this.stream.write(this.#mark());
  }

  hear(heard: readonly Heard[], last: number): void {
    this.#heard.push(...heard);
    this.#last = Math.max(this.#last, last);
    if (this.#heard.length > 0) this.#timer ??= setTimeout(() => void this.#say(), together);
    else if (!this.#isSaying) this.#said = this.#last;
  }

  async #say(): Promise<void> {
    const [happenings, last] = [happeningsOf(this.#heard), this.#last];
    this.#heard = [];
    this.#isSaying = true;
    try {
      const counts = happenings.counts ? await loadNews(this.#context) : undefined;
      if (!isEmpty(happenings)) this.stream.send("news", JSON.stringify({ ...happenings, counts }), last);
      this.#said = last;
    } catch {
      // Whoever comes back hears it again: it has not been said.
      this.stream.end();
    } finally {
      this.#isSaying = false;
      this.#timer = undefined;
      if (this.#heard.length > 0) this.hear([], this.#last);
    }
  }

  /** Lets the browser know up to where it has everything. */
  #mark(): string {
    return this.#said > 0 ? `id: ${this.#said}\n\n` : ":\n\n";
  }

  #ended(): void {
    clearTimeout(this.#timer);
    this.#quit();
  }
}
