import { nobody } from "../../src/domain/identity/channels/observer.ts";

/** Somebody without an identity, at a site that is open to such people. */
export const anonymous = nobody({ blockPublic: false });
