import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type State = {
  /** So far is the clock of the hub ahead. */
  seconds: number;
  /** Does it find the addresses of names? */
  names: boolean;
};

/** What the processes of a hub take for the time and for the addresses of names (conditions.cjs). */
export type Conditions = { env: Record<string, string>; set(change: Partial<State>): void };

export function openConditions(folder: string): Conditions {
  const file = join(folder, "conditions.json");
  let state: State = { seconds: 0, names: true };
  const set = (change: Partial<State>): void => {
    state = { ...state, ...change };
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  set({});
  const program = join(import.meta.dirname, "conditions.cjs");
  return { env: { NODE_OPTIONS: `--require ${program}`, HUBBUB_DRILL_CONDITIONS: file }, set };
}
