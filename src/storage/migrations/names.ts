import { readdirSync } from "node:fs";

/**
 * The names of all steps, which are those of the files here; whoever only compares them need not load the steps. They are read when
 * the program starts: a newer one may be put in its place while it runs.
 */
export const stepNames: readonly string[] = readdirSync(import.meta.dirname).flatMap(
  (file) => /^(\d{4}-[a-z0-9-]+)\.[jt]s$/.exec(file)?.[1] ?? [],
);
