const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Waits until the operator or the system wants the process to end. Further signals change nothing: stopping has begun. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve());
  });
}
