// Hears what happens while the page is looked at (`/live`): counts in the navigation and the title, threads and chatrooms that change. A page in
// the background rests, and so holds no connection; when it is looked at again it hears what it has missed.
import htmx from "../npm/htmx.js";
import { newName } from "../new-name.js";

/**
 * @typedef {{ notices: number, messages: number, requests: number }} Counts
 * @typedef {{ request: { method: string } }} Asking
 * @typedef {{ posts: number[], threads: number[], rooms: number[], gone: number[], missed: boolean, counts?: Counts }} News
 */

/** So many milliseconds after one was asked for the next one is. */
const pause = 1000;

class Live extends HTMLElement {
  /** @type {EventSource | undefined} */
  #source;
  #last = "";
  #title = document.title;
  /** @type {Set<string>} */
  #changed = new Set();
  #renewing = false;
  /**
   * What has changed while somebody wrote in it.
   * @type {Set<string>}
   */
  #left = new Set();
  /** How many deeds of this page have begun, and which of them have no answer yet. */
  #begun = 0;
  /** @type {Set<unknown>} */
  #underWay = new Set();

  connectedCallback() {
    this.#name();
    document.addEventListener("visibilitychange", () => this.#attend());
    addEventListener("pagehide", () => this.#rest());
    addEventListener("pageshow", () => this.#attend());
    for (const name of ["htmx:error", "htmx:response:error"]) document.addEventListener(name, () => this.#doubt());
    document.addEventListener("htmx:before:request", (event) => this.#begin(askedBy(event)));
    document.addEventListener("htmx:finally:request", (event) => this.#end(askedBy(event)));
    this.#attend();
  }

  #attend() {
    if (document.hidden) return this.#rest();
    if (this.#source) return undefined;
    const asked = new URLSearchParams({ threads: shown("thread").join(","), page: this.dataset["page"] ?? "" });
    const rooms = shown("room");
    if (rooms.length > 0) asked.set("rooms", rooms.join(","));
    asked.set(this.#last === "" ? "since" : "after", this.#last || (this.dataset["since"] ?? ""));
    this.#source = new EventSource(`/live?${asked}`);
    this.#source.addEventListener("news", (event) => this.#read(event));
    return undefined;
  }

  /** What the page says of itself when it listens and with what it does (acting.js). */
  #name() {
    this.dataset["page"] = newName();
  }

  /** @param {Asking} asking */
  #begin(asking) {
    if (asking.request.method === "GET") return;
    this.#begun += 1;
    this.#underWay.add(asking);
  }

  /** @param {Asking} asking */
  #end(asking) {
    this.#underWay.delete(asking);
    if (asking.request.method === "GET" || this.#left.size === 0) return;
    for (const id of this.#left) this.#changed.add(id);
    this.#left.clear();
    void this.#renew();
  }

  /** Of what was not answered nobody knows whether it was done: the page hears of it as of what others do, under another name. */
  #doubt() {
    this.#name();
    if (!this.#source) return;
    this.#rest();
    this.#attend();
  }

  #rest() {
    this.#source?.close();
    this.#source = undefined;
  }

  /** @param {MessageEvent} event */
  #read({ data, lastEventId }) {
    this.#last = lastEventId;
    this.#hear(/** @type {News} */ (JSON.parse(String(data))));
  }

  /** @param {News} news */
  #hear(news) {
    if (news.counts) this.#count(news.counts);
    const changed = new Set([...news.threads.map((id) => `thread-${id}`), ...news.rooms.map((id) => `room-${id}`)]);
    for (const { id } of document.querySelectorAll(".thread[id], .room[id]"))
      if (news.missed || changed.has(id)) this.#changed.add(id);
    void this.#renew();
    document.dispatchEvent(new CustomEvent("hub:news", { detail: news }));
  }

  /** @param {Counts} counts */
  #count(counts) {
    for (const [name, count] of Object.entries(counts)) {
      for (const badge of document.querySelectorAll(`[data-count=${name}]`)) {
        if (badge.firstChild) badge.firstChild.textContent = count > 99 ? "99+" : String(count);
        badge.toggleAttribute("hidden", count === 0);
      }
    }
    const all = counts.notices + counts.messages + counts.requests;
    document.title = all > 0 ? `(${all > 99 ? "99+" : all}) ${this.#title}` : this.#title;
  }

  /** One that has changed after the other, with a pause after each, in which more may change. */
  async #renew() {
    if (this.#renewing) return;
    this.#renewing = true;
    for (const id of this.#changed) {
      this.#changed.delete(id);
      await this.#renewOne(id);
      await new Promise((done) => setTimeout(done, pause));
    }
    this.#renewing = false;
  }

  /**
   * The thread or room as the page would show it now takes the place of the one here. What somebody writes into gets its new comments, and
   * the rest once that is sent. What was asked for while the page did something may not know of that, and the page hears nothing of it: it
   * is asked for anew.
   * @param {string} id
   */
  async #renewOne(id) {
    if (isWrittenIn(id)) this.#left.add(id);
    if (isWrittenIn(id) || grown(id)) return addNew(id);
    let stay = () => {};
    const [before, isUnsure] = [this.#begun, this.#underWay.size > 0];
    /** @param {Event} event */
    const leaveAlone = (event) => {
      const isOld = isUnsure || this.#begun > before;
      if (isOld) this.#changed.add(id);
      // Somebody may have begun to write while the hub answered.
      if (isOld || isWrittenIn(id)) event.preventDefault();
      else stay = holdStill();
    };
    this.addEventListener("htmx:before:swap", leaveAlone);
    const options = { source: this, target: `#${id}`, select: `#${id}`, swap: "outerMorph ignoreTitle:true" };
    await htmx.ajax("GET", location.pathname + location.search, options).catch(() => {});
    stay();
    this.removeEventListener("htmx:before:swap", leaveAlone);
  }
}

/**
 * What htmx tells of a request.
 * @param {Event} event
 */
function askedBy(event) {
  return /** @type {CustomEvent<{ ctx: Asking }>} */ (event).detail.ctx;
}

/**
 * The ids of the threads or rooms that the page shows.
 * @param {"thread" | "room"} kind
 */
function shown(kind) {
  return [...document.querySelectorAll(`.${kind}[id]`)].map(({ id }) => id.slice(kind.length + 1));
}

/**
 * Is somebody writing in this part of the page, or has it gone?
 * @param {string} id
 */
function isWrittenIn(id) {
  const place = document.getElementById(id);
  const fields = [...(place?.querySelectorAll("textarea") ?? [])];
  return !place || fields.some(({ value, form }) => value !== "" || form?.contains(document.activeElement));
}

/**
 * The comments of a thread.
 * @param {string} id
 */
function commentsOf(id) {
  return document.getElementById(id)?.querySelector(".comments");
}

/**
 * Have more comments been brought in place than the page began with? Those stay.
 * @param {string} id
 */
function grown(id) {
  return commentsOf(id)?.hasAttribute("data-grown") ?? false;
}

/** Answers what brings the field in which somebody writes back to where it is now in the window. */
function holdStill() {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement)) return () => {};
  const before = field.getBoundingClientRect().top;
  return () => scrollBy({ top: field.getBoundingClientRect().top - before, behavior: "instant" });
}

/**
 * Puts what the thread has got since then at its end, if that is shown.
 * @param {string} id
 */
async function addNew(id) {
  if (!commentsOf(id)) return;
  const answer = await fetch(location.href).catch(() => undefined);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const list = commentsOf(id);
  if (!list || list.querySelector(":scope > .newer")) return;
  const stay = holdStill();
  for (const one of page.querySelectorAll(`#${id} .comments > li:not(.older, .newer)`)) {
    const comment = one.querySelector("article");
    if (!comment || document.getElementById(comment.id)) continue;
    list.append(document.adoptNode(one));
    htmx.process(one);
  }
  stay();
}

customElements.define("hub-live", Live);
