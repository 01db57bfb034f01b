/** What one check of the doctor found; with a failure or a warning goes what to do about it. */
export type Finding = { check: string; state: "ok" | "warning" | "failed"; found: string; advice?: string };

/** All is well. */
export function ok(check: string, found: string): Finding {
  return { check, state: "ok", found };
}

/** The hub works, but somebody should look at it. */
export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: "warning", found, advice };
}

/** The hub will not work like this. */
export function failed(check: string, found: string, advice: string): Finding {
  return { check, state: "failed", found, advice };
}
