/** One line on standard error about what takes time. */
export function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

/** Says how far long work is, at most once a second. */
export function counter(what: string, total: number): (done: number) => void {
  let last = performance.now();
  return (done) => {
    if (performance.now() - last < 1000 && done < total) return;
    last = performance.now();
    progress(`${what}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`);
  };
}
