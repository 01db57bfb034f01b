import type { Hub } from "../../../hub.ts";

/** The hub, whose requests to each origin are counted, whatever they are for. */
export function counting(hub: Hub, asked: Map<string, number>): Hub {
  return {
    ...hub,
    fetch(url, options) {
      const { origin } = new URL(url);
      asked.set(origin, (asked.get(origin) ?? 0) + 1);
      return hub.fetch(url, options);
    },
  };
}
