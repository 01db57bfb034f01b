import { mostBehind } from "../../storage/replica.ts";
import type { Replica } from "../../storage/replica.ts";
import { errorMessageOf } from "../error-message.ts";
import { ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

const advice =
  "Meanwhile everything is read from HUBBUB_DATABASE_URL. Check HUBBUB_DATABASE_REPLICA_URL and its replication.";

/** Does the replica repeat this database, if there is one, and how far is it behind? */
export async function findReplica(replica: Replica | undefined): Promise<Finding[]> {
  if (!replica) return [];
  try {
    return [await judge(replica)];
  } catch (error) {
    return [warning("replica", `is not used: ${errorMessageOf(error) ?? (error as Error).message}`, advice)];
  }
}

async function judge(replica: Replica): Promise<Finding> {
  return (await replica.measure()) <= mostBehind
    ? ok("replica", "less than a second behind")
    : warning("replica", "more than a second behind, so it is not used", advice);
}
