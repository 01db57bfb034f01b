import type { Endpoint, Method } from "../endpoint.ts";
import { methodsOf } from "../endpoint.ts";

/** Who may call an endpoint. */
export function accessTo(row: Endpoint): string {
  if (row.givesToken) return "signed by an application";
  if (row.provesApp) return "an application shows who it is";
  if (row.anyToken) return "needs a token of any kind";
  if (row.access === "public") return "no login needed";
  return row.ownPassword ? "needs the account's own password" : "needs a login";
}

/** What takes any method is shown with the two that clients use. */
export function shownMethods(row: Endpoint, alias: string): readonly Method[] {
  if ((row.methodsAs?.[alias] ?? row.methods) === "*") return ["GET", "POST"];
  return methodsOf(row, alias).filter((method) => method !== "HEAD");
}
