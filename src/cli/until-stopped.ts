const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Waits until the operator or the system wants the process to end. Further signals change nothing: stopping has begun.
 * Call it once the tables are up to date. Until then a signal ends the process at once, as it should: a statement of a
 * migration can hold the event loop for minutes, and each migration happens as a whole or not at all.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve());
  });
}
