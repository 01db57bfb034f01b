import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { everybody } from "../everybody.ts";
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

/** The word for those who may answer, at once or when let in (federation contract 7); it takes the author's list of followers. */
export function answerersOf(reply: Rule, followers = ""): "public" | "contacts" | "self" {
  if (!reply) return "public";
  const all = [...reply.automatic, ...reply.manual];
  if (all.length === 0 || all.includes(everybody)) return "public";
  return followers !== "" && all.some((id) => isSameId(id, followers)) ? "contacts" : "self";
}
