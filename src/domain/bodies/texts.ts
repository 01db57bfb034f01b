import { HubError, refusal, TookTooLong } from "../../errors.ts";
import { doneFirst } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Crew } from "../../threads.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import { hasNamedCode } from "./code-colours.ts";
import { escapeHtml } from "./escape.ts";
import { refuseFootnotes } from "./excess.ts";
import { lines } from "./running-text.ts";
import type { FoundTags } from "./tags.ts";
import { colourCode, htmlToBbcode, layOut as layOutHere, tagsIn } from "./text-work.ts";
import type { LaidOut } from "./text-work.ts";

export type { LaidOut } from "./text-work.ts";

/*
 * Texts up to this length are read in place, which takes the worst of them (test/support/nasty-texts.ts) less than 50 ms;
 * a thread for each short post would take longer than its text. Longer ones go to a thread.
 */
const short = 4000;

/** So many times the longest text may be, as HTML. Only texts that are nothing but markup come to that. */
const growth = 5;

const crew: Crew = {
  module: new URL("./text-work.ts", import.meta.url),
  threads: 2,
  queue: 50,
  limit: 10_000,
};

/**
 * A text as it is stored. Inside of a transaction it is laid out before that (hub.ts,
 * doneFirst). Throws invalid for what nobody writes and costs too much, and too-many when too many long texts wait.
 */
export async function layOut(hub: Hub, body: string, mimetype: string): Promise<LaidOut> {
  const { baseUrl, limits } = hub.config;
  refuseFootnotes(body, mimetype);
  const name = /\[sitename\]/i.test(body) ? await getSetting(hub, "name") : "";
  const most = growth * limits.body;
  const laidOut = await run(hub, "layOut", body, mimetype, { baseUrl, name }, most);
  const html = await withColours(hub, laidOut.html);
  return html.length > most ? laidOut : { ...laidOut, html };
}

/** Colours are worth a thread, and nobody's text is refused for them. */
async function withColours(hub: Hub, html: string): Promise<string> {
  if (!hasNamedCode(html)) return html;
  return doneFirst(hub, JSON.stringify(["colourCode", html]), () =>
    inThread(hub, "colourCode", [html]).catch((error: unknown) => {
      if (error instanceof HubError) return html;
      throw error;
    }),
  );
}

/** The same for a text that must be kept whatever it is: one that is refused is shown as it was typed. */
export async function layOutAnyhow(hub: Hub, body: string, mimetype: string): Promise<LaidOut & { refused: boolean }> {
  try {
    return { ...(await layOut(hub, body, mimetype)), refused: false };
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "invalid") throw error;
    return { html: lines(escapeHtml(body.toWellFormed())), plain: body.toWellFormed(), lang: "", refused: true };
  }
}

/** The mentions, hashtags and bookmarks of a text (tags.ts). Throws as `layOut` does. */
export async function tagsOf(hub: Hub, body: string, mimetype: string): Promise<FoundTags> {
  return body.length <= short ? tagsIn(body, mimetype) : run(hub, "tagsIn", body, mimetype);
}

/** HTML as bbcode (html-to-bbcode.ts). Throws as `layOut` does. */
export function bbcodeOf(hub: Hub, html: string): Promise<string> {
  return run(hub, "htmlToBbcode", html, hub.config.baseUrl);
}

/** The functions of the crew's module. */
const work = { layOut: layOutHere, tagsIn, htmlToBbcode, colourCode };

type Work = typeof work;

async function run<Name extends keyof Work>(
  hub: Hub,
  name: Name,
  ...args: Parameters<Work[Name]>
): Promise<ReturnType<Work[Name]>> {
  const inPlace: (...args: Parameters<Work[Name]>) => ReturnType<Work[Name]> = work[name] as never;
  const isShort = args[0].length <= short;
  return doneFirst(hub, JSON.stringify([name, ...args]), () =>
    isShort ? Promise.try(inPlace, ...args) : inThread(hub, name, args),
  );
}

async function inThread<Name extends keyof Work>(
  hub: Hub,
  name: Name,
  args: Parameters<Work[Name]>,
): Promise<ReturnType<Work[Name]>> {
  try {
    return (await hub.threads.of<Work>(crew).run(name, ...(args as never))) as ReturnType<Work[Name]>;
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw refusal("text_takes_too_long", { cause: error });
  }
}
