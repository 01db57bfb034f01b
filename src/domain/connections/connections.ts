/** The verbs of this area; each file has one of its ideas. */
export { listAbconfig, setAbconfig, setGrant } from "./abconfig.ts";
export { applyPermissionSet } from "./apply-set.ts";
export { assignProfile, withdrawProfile } from "./assign-profile.ts";
export { block, blockedAmong, unblock } from "./block.ts";
export { pageOfPeople, peopleByNick } from "./by-direction.ts";
export { connectionsByName } from "./by-name.ts";
export type { NamedConnection } from "./by-name.ts";
export type { KeyPage, KeyWindow, PeopleList } from "./by-direction.ts";
export { choosableAmong, choosableByAddress, listPeople, peopleWithoutProfile, unreachedPeople } from "./choosable.ts";
export { approve, connect, refuse, removeConnection, unfollow } from "./connect.ts";
export {
  blockHeard,
  followAsked,
  followHeard,
  receiveAccept,
  receiveFollow,
  receiveReject,
  receiveUndo,
} from "./follows.ts";
export type { FollowOutcome } from "./follows.ts";
export { receiveBlock, receiveUnblock } from "./shut-out.ts";
export { askAgain, undoAgain } from "./ask-again.ts";
export { hostBlockKinds, listHostBlocks, withBlockedHost } from "./blocked-hosts.ts";
export type { HostBlock, HostBlockKind } from "./blocked-hosts.ts";
export { blockHost, unblockHost } from "./host-blocks.ts";
export { choicesOf, usualChoices } from "./follow-choices.ts";
export type { FollowChoices } from "./follow-choices.ts";
export { dropFollower } from "./drop-follower.ts";
export { mute, unmute } from "./mute.ts";
export { longestNote, notesAbout, setNote } from "./notes.ts";
export { setOwnRules } from "./custom-grants.ts";
export { approvesByItself, grantsFor } from "./grants.ts";
export {
  changeGuest,
  createGuest,
  deleteGuest,
  findGuest,
  guestsAmong,
  importGuest,
  listGuestKeys,
  listGuests,
} from "./guests.ts";
export type { ChannelGuest } from "./guests.ts";
export {
  connectionsOf,
  countRequests,
  findConnection,
  findConnectionTo,
  hasConnections,
  howConnected,
  isConnection,
  listConnections,
} from "./list.ts";
export type { ConnectionFilter, HowConnected, ListedPerson, Person } from "./list.ts";
export { connectionIdsOf, hashesOfPeople } from "./named-people.ts";
export { permissionBitsOf } from "./permission-sums.ts";
export type { Abconfig, Abook, Connection } from "./types.ts";
export { noRelation, relationsWith } from "./relations.ts";
export type { Relation } from "./relations.ts";
export { updateConnection } from "./update.ts";
export type { ConnectionChanges } from "./update.ts";
