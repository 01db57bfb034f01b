import { setStorageQuota, storageQuota } from "../../../../domain/files/quota.ts";
import { changeSite, getSetting, getSettings, invitings } from "../../../../domain/identity/site/site-settings.ts";
import { postingLimits, postingSpans, setPostingLimits } from "../../../../domain/items/posting-limits.ts";
import type { PostingLimits } from "../../../../domain/items/posting-limits.ts";
import { mediaCopyRules } from "../../../../domain/identity/site/site-settings.ts";
import { mediaRules, setMediaRules } from "../../../../domain/proxy/usage.ts";
import type { MediaRules } from "../../../../domain/proxy/usage.ts";
import { setOnlySignedReads } from "../../../../domain/peers/signed-reads.ts";
import { redirect, show } from "../../answers.ts";
import { fault, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, MemberContext, Page } from "../../page.ts";
import { alert, box, radios, textField, token } from "../../parts/forms.ts";
import {
  invitingChoices,
  readSiteName,
  registrationChoices,
  registrationOf,
} from "../../parts/account/registration.ts";
import { adminHead } from "../../parts/site/admin-head.ts";

const path = "/admin/site";
const megabyte = 2 ** 20;
const most = 2 ** 30;

/** How the hub works; for administrators. */
export const adminSitePages: Page[] = [{ path, access: "administrator", get: (context) => page(context), post: save }];

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { say } = context;
  return tryForm(
    context,
    async () => {
      const name = readSiteName(context.say, typed.word("site_name"));
      const registration = registrationOf(context.say, typed.text("registration"));
      const who = invitings.find((one) => one === typed.text("invitations"));
      const quota = bytesOf(say, typed, "storage_quota");
      const limits = readPostingLimits(say, typed);
      const media = readMediaRules(say, typed);
      await changeSite(context.hub, {
        name,
        registration,
        blockPublic: typed.has("block_public"),
        hidesFigures: typed.has("hide_figures"),
        showsAdministrators: typed.has("show_administrators"),
        ...(who && { invitations: who }),
        invitedWait: typed.has("invited_wait"),
      });
      if (quota !== undefined) await setStorageQuota(context.hub, quota);
      await setPostingLimits(context.hub, limits);
      await setMediaRules(context.hub, media);
      await setOnlySignedReads(context.hub, typed.has("only_signed_reads"));
      return redirect(context, path, "saved");
    },
    (wrong) => page(context, typed, wrong),
  );
}

/** The bytes that were typed as megabytes; undefined when the form has no such field. */
function bytesOf(say: Say, typed: Fields, name: string): number | undefined {
  if (typed.word(name) === "") return undefined;
  const megabytes = typed.number(name);
  if (megabytes === undefined || megabytes > most) throw fault(name, say("admin.not-megabytes"));
  return megabytes * megabyte;
}

/** What the form has fields for. */
function readMediaRules(say: Say, typed: Fields): Partial<MediaRules> {
  const copies = mediaCopyRules.find((rule) => rule === typed.text("media_copies"));
  const all = bytesOf(say, typed, "media_budget");
  const host = bytesOf(say, typed, "media_host_budget");
  return {
    ...(copies && { mediaCopies: copies }),
    ...(all !== undefined && { mediaBudget: all }),
    ...(host !== undefined && { mediaHostBudget: host }),
  };
}

/** The limits that the form has fields for. */
function readPostingLimits(say: Say, typed: Fields): Partial<PostingLimits> {
  const limits: Partial<PostingLimits> = {};
  for (const span of postingSpans) {
    const name = `posts_per_${span}`;
    if (typed.word(name) === "") continue;
    const most = typed.number(name);
    if (most === undefined) throw fault(name, say("admin.not-posts"));
    limits[span] = most;
  }
  return limits;
}

async function page(context: MemberContext, typed?: Fields, wrong?: Fault): Promise<Response> {
  const { hub, site, say } = context;
  const [{ hidesFigures, showsAdministrators }, inviting, signedReads, quota, limits, media] = await Promise.all([
    getSettings(hub, ["hidesFigures", "showsAdministrators"]),
    getSettings(hub, ["invitations", "invitedWait"]),
    getSetting(hub, "onlySignedReads"),
    storageQuota(hub),
    postingLimits(hub),
    mediaRules(hub),
  ]);
  const main = html`${adminHead(context, say("admin.the-hub"))}
    <form class="card form-page" method="post" action="${path}">
      ${token(context)} ${alert(wrong)}
      ${textField(context, { label: say("admin.name-of-the-hub"), name: "site_name", value: typed?.text("site_name") ?? site.name, required: true, fault: wrong })}
      ${radios({ legend: say("admin.who-may-sign-up"), name: "registration", value: typed?.text("registration") ?? site.registration, choices: registrationChoices(context.say) })}
      ${radios({ legend: say("admin.who-may-invite-people"), name: "invitations", value: typed?.text("invitations") ?? inviting.invitations, choices: invitingChoices(context.say) })}
      ${box({ label: say("admin.invited-people-wait-for-approval-too"), name: "invited_wait", checked: typed ? typed.has("invited_wait") : inviting.invitedWait, hint: say("admin.otherwise-their-accounts-work-at-once-hint") })}
      ${box({ label: say("admin.members-only"), name: "block_public", checked: typed ? typed.has("block_public") : site.blockPublic, hint: say("admin.visitors-who-are-not-logged-in-hint") })}
      ${box({ label: say("admin.keep-figures-to-ourselves"), name: "hide_figures", checked: typed ? typed.has("hide_figures") : hidesFigures, hint: say("admin.other-servers-and-statistics-do-not-hint") })}
      ${box({ label: say("admin.show-who-runs"), name: "show_administrators", checked: typed ? typed.has("show_administrators") : showsAdministrators, hint: say("admin.show-who-runs-hint") })}
      ${box({ label: say("admin.other-servers-must-sign-what-they"), name: "only_signed_reads", checked: typed ? typed.has("only_signed_reads") : signedReads, hint: say("admin.blocked-servers-cannot-read-posts-without-hint") })}
      ${textField(context, { label: say("admin.storage-for-each-account-in-megabytes"), name: "storage_quota", type: "number", min: 0, value: typed?.text("storage_quota") ?? String(Math.ceil(quota / megabyte)), hint: say("admin.for-files-and-photos-including-old-hint"), fault: wrong })}
      <fieldset>
        <legend>${say("admin.how-many-posts-may-a-channel")}</legend>
        ${postingSpans.map((span) => textField(context, { label: say(`admin.posts-${span}`), name: `posts_per_${span}`, type: "number", min: 0, value: typed?.text(`posts_per_${span}`) ?? String(limits[span]), fault: wrong }))}
      </fieldset>
      ${radios({ legend: say("admin.when-are-pictures-of-other-sites"), name: "media_copies", value: typed?.text("media_copies") ?? media.mediaCopies, choices: mediaCopyRules.map((rule) => [rule, say(`admin.copies-${rule}`), say(`admin.copies-${rule}-hint`)] as const) })}
      ${megabytesField(context, say("admin.room-for-these-copies-in-megabytes"), "media_budget", media.mediaBudget, typed, wrong)}
      ${megabytesField(context, say("admin.room-for-copies-from-one-server"), "media_host_budget", media.mediaHostBudget, typed, wrong)}
      <p class="submit"><button class="button primary">${say("forms.save")}</button></p>
    </form>`;
  return show(context, { title: say("admin.the-hub"), main, status: wrong?.status ?? 200 });
}

function megabytesField(
  context: MemberContext,
  label: string,
  name: string,
  bytes: number,
  typed?: Fields,
  wrong?: Fault,
): Html {
  const value = typed?.text(name) ?? String(Math.ceil(bytes / megabyte));
  return textField(context, { label, name, type: "number", min: 0, value, fault: wrong });
}
