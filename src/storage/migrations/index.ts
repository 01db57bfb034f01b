import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../engine.ts";
import { up as first } from "./0001-first.ts";
import { up as filesEventsMail } from "./0002-files-events-mail.ts";
import { up as clientsSearch } from "./0003-clients-search.ts";
import { up as movesMarks } from "./0004-moves-and-marks.ts";
import { up as oneHouse } from "./0005-one-house.ts";
import { up as noticesAsData } from "./0006-notices-as-data.ts";
import { up as federation } from "./0007-federation.ts";
import { up as peopleOfElsewhere } from "./0008-people-of-elsewhere.ts";
import { up as deletedIds } from "./0009-deleted-ids.ts";
import { up as follows } from "./0010-follows.ts";
import { up as delivery } from "./0011-delivery.ts";
import { up as sentTo } from "./0012-sent-to.ts";
import { up as received } from "./0013-received.ts";
import { up as blocks } from "./0014-blocks.ts";
import { up as proxy } from "./0015-proxy.ts";
import { up as reports } from "./0016-reports.ts";
import { up as mailsById } from "./0017-mails-by-id.ts";
import { up as approvals } from "./0019-approvals.ts";
import { up as threads } from "./0020-threads.ts";
import { up as softwareOfHosts } from "./0021-software-of-hosts.ts";
import { up as transportKeys } from "./0022-transport-keys.ts";
import { up as wordFilters } from "./0024-word-filters.ts";
import { up as listImports } from "./0025-list-imports.ts";
import { up as live } from "./0027-live.ts";
import { up as composer } from "./0028-composer.ts";
import { up as reading } from "./0029-reading.ts";
import { up as mastodon } from "./0030-mastodon.ts";
import { up as approvalsOfAllKinds } from "./0031-approvals-of-all-kinds.ts";
import { up as peers } from "./0032-peers.ts";
import { up as account } from "./0034-account.ts";
import { up as notices } from "./0035-notices.ts";
import { up as noticesById } from "./0040-notices-by-id.ts";
import { up as keptCopies } from "./0041-kept-copies.ts";
import { up as people } from "./0043-people.ts";
import { up as conversations } from "./0045-conversations.ts";
import { up as filters } from "./0046-filters.ts";
import { up as emojiOfNames } from "./0047-emoji-of-names.ts";
import { up as moderation } from "./0049-moderation.ts";
import { up as followedTags } from "./0053-followed-tags.ts";
import { up as arriving } from "./0054-arriving.ts";
import { up as messageFiles } from "./0055-message-files.ts";
import { up as noticePolicy } from "./0056-notice-policy.ts";
import { up as community } from "./0057-community.ts";
import { up as identities } from "./0059-identities.ts";
import { up as languages } from "./0060-languages.ts";
import { up as followChoices } from "./0061-follow-choices.ts";
import { up as announcements } from "./0062-announcements.ts";
import { up as figures } from "./0063-figures.ts";
import { up as marksByMessage } from "./0066-marks-by-message.ts";
import { up as reportsTold } from "./0067-reports-told.ts";
import { up as lastPosts } from "./0068-last-posts.ts";
import { up as pushInBrowsers } from "./0069-push-in-browsers.ts";
import { up as unreadThreads } from "./0070-unread-threads.ts";
import { up as sentFollows } from "./0071-sent-follows.ts";
import { up as digests } from "./0072-digests.ts";
import { up as blockLists } from "./0073-block-lists.ts";
import { up as tallies } from "./0074-tallies.ts";
import { up as fetchBudgets } from "./0075-fetch-budgets.ts";
import { up as firstContacts } from "./0076-first-contacts.ts";
import { up as pageLook } from "./0078-page-look.ts";
import { up as searchPlans } from "./0085-search-plans.ts";
import { up as webhooks } from "./0093-webhooks.ts";
import { up as archivePlaces } from "./0096-archive-places.ts";
import { up as contractions } from "./0099-contractions.ts";
import { up as forwarded } from "./0100-forwarded.ts";
import { up as restingJobs } from "./0103-resting-jobs.ts";
import { up as longSteps } from "./0104-long-steps.ts";
import { up as postedSketches } from "./0105-posted-sketches.ts";
import { up as followersAnswer } from "./0106-followers-answer.ts";
import { up as webhookSecrets } from "./0107-webhook-secrets.ts";
import { up as shownSettings } from "./0108-shown-settings.ts";
import { up as formerPlaces } from "./0109-former-places.ts";
import { up as granted } from "./0110-granted.ts";
import { up as screens } from "./0111-screens.ts";
import { up as homeChoices } from "./0112-home-choices.ts";
import { up as linesByAuthor } from "./0113-lines-by-author.ts";
import { up as knownElsewhere } from "./0114-known-elsewhere.ts";
import { up as searchPlannedOnce } from "./0115-search-planned-once.ts";
import { up as keptTexts } from "./0116-kept-texts.ts";
import { up as endsOfBefore } from "./0117-ends-of-before.ts";
import { up as pausedPlaces } from "./0120-paused-places.ts";
import { up as readBySeveral } from "./0122-read-by-several.ts";
import { up as formerPolls } from "./0126-former-polls.ts";
import { up as blocksById } from "./0128-blocks-by-id.ts";
import { up as describedFiles } from "./0131-described-files.ts";
import { up as pureShares } from "./0139-pure-shares.ts";
import { up as searchOfJoined } from "./0141-search-of-joined.ts";

/** Forward-only steps, in the order of their names. A step that has been released never changes. */
const steps: Record<string, (db: Kysely<unknown>, engine: Engine) => Promise<void>> = {
  "0001-first": first,
  "0002-files-events-mail": filesEventsMail,
  "0003-clients-search": clientsSearch,
  "0004-moves-and-marks": movesMarks,
  "0005-one-house": oneHouse,
  "0006-notices-as-data": noticesAsData,
  "0007-federation": federation,
  "0008-people-of-elsewhere": peopleOfElsewhere,
  "0009-deleted-ids": deletedIds,
  "0010-follows": follows,
  "0011-delivery": delivery,
  "0012-sent-to": sentTo,
  "0013-received": received,
  "0014-blocks": blocks,
  "0015-proxy": proxy,
  "0016-reports": reports,
  "0017-mails-by-id": mailsById,
  "0019-approvals": approvals,
  "0020-threads": threads,
  "0021-software-of-hosts": softwareOfHosts,
  "0022-transport-keys": transportKeys,
  "0024-word-filters": wordFilters,
  "0025-list-imports": listImports,
  "0027-live": live,
  "0028-composer": composer,
  "0029-reading": reading,
  "0030-mastodon": mastodon,
  "0031-approvals-of-all-kinds": approvalsOfAllKinds,
  "0032-peers": peers,
  "0034-account": account,
  "0035-notices": notices,
  "0040-notices-by-id": noticesById,
  "0041-kept-copies": keptCopies,
  "0043-people": people,
  "0045-conversations": conversations,
  "0046-filters": filters,
  "0047-emoji-of-names": emojiOfNames,
  "0049-moderation": moderation,
  "0053-followed-tags": followedTags,
  "0054-arriving": arriving,
  "0055-message-files": messageFiles,
  "0056-notice-policy": noticePolicy,
  "0057-community": community,
  "0059-identities": identities,
  "0060-languages": languages,
  "0061-follow-choices": followChoices,
  "0062-announcements": announcements,
  "0063-figures": figures,
  "0066-marks-by-message": marksByMessage,
  "0067-reports-told": reportsTold,
  "0068-last-posts": lastPosts,
  "0069-push-in-browsers": pushInBrowsers,
  "0070-unread-threads": unreadThreads,
  "0071-sent-follows": sentFollows,
  "0072-digests": digests,
  "0073-block-lists": blockLists,
  "0074-tallies": tallies,
  "0075-fetch-budgets": fetchBudgets,
  "0076-first-contacts": firstContacts,
  "0078-page-look": pageLook,
  "0085-search-plans": searchPlans,
  "0093-webhooks": webhooks,
  "0096-archive-places": archivePlaces,
  "0099-contractions": contractions,
  "0100-forwarded": forwarded,
  "0103-resting-jobs": restingJobs,
  "0104-long-steps": longSteps,
  "0105-posted-sketches": postedSketches,
  "0106-followers-answer": followersAnswer,
  "0107-webhook-secrets": webhookSecrets,
  "0108-shown-settings": shownSettings,
  "0109-former-places": formerPlaces,
  "0110-granted": granted,
  "0111-screens": screens,
  "0112-home-choices": homeChoices,
  "0113-lines-by-author": linesByAuthor,
  "0114-known-elsewhere": knownElsewhere,
  "0115-search-planned-once": searchPlannedOnce,
  "0116-kept-texts": keptTexts,
  "0117-ends-of-before": endsOfBefore,
  "0120-paused-places": pausedPlaces,
  "0122-read-by-several": readBySeveral,
  "0126-former-polls": formerPolls,
  "0128-blocks-by-id": blocksById,
  "0131-described-files": describedFiles,
  "0139-pure-shares": pureShares,
  "0141-search-of-joined": searchOfJoined,
};

/**
 * Steps since 0099 that take away or change what programs of the version before use. All others only add, so that both serve side by
 * side; what is no longer used is taken away by the version after (decision 113).
 */
export const contracting = Object.freeze<string[]>([]);

/** The steps in the form that Kysely's migrator takes. */
export function migrationsFor(engine: Engine): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, up]) => [name, { up: (db: Kysely<unknown>) => take(name, up, db, engine) }]),
  );
}

/** A step takes as long as it takes, however soon other statements end. */
async function take(name: string, up: (typeof steps)[string], db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === "postgres") await sql`set local statement_timeout = 0`.execute(db);
  await up(db, engine);
  if (contracting.includes(name)) await sql`insert into contraction (step) values (${name})`.execute(db);
}
