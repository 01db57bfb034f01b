/** What kind of failure it is; every face has one table from kind to status and body. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "denied"
  | "missing"
  | "conflict"
  | "too-large"
  | "unsupported"
  | "too-many"
  | "unavailable";

/** One reason to refuse something; `D` is what goes with it. */
export type Row<D extends object> = { readonly kind: ErrorKind; readonly field: string | undefined; readonly data?: D };

/** A row of the tables of refusals; `field` names the parameter that it is usually about. */
export function row<D extends object = object>(kind: ErrorKind, field?: string): Row<D> {
  return { kind, field };
}
