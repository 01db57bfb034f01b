import type { City } from "./simulate.ts";

const machine = { cores: 2, processes: 2 };

/** What docs/scaling.md speaks of: machines as the measured one, and PostgreSQL on one of them or on a larger one. */
export const kept: readonly City[] = [
  { ...machine, machines: 1, databaseCores: 0 },
  { ...machine, machines: 4, databaseCores: 2 },
  { ...machine, machines: 4, databaseCores: 8 },
  { ...machine, machines: 32, databaseCores: 8 },
  { ...machine, machines: 32, databaseCores: 64 },
];
