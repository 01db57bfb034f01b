/** The verbs of this area; each file has one of its ideas. */
export { listAbconfig, setAbconfig, setGrant } from "./abconfig.ts";
export { approve, connect, refuse, removeConnection } from "./connect.ts";
export { approvesByItself, grantsFor } from "./grants.ts";
export { countRequests, findConnection, findConnectionTo, listConnections, listPeople } from "./list.ts";
export type { ConnectionFilter, Person } from "./list.ts";
export { hashesOfPeople } from "./named-people.ts";
export { permissionBitsOf } from "./permission-sums.ts";
export type { Abconfig, Abook, Connection } from "./types.ts";
export { updateConnection } from "./update.ts";
export type { ConnectionChanges } from "./update.ts";
