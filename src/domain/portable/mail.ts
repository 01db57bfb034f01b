import { parseList } from "../identity/records/access-list.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import type { Conversation, Mail } from "../messages/types.ts";
import { shortXchan } from "./xchan.ts";
import { storedJson } from "../../stored-json.ts";

/** The portable mail; `people` are the identities of all whom it names by hash. */
export function portableMail(mail: Mail, people: ReadonlyMap<string, Xchan>): object {
  const recalled = mail.mail_recalled === 1;
  return {
    type: "mail",
    encoding: "zot",
    message_id: mail.mid,
    message_parent: mail.parent_mid,
    created: mail.created,
    expires: mail.expires,
    title: recalled ? "" : mail.title,
    body: recalled ? "" : mail.body,
    from: side(mail.from_xchan, people),
    to: side(mail.to_xchan, people),
    ...(mail.also_to !== "" && { also_to: parseList(mail.also_to).map((hash) => side(hash, people)) }),
    ...(mail.attach !== "" && { attach: storedJson<unknown>(mail.attach) }),
    flags: flagsOf(mail),
    conv_guid: mail.conv_guid,
    ...(mail.fed_meta !== "" && { fed_meta: mail.fed_meta }),
  };
}

/** The conversation record. */
export function convRecord(conv: Conversation): Record<string, string> {
  return {
    id: String(conv.id),
    uid: String(conv.uid),
    guid: conv.guid,
    recips: conv.recips,
    creator: conv.creator,
    created: conv.created,
    updated: conv.updated,
    subject: conv.subject,
  };
}

/** Somebody whom this hub has forgotten is still named by the hash. */
function side(hash: string, people: ReadonlyMap<string, Xchan>): object {
  const xchan = people.get(hash);
  return xchan ? shortXchan(xchan) : { hash };
}

function flagsOf(mail: Mail): string[] {
  const flags: string[] = [];
  if (mail.mail_recalled === 1) flags.push("recalled");
  if (mail.mail_deleted === 1) flags.push("deleted");
  if (mail.mail_replied === 1) flags.push("replied");
  if (mail.mail_isreply === 1) flags.push("isreply");
  if (mail.mail_seen === 1) flags.push("seen");
  return flags;
}
