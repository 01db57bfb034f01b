import { html } from "hono/html";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { isWebUrl } from "../../domain/identity/xchans/web-url.ts";
import { isElsewhere, lookElsewhere } from "../../domain/people/look-elsewhere.ts";
import type { Looked, LookFault } from "../../domain/peers/scout.ts";
import { show } from "./answers.ts";
import { withParameter } from "./local-path.ts";
import type { MemberContext, PageContext } from "./page.ts";

/**
 * What is shown while somebody or something unknown is looked up elsewhere: a page that says so, and that browsers keep until the
 * address to which it leads them on has answered. Undefined where nobody is to be asked, or that is what they came for.
 */
export async function lookingPage(
  context: PageContext,
  text: string,
  known: Xchan | undefined,
): Promise<Response | undefined> {
  if (known || context.query.has("asked") || !isElsewhere(context.hub, text)) return undefined;
  const onward = withParameter(context.here, "asked", "1");
  const main = html`<section class="card notice-page">
    <h1>Looking it up</h1>
    <p role="status">
      “${text}” is not known here yet, so ${hostIn(text)} is being asked. That takes ten seconds at the most; then you
      see who or what was found there, or why nothing was.
    </p>
    <p><a class="button" href="${onward}">Go on</a></p>
  </section>`;
  return show(context, { title: "Looking it up", main, headers: { refresh: `0; url=${onward}` } });
}

function hostIn(text: string): string {
  return isWebUrl(text.trim()) ? new URL(text.trim()).host : text.trim().replace(/^.*@/, "");
}

/** The person of this name whom the hub knows, else the one who has it elsewhere; or what is said where there is none. */
export async function personAnywhere(
  { hub, member }: MemberContext,
  text: string,
  person: Xchan | undefined,
): Promise<{ person: Xchan; sentence?: undefined } | { person?: undefined; sentence: string }> {
  if (person?.xchan_deleted === 0) return { person };
  if (person || !isElsewhere(hub, text)) return { sentence: `Nobody is known here as “${text}”.` };
  const looked = await lookElsewhere(hub, member.channel, text);
  return "person" in looked ? { person: looked.person } : { sentence: lookUpMessage(looked, text) };
}

/** Why a look-up elsewhere found nobody, or nothing that one may see. */
export function lookUpMessage(looked: Exclude<Looked, { person: unknown }>, text: string): string {
  return "fault" in looked
    ? lookFaultMessage(looked.fault, text)
    : `“${text}” is a post, and nobody whom one could connect with.`;
}

/** Why nobody was found. */
export function lookFaultMessage(found: LookFault, text: string): string {
  return faults[found](text);
}

const faults: Readonly<Record<LookFault, (text: string) => string>> = {
  unknown: (text) => `Nobody is known as “${text}”, neither here nor there.`,
  refused: (text) => `The server of “${text}” does not let this hub look, or this hub has nothing to do with it.`,
  silent: (text) => `The server of “${text}” does not answer. Try again in a while.`,
  unusable: (text) => `There is nobody and nothing at “${text}” that this hub can read.`,
};
