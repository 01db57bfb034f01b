/** A day or a moment in UTC as an address carries it, in the stored form; undefined when it cannot be read. */
export function readDate(text: string): string | undefined {
  const [, day, clock = "00:00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?$/.exec(text) ?? [];
  if (!day) return undefined;
  return Number.isNaN(Date.parse(`${day}T${clock}Z`)) ? undefined : `${day} ${clock}`;
}
