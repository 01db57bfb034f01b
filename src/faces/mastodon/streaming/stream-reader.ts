import { oncePerHub } from "../../../caches.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { bearerUntil, callerOfBearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import type { Bearer } from "../../../domain/identity/applications/oauth2-tokens.ts";
import type { Heard } from "../../../domain/listeners/heard.ts";
import type { Listener } from "../../../domain/listeners/listener.ts";
import { HubError, refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { StatusObject } from "../present/status-object.ts";
import { newsOfAnnouncements } from "./announced.ts";
import { boardOf } from "./board.ts";
import type { Sights } from "./board.ts";
import { askedOf, loadNews } from "./news.ts";
import type { News } from "./news.ts";
import { readerTurnsOf } from "./reader-turns.ts";
import { subscriptionTo } from "./subscriptions.ts";
import type { Subscription, Wish } from "./subscriptions.ts";
import { beginWatch, watched } from "./watches.ts";
import type { Watch, WatchedList } from "./watches.ts";

/** Where what is said to a reader goes. */
export type Outlet = {
  say(label: readonly string[], event: string, payload?: string): void;
  /** The reader's connection ends: the log-in has, or the hub stops. */
  end(why: "over" | "slow"): void;
};

/** So many bytes may wait for a reader who does not take them (Mastodon contract 14.4). */
export const mostUnread = 256 * 1024;
/** So many things may wait to be told to one reader. */
const mostWaiting = 200;
/** So many streams one connection reads. */
const mostStreams = 20;
/** So many posts of a public stream are remembered by the ids under which they were shown. */
const mostTold = 100;

type Open = Subscription & { told: Map<number, string> };

/**
 * Somebody who reads streams with a token: hears what happens, and is told of it as pages would show it. There are thousands of them,
 * so each keeps ids, and not who it is.
 */
export class StreamReader implements Listener {
  readonly observer;
  readonly threads = [];
  readonly account: number;
  readonly address: string;
  readonly token: number;
  readonly #hub: Hub;
  readonly #scopes: readonly string[];
  readonly #outlet: Outlet;
  readonly #streams = new Map<string, Open>();
  readonly #watches = new Map<WatchedList, Watch>();
  #waiting = 0;
  #before: Promise<void> = Promise.resolve();

  constructor(
    hub: Hub,
    { bearer, caller, address }: { bearer: Bearer; caller: Caller; address: string },
    outlet: Outlet,
  ) {
    [this.#hub, this.#scopes, this.#outlet] = [hub, bearer.scopes, outlet];
    this.observer = caller.observer;
    this.account = caller.account.account_id;
    this.address = address;
    this.token = bearer.id;
  }

  /** Reads this stream from now on; see `subscriptionTo`. Throws too-many for one that is too many. */
  async subscribe(wish: Wish): Promise<void> {
    const stream = await this.#named(wish);
    const key = stream.label.join(" ");
    if (this.#streams.has(key)) return;
    if (this.#streams.size >= mostStreams) throw new HubError("too-many", "Too many streams");
    for (const kind of watched)
      if (stream[kind] && !this.#watches.has(kind))
        this.#watches.set(kind, await beginWatch(kind, this.#hub, await this.#caller()));
    this.#streams.set(key, { ...stream, told: new Map() });
  }

  async unsubscribe(wish: Wish): Promise<void> {
    this.#streams.delete((await this.#named(wish)).label.join(" "));
  }

  #named(wish: Wish): Promise<Subscription> {
    return subscriptionTo(this.#hub, { channelId: this.observer.channelId, scopes: this.#scopes }, wish);
  }

  get hearsAll(): boolean {
    return [...this.#streams.values()].some(({ takes, list }) => takes !== undefined || list !== undefined);
  }

  letInUntil(): Promise<string | undefined> {
    return bearerUntil(this.#hub, this.token);
  }

  end(): void {
    this.#outlet.end("over");
  }

  hear(heard: readonly Heard[]): void {
    if (heard.length === 0 || this.#streams.size === 0) return;
    this.#waiting += heard.length;
    if (this.#waiting > mostWaiting) return this.#outlet.end("slow");
    this.#before = this.#before.then(() => this.#tell(heard));
  }

  async #tell(heard: readonly Heard[]): Promise<void> {
    try {
      const streams = [...this.#streams.values()];
      const sights = await boardOf(this.#hub).see(this.#hub, this.observer, askedOf(streams, heard));
      await readerTurnsOf(this.#hub).take(() => this.#tellSeen(streams, heard, sights));
    } catch {
      // Whoever comes back asks for what came meanwhile.
      this.#outlet.end("over");
    } finally {
      this.#waiting -= heard.length;
    }
  }

  async #tellSeen(streams: readonly Open[], heard: readonly Heard[], sights: Sights): Promise<void> {
    const news = await loadNews(this.#hub, this.observer, streams, heard, sights);
    for (const one of heard) for (const stream of streams) this.#tellOf(stream, one, news);
    for (const { event, payload } of await newsOfAnnouncements(this.#hub, this.observer, heard))
      for (const { label } of streams.filter(({ home, notices }) => home || notices))
        this.#outlet.say(label, event, payload);
    for (const [kind, watch] of this.#watches) if (watch.concerns(heard)) await this.#tellNewIn(kind, watch, streams);
  }

  async #tellNewIn(kind: WatchedList, watch: Watch, streams: readonly Open[]): Promise<void> {
    const readers = streams.filter((stream) => stream[kind]);
    if (readers.length === 0) return;
    for (const one of await watch.look(this.#hub, await this.#caller()))
      for (const { label } of readers) this.#outlet.say(label, watch.event, JSON.stringify(one));
  }

  /** Throws unauthenticated where the token is not good any more. */
  async #caller(): Promise<Caller> {
    const caller = await callerOfBearer(this.#hub, this.token);
    if (!caller) throw refusal("token_invalid");
    return caller;
  }

  #tellOf(stream: Open, heard: Heard, news: News): void {
    if (heard.what === "new" || heard.what === "edit") {
      const [status, event] = [news.own.get(heard.id), heard.what === "new" ? "update" : "status.update"];
      if (!status) return;
      if (stream.home && news.home.has(heard.id)) this.#outlet.say(stream.label, event, textOf(this.#hub, status));
      const isListed = stream.list !== undefined && news.listed.get(stream.list.id)?.has(heard.message);
      if (isListed || (!stream.onlyHere && stream.takes?.(status))) this.#show(stream, heard.message, event, status);
    } else if (heard.what === "gone" && stream.home && heard.isShown) {
      this.#outlet.say(stream.label, "delete", String(heard.id));
    } else if (heard.what === "message") {
      if (heard.event === "gone") return this.#takeBack(stream, heard.message, news.gone.get(heard.message));
      const status = this.#seenOf(stream, heard.message, news);
      // Copies for others are delivered one after the other, and make nothing new of the one on the wall.
      if (status && heard.from <= Number(status.id) && Number(status.id) <= heard.to)
        this.#show(stream, heard.message, heard.event === "item" ? "update" : "status.update", status);
    } else if (heard.what === "filters" && stream.home) {
      this.#outlet.say(stream.label, "filters_changed");
    } else if (heard.what === "merged" && stream.notices) {
      this.#outlet.say(stream.label, "notifications_merged", "1");
    }
  }

  /** What a stream shows of a message by a copy on a wall. */
  #seenOf({ takes, onlyHere, list }: Open, message: number, news: News): StatusObject | undefined {
    const listed = list && news.listed.get(list.id)?.get(message);
    // What becomes of the reader's own row is heard by itself.
    if (list) return listed?.owned ? undefined : listed?.status;
    const seen = takes && news.seen.get(message);
    if (!seen || (onlyHere ? !seen.fromHere : seen.owned)) return undefined;
    return takes(seen.status) ? seen.status : undefined;
  }

  /** A post has the id under which this reader has got it first, and is new once. */
  #show({ label, told }: Open, message: number, event: string, status: StatusObject): void {
    const known = told.get(message);
    if (known !== undefined && event === "update") return;
    if (known === undefined) {
      told.set(message, status.id);
      if (told.size > mostTold) told.delete(told.keys().next().value!);
    }
    const isAsSeen = known === undefined || known === status.id;
    this.#outlet.say(label, event, isAsSeen ? textOf(this.#hub, status) : JSON.stringify({ ...status, id: known }));
  }

  #takeBack({ label, told, takes, list }: Open, message: number, id: number | undefined): void {
    if (!takes && list === undefined) return;
    const known = told.get(message) ?? (id === undefined ? undefined : String(id));
    told.delete(message);
    if (known !== undefined) this.#outlet.say(label, "delete", known);
  }
}

const texts = oncePerHub(() => new WeakMap<StatusObject, string>());

/** What many readers are shown is written once. */
function textOf(hub: Hub, status: StatusObject): string {
  const known = texts(hub).get(status);
  if (known !== undefined) return known;
  const text = JSON.stringify(status);
  texts(hub).set(status, text);
  return text;
}
