import { filterActions, filterContexts } from "../../../domain/items/filters.ts";
import type { FilterAction, FilterContext } from "../../../domain/items/filters.ts";
import { momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { invalid } from "../parameters.ts";

/** How parameters of filters are read (mastodon contract 12.8 and 18). */

const longest = 5 * 365 * 24 * 3600;

/** Where a filter counts; undefined where nothing was said. Throws invalid for a place that there is not. */
export function contextsIn(names: readonly string[] | undefined): FilterContext[] | undefined {
  if (names === undefined) return undefined;
  const known = filterContexts.filter((context) => names.includes(context));
  if (names.some((name) => !known.some((one) => one === name))) throw invalid("Context is not included in the list");
  return known;
}

export function actionIn(name: string | undefined): FilterAction | undefined {
  if (name === undefined || name === "") return undefined;
  const known = filterActions.find((one) => one === name);
  if (!known) throw invalid("Filter action is not included in the list");
  return known;
}

/** When a filter ends that shall hold so many seconds; null for one without end, undefined where nothing was said. */
export function endIn(hub: Hub, seconds: string | undefined): string | null | undefined {
  if (seconds === undefined) return undefined;
  if (seconds === "" || seconds === "null") return null;
  if (!/^\d{1,10}$/.test(seconds) || Number(seconds) > longest) throw invalid("Expires in is not a number of seconds");
  return momentIn(hub, Number(seconds) * 1000);
}
