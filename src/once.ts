/** What is worked out when it is first asked for, and then the same for everybody who asks. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
