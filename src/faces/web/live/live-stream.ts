import { findSession } from "../../../domain/identity/accounts/sessions.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import { listen } from "../../../domain/listeners/listeners.ts";
import { EventStream } from "../../../http/event-stream.ts";
import type { Hub } from "../../../hub.ts";
import type { MemberContext } from "../page.ts";
import { doerOn } from "./done-here.ts";
import { countNews } from "../parts/items/news.ts";
import { happeningsOf, isEmpty } from "./happenings.ts";

/** So many milliseconds what happens is gathered: a page asks once for all of it. */
const together = 150;

/**
 * How the page is called, and what it has already: everything up to this number, or until this moment; and the threads of others and
 * chatrooms that it shows.
 */
export type Asked = {
  page: string;
  after: number | Date | undefined;
  threads: readonly number[];
  rooms: readonly number[];
};

/**
 * What happens, for an open page of a browser that is logged in: events `news` with ids and counts. Ends with the log-in, and when
 * the browser acts as another channel.
 */
export async function liveStream(context: MemberContext, { page, after, threads, rooms }: Asked): Promise<EventStream> {
  const { hub, observer, address } = context;
  const { token, account, channel } = context.member;
  // There are thousands of these: of the request and of who has sent it nothing is kept but what is needed.
  const { account_id } = account;
  const { channel_id } = channel;
  const voice = new Voice(hub, channel_id);
  const quit = await listen(
    hub,
    {
      observer,
      doer: doerOn(page, context),
      threads,
      rooms,
      account: account_id,
      address,
      hear: (heard, last) => voice.hear(heard, last),
      async letInUntil() {
        const session = await findSession(hub, token);
        return session?.channel.channel_id === channel_id ? session.until : undefined;
      },
      end: () => voice.stream.end(),
    },
    after,
  );
  voice.begin(quit);
  return voice.stream;
}

/** Says to one page what was heard for it. */
class Voice {
  readonly stream: EventStream;
  readonly #hub: Hub;
  readonly #channel: number;
  #heard: Heard[] = [];
  /** The number up to which everything was heard, and that up to which everything was said. */
  #last = 0;
  #said = 0;
  #timer: NodeJS.Timeout | undefined;
  #isSaying = false;
  #quit = (): void => undefined;

  constructor(hub: Hub, channel: number) {
    [this.#hub, this.#channel] = [hub, channel];
    this.stream = new EventStream(hub, { beat: () => this.#mark(), ended: () => this.#ended() });
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
      const counts = happenings.counts ? await countNews(this.#hub, this.#channel) : undefined;
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
