import type { Page } from "../page.ts";
import { adminBlockListsPages } from "./site/admin-block-lists.ts";
import { adminBlocksPages } from "./site/admin-blocks.ts";
import { adminHostsPages } from "./site/admin-hosts.ts";
import { adminProbePages } from "./site/admin-probe.ts";
import { adminQueuesPages } from "./site/admin-queues.ts";
import { adminPages } from "./site/admin.ts";
import { adminAccountsPages } from "./site/admin-accounts.ts";
import { adminJobsPages } from "./site/admin-jobs.ts";
import { aboutPages } from "./site/about.ts";
import { adminLookPages } from "./site/admin-look.ts";
import { lookPages } from "./site/site-look.ts";
import { adminFiguresPages } from "./site/admin-figures.ts";
import { adminInvitationsPages } from "./site/admin-invitations.ts";
import { adminMediaPages } from "./site/admin-media.ts";
import { adminSitePages } from "./site/admin-site.ts";
import { adminTextsPages } from "./site/admin-texts.ts";
import { apiDocsPages } from "./site/api-docs.ts";
import { articlesPages } from "./items/articles.ts";
import { attachPages } from "./files/attach.ts";
import { authorizePages } from "./account/authorize.ts";
import { nativeCodePage } from "./account/authorize-with-code.ts";
import { avatarPages } from "./channels/avatar.ts";
import { mutedPages } from "./connections/muted.ts";
import { blockedHostsPages } from "./connections/blocked-hosts.ts";
import { blockedPages } from "./connections/blocked.ts";
import { channelPages } from "./channels/channel.ts";
import { channelsPages } from "./channels/channels.ts";
import { connectionsPages } from "./connections/connections.ts";
import { cloudPages } from "./files/cloud.ts";
import { conneditPages } from "./connections/connedit.ts";
import { directoryPages } from "./connections/directory.ts";
import { displayPages } from "./items/display.ts";
import { draftsPages } from "./items/drafts.ts";
import { scheduledPages } from "./items/scheduled.ts";
import { suggestionsPages } from "./items/suggestions.ts";
import { peopleToChoosePages } from "./connections/people-to-choose.ts";
import { uploadsPages } from "./items/uploads.ts";
import { feedPages } from "./items/feed.ts";
import { filePages } from "./files/file.ts";
import { eventPages } from "./events/event.ts";
import { calendarFilePages } from "./events/calendar-files.ts";
import { eventsPages } from "./events/events.ts";
import { subscribePages } from "./events/subscribe.ts";
import { exportPages } from "./moving/export.ts";
import { importPages } from "./moving/import.ts";
import { followPages } from "./connections/follow.ts";
import { frontPages } from "./site/front.ts";
import { groupPostsPages } from "./connections/group-posts.ts";
import { groupPages } from "./connections/groups.ts";
import { helpPages } from "./site/help.ts";
import { helpCommunityPages } from "./site/help-community.ts";
import { helpProgramPages } from "./site/help-programs.ts";
import { sourcePages } from "./site/source.ts";
import { itemDeliveriesPages } from "./items/item-deliveries.ts";
import { itemHistoryPages } from "./items/item-history.ts";
import { itemQuotationsPages } from "./items/item-quotations.ts";
import { itemFolderPages } from "./items/item-folders.ts";
import { itemEditPages } from "./items/item-edit.ts";
import { itemReactPages } from "./items/item-react.ts";
import { itemTagPages } from "./items/item-tags.ts";
import { itemPages } from "./items/item.ts";
import { itemVotePages } from "./items/item-vote.ts";
import { livePages } from "./site/live.ts";
import { forgottenPages } from "./account/forgotten.ts";
import { logInPages } from "./account/log-in.ts";
import { moderatePages } from "./items/moderate.ts";
import { talkPages } from "./messages/talk.ts";
import { mailPages } from "./messages/mail.ts";
import { localPages } from "./items/local.ts";
import { networkPages } from "./items/network.ts";
import { filteredNoticesPages } from "./items/filtered-notices.ts";
import { notificationPages } from "./items/notifications.ts";
import { personPages } from "./channels/person.ts";
import { photoPages } from "./files/photo.ts";
import { photosPages } from "./files/photos.ts";
import { photoImagePages } from "./files/photo-image.ts";
import { profilePages } from "./channels/profile.ts";
import { chatroomPages } from "./chat/room.ts";
import { chatroomsPages } from "./chat/rooms.ts";
import { proxyPages } from "./files/proxy.ts";
import { invitedPages } from "./account/invited.ts";
import { registerPages } from "./account/register.ts";
import { welcomePages } from "./account/welcome.ts";
import { reportPages } from "./site/report.ts";
import { reportsPages } from "./site/reports.ts";
import { adminAnnouncementsPages } from "./site/admin-announcements.ts";
import { dismissAnnouncementPages } from "./site/dismiss-announcement.ts";
import { appPages } from "./site/app.ts";
import { robotsPages } from "./site/robots.ts";
import { searchPages } from "./items/search.ts";
import { settingsArchivesPages } from "./settings/archives.ts";
import { settingsAccountPages } from "./settings/account.ts";
import { settingsChannelPages } from "./settings/channel.ts";
import { settingsGuestsPages } from "./settings/guests.ts";
import { settingsMovePages } from "./settings/move.ts";
import { settingsOauthPages } from "./settings/applications.ts";
import { settingsPermissionSetsPages } from "./settings/permission-sets.ts";
import { settingsPermissionsPages } from "./settings/permissions.ts";
import { settingsImportListsPages } from "./settings/import-lists.ts";
import { unsubscribePages } from "./account/unsubscribe.ts";
import { settingsNoticesPages } from "./settings/notices.ts";
import { settingsFiltersPages } from "./settings/filters.ts";
import { settingsAddressPages } from "./settings/address.ts";
import { settingsDeletePages } from "./settings/delete-account.ts";
import { settingsRemoveChannelPages } from "./settings/remove-channel.ts";
import { settingsPasskeysPages } from "./settings/passkeys.ts";
import { settingsScriptTokenPages } from "./settings/script-token.ts";
import { settingsSecondFactorPages } from "./settings/second-factor.ts";
import { settingsInvitationsPages } from "./settings/invitations.ts";
import { settingsLookPages } from "./settings/page-look.ts";
import { settingsTagsPages } from "./settings/tags.ts";
import { settingsPostsPages } from "./settings/posts.ts";
import { settingsProfilePages } from "./settings/profile.ts";
import { settingsProfilesPages } from "./settings/profiles.ts";
import { settingsWarningsPages } from "./settings/warnings.ts";
import { settingsWebhooksPages } from "./settings/webhooks.ts";
import { settingsPages } from "./settings/overview.ts";
import { setupPages } from "./site/setup.ts";
import { viewConnectionsPages } from "./connections/view-connections.ts";
import { menuPages } from "./pages/menus.ts";
import { pagePages } from "./pages/page.ts";
import { webpagesPages } from "./pages/webpages.ts";
import { wikiPagePages } from "./pages/wiki-page.ts";
import { wikiPages } from "./pages/wikis.ts";

/** Every page of the hub. */
export const pages: readonly Page[] = [
  ...frontPages,
  ...setupPages,
  ...registerPages,
  ...invitedPages,
  ...welcomePages,
  ...logInPages,
  ...forgottenPages,
  ...authorizePages,
  nativeCodePage,
  ...networkPages,
  ...draftsPages,
  ...scheduledPages,
  ...suggestionsPages,
  ...peopleToChoosePages,
  ...uploadsPages,
  ...displayPages,
  ...itemPages,
  ...itemDeliveriesPages,
  ...itemHistoryPages,
  ...itemQuotationsPages,
  ...itemFolderPages,
  ...itemEditPages,
  ...itemReactPages,
  ...itemTagPages,
  ...itemVotePages,
  ...moderatePages,
  ...channelPages,
  ...personPages,
  ...feedPages,
  ...profilePages,
  ...viewConnectionsPages,
  ...cloudPages,
  ...filePages,
  ...photosPages,
  ...photoPages,
  ...connectionsPages,
  ...conneditPages,
  ...blockedPages,
  ...blockedHostsPages,
  ...mutedPages,
  ...followPages,
  ...groupPages,
  ...groupPostsPages,
  ...talkPages,
  ...mailPages,
  ...eventsPages,
  ...calendarFilePages,
  ...subscribePages,
  ...eventPages,
  ...notificationPages,
  ...filteredNoticesPages,
  ...settingsPages,
  ...settingsProfilePages,
  ...settingsProfilesPages,
  ...settingsChannelPages,
  ...settingsPostsPages,
  ...localPages,
  ...settingsFiltersPages,
  ...settingsTagsPages,
  ...settingsInvitationsPages,
  ...settingsLookPages,
  ...settingsNoticesPages,
  ...unsubscribePages,
  ...settingsPermissionsPages,
  ...settingsPermissionSetsPages,
  ...settingsGuestsPages,
  ...settingsOauthPages,
  ...settingsScriptTokenPages,
  ...settingsWebhooksPages,
  ...settingsAccountPages,
  ...settingsArchivesPages,
  ...settingsSecondFactorPages,
  ...settingsPasskeysPages,
  ...settingsAddressPages,
  ...settingsDeletePages,
  ...settingsRemoveChannelPages,
  ...settingsWarningsPages,
  ...settingsMovePages,
  ...settingsImportListsPages,
  ...channelsPages,
  ...exportPages,
  ...importPages,
  ...adminPages,
  ...adminSitePages,
  ...adminLookPages,
  ...adminInvitationsPages,
  ...adminMediaPages,
  ...adminFiguresPages,
  ...adminAccountsPages,
  ...adminJobsPages,
  ...adminTextsPages,
  ...adminHostsPages,
  ...adminProbePages,
  ...adminQueuesPages,
  ...adminBlocksPages,
  ...adminBlockListsPages,
  ...reportPages,
  ...reportsPages,
  ...avatarPages,
  ...photoImagePages,
  ...proxyPages,
  ...attachPages,
  ...menuPages,
  ...pagePages,
  ...webpagesPages,
  ...wikiPagePages,
  ...wikiPages,
  ...articlesPages,
  ...chatroomPages,
  ...chatroomsPages,
  ...searchPages,
  ...directoryPages,
  ...helpPages,
  ...helpCommunityPages,
  ...helpProgramPages,
  ...sourcePages,
  ...apiDocsPages,
  ...aboutPages,
  ...lookPages,
  ...robotsPages,
  ...appPages,
  ...adminAnnouncementsPages,
  ...dismissAnnouncementPages,
  ...livePages,
];
