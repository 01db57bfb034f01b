/** A value that the hub itself has stored as JSON, in the form in which it stores it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only whoever has stored it knows what it is
export function storedJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
