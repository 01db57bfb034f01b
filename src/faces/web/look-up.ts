import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { isWebUrl } from "../../domain/identity/xchans/web-url.ts";
import { isElsewhere, lookElsewhere } from "../../domain/people/look-elsewhere.ts";
import type { Looked, LookFault } from "../../domain/peers/scout.ts";
import { show } from "./answers.ts";
import { html } from "./html.ts";
import { withParameter } from "./local-path.ts";
import type { Say } from "./languages/say.ts";
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
  const { say } = context;
  const onward = withParameter(context.here, "asked", "1");
  const main = html`<section class="card notice-page">
    <h1>${say("connections.looking-up")}</h1>
    <p role="status">${say("connections.looking-up-lead", { text, host: hostIn(text) })}</p>
    <p><a class="button" href="${onward}">${say("connections.looking-up-go-on")}</a></p>
  </section>`;
  return show(context, { title: say("connections.looking-up"), main, headers: { refresh: `0; url=${onward}` } });
}

function hostIn(text: string): string {
  return isWebUrl(text.trim()) ? new URL(text.trim()).host : text.trim().replace(/^.*@/, "");
}

/** The person of this name whom the hub knows, else the one who has it elsewhere; or what is said where there is none. */
export async function personAnywhere(
  { hub, member, say }: MemberContext,
  text: string,
  person: Xchan | undefined,
): Promise<{ person: Xchan; sentence?: undefined } | { person?: undefined; sentence: string }> {
  if (person?.xchan_deleted === 0) return { person };
  if (person || !isElsewhere(hub, text)) return { sentence: say("connections.found-nobody", { text }) };
  const looked = await lookElsewhere(hub, member.channel, text);
  return "person" in looked ? { person: looked.person } : { sentence: lookUpMessage(say, looked, text) };
}

/** Why a look-up elsewhere found nobody, or nothing that one may see. */
export function lookUpMessage(say: Say, looked: Exclude<Looked, { person: unknown }>, text: string): string {
  return "fault" in looked ? lookFaultMessage(say, looked.fault, text) : say("connections.found-post", { text });
}

/** Why nobody was found. */
export function lookFaultMessage(say: Say, found: LookFault, text: string): string {
  return say(`connections.look-fault-${found}`, { text });
}
