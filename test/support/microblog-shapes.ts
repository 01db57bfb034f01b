import { z } from "zod";
import * as messages from "../../src/faces/microblog/objects/messages.ts";
import * as people from "../../src/faces/microblog/objects/people.ts";
import * as photos from "../../src/faces/microblog/objects/photos.ts";
import * as site from "../../src/faces/microblog/objects/site.ts";
import * as status from "../../src/faces/microblog/objects/status.ts";

/** The objects of microblog contract 7 as single calls answer them: with what is optional there, or not there. */

const aliasFields = {
  friendica_author: true,
  friendica_owner: true,
  friendica_private: true,
  friendica_activities: true,
  friendica_comments: true,
  friendica_title: true,
  friendica_html: true,
} as const;
const photoAliases = { friendica_activities: true, friendica_comments: true } as const;

export const userWithStatus = status.User;
export const userObject = status.User.omit({ status: true });
export const activitiesObject = status.Activities;
export const entitiesObject = status.Entities;
export const statusObject = status.Status.required(aliasFields);
export const plainStatusObject = status.Status.omit(aliasFields);
export const errorObject = site.Error.omit({ result: true, message: true });

export const plainMessageObject = messages.Message.omit({
  friendica_seen: true,
  friendica_parent_uri: true,
  entities: true,
}).required({ sender: true, recipient: true });
export const messageObject = messages.Message.omit({ entities: true }).required();
export const messageWithoutUsers = messageObject.omit({ sender: true, recipient: true });
export const messageWithEntities = messages.Message.required();
export const noteRecord = messages.Notice;

export const groupRecord = people.Group;
export const groupChange = people.GroupChange;
export const groupResult = people.GroupResult;
export const profileRecord = people.Profile;
export const profilesObject = people.Profiles;
export const listObject = people.List;
export const relationshipObject = people.Relationship;
export const knownConnections = z.array(people.Connections);
export const cursoredIds = people.UserIdPage.extend({ ids: z.array(z.int()) });
export const cursoredUsers = people.UserPage.extend({ users: z.array(userObject) });
export const cursoredUsersWithStatus = people.UserPage;
export const cursoredLists = people.ListPage;

const image = z.string();
const wholePhoto = photos.Photo.omit({ thumb: true, datasize: true, data: true }).required(photoAliases);
export const photoObject = wholePhoto.extend({ link: z.record(z.string(), image) });
export const photoWithData = photos.Photo.omit({ thumb: true })
  .required({ ...photoAliases, datasize: true, data: true })
  .extend({ link: z.record(z.string(), image) });
export const photoWithLinks = wholePhoto.extend({ link: z.array(image).min(1) });
export const albumPhoto = photos.Photo.omit({ link: true, datasize: true, data: true }).required({
  ...photoAliases,
  thumb: true,
});
export const photoEntry = photos.PhotoEntry;
export const mediaRecord = photos.Media.omit({ processing_info: true }).required({ image: true });
export const albumRecord = photos.Album;

export const savedSearch = site.SavedSearch;
export const rateLimitObject = site.RateLimit;
export const configObject = site.Config;
export const settingsObject = site.Settings;
export const applicationRates = site.RateLimits;
export const searchObject = site.SearchResult;
export const helpConfiguration = site.Configuration;
