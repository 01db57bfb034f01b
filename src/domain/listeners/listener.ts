import type { Observer } from "../identity/channels/observer.ts";
import type { Heard } from "./heard.ts";

/** Somebody who wants to hear at once what happens. */
export type Listener = {
  /** With whose eyes it looks; a channel of this hub hears of its own rows. */
  readonly observer: Observer;
  /** Tops of threads of others that it looks at besides. */
  readonly threads: readonly number[];
  /** Chatrooms that it looks at. */
  readonly rooms?: readonly number[];
  /** The name of what it does itself: of messages it hears nothing by that name, because it knows. */
  readonly doer?: string | undefined;
  /** It hears of messages of which nothing is known yet, too; asked each time. */
  readonly hearsAll?: boolean;
  /** The account that has let it in, and the network address it comes from: of each there are only so many. */
  readonly account: number;
  readonly address: string;
  /** So of the token of an application. */
  readonly token?: number | undefined;
  /** Takes what it hears, if anything, and the number up to which it has heard everything. It waits for nothing. */
  hear(heard: readonly Heard[], last: number): void;
  /**
   * Until when what has let it in is good, as far as is known, in the stored form; undefined where it is not any more. Asked when
   * something of its account has ended, when that date has come, and now and then.
   */
  letInUntil(): Promise<string | undefined>;
  /** It hears nothing any more. */
  end(): void;
};
