/** The fields that have a value: what a request leaves out is absent for the domain, too. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<T>
  >;
}
