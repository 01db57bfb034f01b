import type { Area } from "../../http/face.ts";
import { accountRows } from "./accounts/account.ts";
import { blockRows } from "./people/blocks.ts";
import { friendRows } from "./people/friends.ts";
import { friendshipRows } from "./people/friendships.ts";
import { listMemberRows } from "./lists/list-members.ts";
import { listRows } from "./lists/lists.ts";
import { activityRows } from "./statuses/activity.ts";
import { compatRows } from "./accounts/compat.ts";
import { conversationRows } from "./statuses/conversation.ts";
import { destroyMessageRows } from "./statuses/destroy-message.ts";
import { dislikeRows } from "./statuses/dislikes.ts";
import { eventRows } from "./events/events.ts";
import { favoriteRows } from "./statuses/favorites.ts";
import { listStatusRows } from "./lists/list-statuses.ts";
import { lookUpStatusRows } from "./statuses/look-up-statuses.ts";
import { retweetRows } from "./statuses/retweets.ts";
import { groupRows } from "./lists/groups.ts";
import { mediaRows } from "./media/media.ts";
import { messageExtensionRows } from "./messages/message-extensions.ts";
import { messageRows } from "./messages/messages.ts";
import { notificationRows } from "./statuses/notifications.ts";
import { oauthRows } from "./accounts/oauth.ts";
import { photoAlbumRows } from "./media/photo-albums.ts";
import { photoRows } from "./media/photos.ts";
import { profileImageRows } from "./accounts/profile-image.ts";
import { profileRows } from "./people/profiles.ts";
import { savedSearchRows } from "./statuses/saved-searches.ts";
import { searchRows } from "./statuses/search.ts";
import { sendMessageRows } from "./messages/send-message.ts";
import { statusRows } from "./statuses/statuses.ts";
import { timelineRows } from "./statuses/timelines.ts";
import { userRows } from "./people/users.ts";

/** The endpoints of the microblog-compatible API. */
export const areas: readonly Area[] = [
  { title: "Account", rows: [...accountRows, ...profileImageRows, ...profileRows] },
  { title: "Timelines", rows: [...timelineRows, ...conversationRows, ...favoriteRows] },
  { title: "Statuses", rows: [...statusRows, ...lookUpStatusRows, ...retweetRows, ...activityRows, ...dislikeRows] },
  { title: "Search", rows: [...searchRows, ...savedSearchRows] },
  { title: "People", rows: [...userRows, ...friendRows, ...friendshipRows, ...blockRows] },
  { title: "Lists and groups", rows: [...listRows, ...listStatusRows, ...listMemberRows, ...groupRows] },
  { title: "Media and photos", rows: [...mediaRows, ...photoRows, ...photoAlbumRows] },
  {
    title: "Messages",
    rows: [...messageRows, ...sendMessageRows, ...destroyMessageRows, ...messageExtensionRows],
  },
  { title: "Calendar", rows: eventRows },
  { title: "Notices", rows: notificationRows },
  { title: "The hub", rows: compatRows },
  { title: "Tokens", rows: oauthRows },
];
