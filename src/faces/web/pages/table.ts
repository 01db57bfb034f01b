import type { Page } from "../page.ts";
import { adminPages } from "./admin.ts";
import { apiDocsPages } from "./api-docs.ts";
import { articlesPages } from "./articles.ts";
import { attachPages } from "./attach.ts";
import { authorizePages } from "./authorize.ts";
import { avatarPages } from "./avatar.ts";
import { blockedPages } from "./blocked.ts";
import { channelPages } from "./channel.ts";
import { chatPages } from "./chat.ts";
import { channelsPages } from "./channels.ts";
import { connectionsPages } from "./connections.ts";
import { cloudPages } from "./cloud.ts";
import { conneditPages } from "./connedit.ts";
import { directoryPages } from "./directory.ts";
import { displayPages } from "./display.ts";
import { feedPages } from "./feed.ts";
import { filePages } from "./file.ts";
import { eventPages } from "./event.ts";
import { eventsPages } from "./events.ts";
import { exportPages } from "./export.ts";
import { importPages } from "./import.ts";
import { followPages } from "./follow.ts";
import { frontPages } from "./front.ts";
import { groupPostsPages } from "./group-posts.ts";
import { groupPages } from "./groups.ts";
import { helpPages } from "./help.ts";
import { helpProgramPages } from "./help-programs.ts";
import { itemFolderPages } from "./item-folders.ts";
import { itemTagPages } from "./item-tags.ts";
import { itemPages } from "./item.ts";
import { itemVotePages } from "./item-vote.ts";
import { logInPages } from "./log-in.ts";
import { moderatePages } from "./moderate.ts";
import { mailPages } from "./mail.ts";
import { networkPages } from "./network.ts";
import { notificationPages } from "./notifications.ts";
import { photoPages } from "./photo.ts";
import { photosPages } from "./photos.ts";
import { photoImagePages } from "./photo-image.ts";
import { profilePages } from "./profile.ts";
import { registerPages } from "./register.ts";
import { robotsPages } from "./robots.ts";
import { searchPages } from "./search.ts";
import { settingsAccountPages } from "./settings-account.ts";
import { settingsChannelPages } from "./settings-channel.ts";
import { settingsGuestsPages } from "./settings-guests.ts";
import { settingsOauthPages } from "./settings-oauth.ts";
import { settingsPermissionSetsPages } from "./settings-permission-sets.ts";
import { settingsPermissionsPages } from "./settings-permissions.ts";
import { settingsPostsPages } from "./settings-posts.ts";
import { settingsProfilePages } from "./settings-profile.ts";
import { settingsProfilesPages } from "./settings-profiles.ts";
import { settingsPages } from "./settings.ts";
import { setupPages } from "./setup.ts";
import { viewConnectionsPages } from "./view-connections.ts";
import { menuPages } from "./menus.ts";
import { pagePages } from "./page.ts";
import { webpagesPages } from "./webpages.ts";
import { wikiPagePages } from "./wiki-page.ts";
import { wikiPages } from "./wikis.ts";

/** Every page of the hub. */
export const pages: readonly Page[] = [
  ...frontPages,
  ...setupPages,
  ...registerPages,
  ...logInPages,
  ...authorizePages,
  ...networkPages,
  ...displayPages,
  ...itemPages,
  ...itemFolderPages,
  ...itemTagPages,
  ...itemVotePages,
  ...moderatePages,
  ...channelPages,
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
  ...followPages,
  ...groupPages,
  ...groupPostsPages,
  ...mailPages,
  ...eventsPages,
  ...eventPages,
  ...notificationPages,
  ...settingsPages,
  ...settingsProfilePages,
  ...settingsProfilesPages,
  ...settingsChannelPages,
  ...settingsPostsPages,
  ...settingsPermissionsPages,
  ...settingsPermissionSetsPages,
  ...settingsGuestsPages,
  ...settingsOauthPages,
  ...settingsAccountPages,
  ...channelsPages,
  ...exportPages,
  ...importPages,
  ...adminPages,
  ...avatarPages,
  ...photoImagePages,
  ...attachPages,
  ...menuPages,
  ...pagePages,
  ...webpagesPages,
  ...wikiPagePages,
  ...wikiPages,
  ...articlesPages,
  ...chatPages,
  ...searchPages,
  ...directoryPages,
  ...helpPages,
  ...helpProgramPages,
  ...apiDocsPages,
  ...robotsPages,
];
