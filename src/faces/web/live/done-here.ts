import { doneBy } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { MemberContext } from "../page.ts";

const mostLetters = 128;

/** The open page, as what it does names it; nobody else can say that they are it. */
export function doerOn(openPage: string, { member }: MemberContext): string | undefined {
  const isName = openPage !== "" && openPage.length <= mostLetters;
  return isName ? `${member.channel.channel_id} ${openPage}` : undefined;
}

/** The hub for a deed of which the answer is all that it changes on the page: the page is not told of it once more. */
export function doneHere(context: MemberContext): Hub {
  const doer = doerOn(context.openPage, context);
  return doer === undefined ? context.hub : doneBy(context.hub, doer);
}
