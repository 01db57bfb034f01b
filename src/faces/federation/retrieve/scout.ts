import type { Scout } from "../../../domain/peers/scout.ts";

/** How this hub asks others; loaded when somebody is asked. */
export const scout: Scout = {
  askAs: async (...what) => (await import("./retrieve.ts")).askAs(...what),
  lookUp: async (...what) => (await import("./look-up.ts")).lookUp(...what),
  probe: async (...what) => (await import("./probe.ts")).probe(...what),
};
