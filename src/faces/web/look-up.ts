import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { isElsewhere, lookElsewhere } from "../../domain/people/look-elsewhere.ts";
import type { Looked, LookFault } from "../../domain/people/look-elsewhere.ts";
import type { MemberContext } from "./page.ts";

/** The person of this name whom the hub knows, else the one who has it elsewhere; or what is said where there is none. */
export async function personAnywhere(
  { hub, member }: MemberContext,
  text: string,
  known: Promise<Xchan | undefined>,
): Promise<{ person: Xchan; sentence?: undefined } | { person?: undefined; sentence: string }> {
  const person = await known;
  if (person?.xchan_deleted === 0) return { person };
  if (person || !isElsewhere(hub, text)) return { sentence: `Nobody is known here as “${text}”.` };
  const looked = await lookElsewhere(hub, member.channel, text);
  return "person" in looked ? { person: looked.person } : { sentence: lookUpMessage(looked, text) };
}

/** Why a look-up elsewhere found nobody, or nothing that one may see. */
export function lookUpMessage(looked: Exclude<Looked, { person: unknown }>, text: string): string {
  return "fault" in looked
    ? faults[looked.fault](text)
    : `“${text}” is a post, and nobody whom one could connect with.`;
}

const faults: Readonly<Record<LookFault, (text: string) => string>> = {
  unknown: (text) => `Nobody is known as “${text}”, neither here nor there.`,
  refused: (text) => `The server of “${text}” does not let this hub look, or this hub has nothing to do with it.`,
  silent: (text) => `The server of “${text}” does not answer. Try again in a while.`,
  unusable: (text) => `There is nobody and nothing at “${text}” that this hub can read.`,
};
