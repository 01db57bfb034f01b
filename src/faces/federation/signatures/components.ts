import type { Fields, Received } from "./received.ts";

/** The value of a component that RFC 9421, section 2.2, derives from the request; undefined for one that is not supported. */
function derived(name: string, { method, target, base }: Received): string | undefined {
  const mark = target.indexOf("?");
  const { host, protocol, origin } = new URL(base);
  switch (name) {
    case "@method":
      return method;
    case "@target-uri":
      return origin + target;
    case "@authority":
      return host;
    case "@scheme":
      return protocol.slice(0, -1);
    case "@request-target":
      return target;
    case "@path":
      return mark < 0 ? target : target.slice(0, mark);
    case "@query":
      return mark < 0 ? "?" : target.slice(mark);
    default:
      return undefined;
  }
}

/** The value of a covered component; undefined where the request has none. */
export function componentOf(name: string, received: Received, fields: Fields): string | undefined {
  return name.startsWith("@") ? derived(name, received) : fields.get(name)?.[0];
}

/** Is so much of the request covered that nothing of weight can be exchanged (federation contract 8.2)? */
export function coverEnough(names: readonly string[], { method, target }: Received): boolean {
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.includes(name));
  const path = has("@path") && (!target.includes("?") || has("@query"));
  const address = has("@target-uri") || (has("@authority") && (path || has("@request-target")));
  const body = method === "GET" || method === "HEAD" || has("content-digest") || has("digest");
  return has("@method") && address && body;
}
