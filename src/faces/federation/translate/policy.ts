import type { Node } from "./node.ts";

/** Who may do something without being asked, and who after it was let in; undefined where nothing is said. */
export type Rule = { automatic: string[]; manual: string[] } | undefined;

/** Who may answer, like, share and quote (federation contract 7). */
export type Policy = { reply: Rule; like: Rule; announce: Rule; quote: Rule };

export function policyOf(node: Node): Policy {
  const [policy] = node.nodes("interactionPolicy");
  const rule = (name: string): Rule => {
    const [said] = policy?.nodes(name) ?? [];
    return (
      said && {
        automatic: [...said.ids("automaticApproval"), ...said.ids("always")],
        manual: [...said.ids("manualApproval"), ...said.ids("approvalRequired")],
      }
    );
  };
  return { reply: rule("canReply"), like: rule("canLike"), announce: rule("canAnnounce"), quote: rule("canQuote") };
}
