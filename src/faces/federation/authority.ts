import { isSameId, isSameOrigin } from "../../domain/identity/xchans/foreign-ids.ts";
import { isRequest } from "./interactions.ts";
import type { Activity } from "./translate/activity.ts";
import type { Actor } from "./translate/actor.ts";
import type { KeyText } from "./translate/key.ts";
import type { Node } from "./translate/node.ts";
import { isDocumentType } from "./document-types.ts";

/** How something reached the hub, as far as that shows whose it is. */
export type Ways = {
  /** Whose key signed the request that brought it. */
  signer?: string | undefined;
  /** Whose valid proof, or LD signature, it carries. */
  proof?: string | undefined;
  /** It was asked for at this address, and found at that one. */
  fetched?: { asked: string; at: string; type: string } | undefined;
};

/** What the hub's own tables say of the ids in an activity. */
export type Known = {
  /** Scheme, host and port of the hub. */
  origin: string;
  /** Whose the object is. */
  owner?: string | undefined;
  /** Whose the thread is that the object stands in. */
  threadOwner?: string | undefined;
  /** Whose that is for which a request asks. */
  askingOwner?: string | undefined;
  /** Whose the target is. */
  targetOwner?: string | undefined;
};

export type Ruling =
  /** It holds. `as_sent`: so does what is written out in it; `by_id`: that is resolved by its id, here or at its origin. */
  | { do: "take"; object: "as_sent" | "by_id" }
  /** The owner of a thread takes out what somebody else wrote there. */
  | { do: "take_out"; object: string }
  /** What is found at the id counts, and nothing else; `gone` where only 404 or 410 confirms it. */
  | { do: "fetch"; id: string; as: "activity" | "object" | "gone" }
  | { do: "drop"; why: Why };

export type Why = "ours" | "foreign_id" | "unproven" | "not_owner" | "no_object";

/**
 * What an activity may do, by where it came from and never by what it says (federation contract 9, 6.2). It has been read,
 * and its ids are ids.
 */
export function rule(activity: Activity, ways: Ways, known: Known): Ruling {
  const { id, actor } = activity;
  if (isSameOrigin(actor, known.origin)) return drop("ours");
  if (id !== undefined && !isSameOrigin(id, actor)) return drop("foreign_id");
  if (!isGenuine(id, actor, ways)) return forwarded(activity, known);
  const [object] = activity.objects;
  if (object === undefined) return drop("no_object");
  return ruleOnObject(activity, object, known);
}

/**
 * Has this owner said what stands under this id (rules 1 and 2)? What has no id is as genuine as what brought it: a signed
 * request, or a proof.
 */
export function isGenuine(id: string | undefined, owner: string, { signer, proof, fetched }: Ways): boolean {
  if (id !== undefined && !isSameOrigin(id, owner)) return false;
  if ([signer, proof].some((one) => one !== undefined && isSameId(one, owner))) return true;
  if (!fetched || id === undefined) return false;
  return isSameId(fetched.asked, id) && isSameOrigin(fetched.at, id) && isDocumentType(fetched.type);
}

/** Somebody else brought it, and it carries no proof (federation contract 6.2). */
function forwarded({ id, type, objects: [object] }: Activity, known: Known): Ruling {
  const objectId = idOf(object);
  const about = type === "Create" || type === "Update" ? "object" : type === "Delete" ? "gone" : "activity";
  const wanted = about === "activity" ? id : objectId;
  if (wanted === undefined) return drop("unproven");
  return isSameOrigin(wanted, known.origin) ? drop("ours") : { do: "fetch", id: wanted, as: about };
}

function ruleOnObject(activity: Activity, object: Node | string, known: Known): Ruling {
  if (isRequest(activity.type)) return ruleOnRequest(activity, object, known);
  switch (activity.type) {
    case "Create":
    case "Update":
    case "Invite":
      return ruleOnOwn(activity.actor, object, known);
    case "Delete":
      return ruleOnDelete(activity.actor, object, known);
    case "Undo":
      return ruleOnUndo(activity.actor, object, known);
    case "Add":
    case "Remove":
      return ownsTarget(activity, known) ? enclosed(activity.actor, object, known) : drop("not_owner");
    case "Move":
      // Whoever moves says so at the old place, or at the new one.
      return [object, activity.targets[0]].some((one) => isSameId(idOf(one) ?? "", activity.actor))
        ? { do: "take", object: "by_id" }
        : drop("not_owner");
    case "Accept":
    case "Reject":
    case "TentativeAccept":
    case "TentativeReject":
      // What is answered is known here, by its id or by who is in it.
      return { do: "take", object: "by_id" };
    default:
      return enclosed(activity.actor, object, known);
  }
}

/** What somebody makes or changes must be theirs (rule 3); of the same host is not enough (rule 5). */
function ruleOnOwn(actor: string, object: Node | string, known: Known): Ruling {
  const id = idOf(object);
  if (id !== undefined && isSameOrigin(id, known.origin)) return drop("ours");
  if (typeof object === "string")
    // Whoever describes themselves anew does so in their document.
    return isSameId(object, actor) ? { do: "take", object: "by_id" } : { do: "fetch", id: object, as: "object" };
  if (known.owner !== undefined && !isSameId(known.owner, actor)) return drop("not_owner");
  if (isBy(object, actor)) return { do: "take", object: "as_sent" };
  // It may be true all the same: then its own origin says so.
  return id === undefined ? drop("not_owner") : { do: "fetch", id, as: "object" };
}

function ruleOnDelete(actor: string, object: Node | string, known: Known): Ruling {
  const id = idOf(object);
  if (id === undefined) return drop("no_object");
  const owner = known.owner ?? (isSameOrigin(id, known.origin) ? undefined : actor);
  if (owner !== undefined && isSameId(owner, actor) && isSameOrigin(id, actor)) return { do: "take", object: "by_id" };
  if (known.threadOwner !== undefined && isSameId(known.threadOwner, actor)) return { do: "take_out", object: id };
  return isSameOrigin(id, known.origin) ? drop("ours") : { do: "fetch", id, as: "gone" };
}

function ruleOnUndo(actor: string, object: Node | string, { owner, origin }: Known): Ruling {
  const id = idOf(object);
  const claimed = typeof object === "string" ? undefined : object.oneId("actor");
  const doer = owner ?? claimed ?? (id !== undefined && isSameOrigin(id, actor) ? actor : undefined);
  const foreign = id !== undefined && (isSameOrigin(id, origin) || !isSameOrigin(id, actor));
  return doer !== undefined && isSameId(doer, actor) && !foreign
    ? { do: "take", object: "as_sent" }
    : drop("not_owner");
}

/** Whoever asks for consent asks for what is their own: where only its id is said, that is looked at there. */
function ruleOnRequest({ actor, instruments: [act] }: Activity, object: Node | string, known: Known): Ruling {
  const id = idOf(act);
  if (act === undefined || id === undefined) return drop("no_object");
  if (!isSameOrigin(id, actor)) return drop("foreign_id");
  if (typeof act !== "string" && !isBy(act, actor)) return drop("not_owner");
  if (known.askingOwner !== undefined && !isSameId(known.askingOwner, actor)) return drop("not_owner");
  return idOf(object) === undefined ? drop("no_object") : { do: "take", object: "by_id" };
}

/** What we know of a target counts more than what is said of it. */
function ownsTarget({ actor, targets: [target] }: Activity, { targetOwner }: Known): boolean {
  const id = idOf(target);
  if (id === undefined || !isSameOrigin(id, actor)) return false;
  if (targetOwner !== undefined) return isSameId(targetOwner, actor);
  return (
    typeof target !== "string" &&
    target !== undefined &&
    target.ids("attributedTo").some((owner) => isSameId(owner, actor))
  );
}

/** Anybody may speak of anything; what is written out of somebody else's is only a hint (rule 4). */
function enclosed(actor: string, object: Node | string, { origin }: Known): Ruling {
  const id = idOf(object);
  if (typeof object !== "string" && (id === undefined || !isSameOrigin(id, origin)) && isBy(object, actor))
    return { do: "take", object: "as_sent" };
  return id === undefined ? drop("no_object") : { do: "take", object: "by_id" };
}

/**
 * Is what is written out this actor's, by all that it says: who it is, who did it, who wrote it? Of several writers the
 * first one is shown, so that one counts.
 */
function isBy(object: Node, actor: string): boolean {
  const { id } = object;
  if (id !== undefined && !isSameOrigin(id, actor)) return false;
  const said = object.has("inbox") ? [id] : [object.oneId("attributedTo"), object.oneId("actor")];
  const owners = said.filter((owner) => owner !== undefined);
  return owners.length > 0 && owners.every((owner) => isSameId(owner, actor));
}

function idOf(member: Node | string | undefined): string | undefined {
  return typeof member === "string" ? member : member?.id;
}

function drop(why: Why): Ruling {
  return { do: "drop", why };
}

/** Do key and owner name each other, at one origin (federation contract 8, 9)? */
export function isKeyOf(key: KeyText, actor: Actor): boolean {
  const named = [...actor.keys.map(({ id }) => id), ...actor.keyIds].some((id) => isSameId(id, key.id));
  return named && isSameOrigin(key.id, actor.id) && key.owner !== undefined && isSameId(key.owner, actor.id);
}
