import type { Endpoint } from "../../http/endpoint.ts";
import type { EndpointPath } from "../../http/face.ts";

/** Families of names that clients of other servers use for ours. */
const families: Readonly<Record<string, readonly string[]>> = {
  svc: ["friendica"],
  compat: ["statusnet", "gnusocial"],
};

/** Every path of an endpoint: plain and below `1.1`, under its own name and all others. */
export function pathsOf(row: Endpoint): EndpointPath[] {
  return [row.path, ...(row.aliases ?? [])].flatMap(spellings).flatMap(({ name, alias }) =>
    name.startsWith("/")
      ? [{ path: name, alias, version11: false }]
      : [
          { path: `/api/${name}`, alias, version11: false },
          { path: `/api/1.1/${name}`, alias, version11: true },
        ],
  );
}

/** The name in its own family and in those that mean the same; `alias` is the family. */
function spellings(name: string): { name: string; alias: string }[] {
  const [family = "", ...rest] = name.split("/");
  const others = families[family];
  if (others) return [family, ...others].map((alias) => ({ name: [alias, ...rest].join("/"), alias }));
  // A row may name a family of others alone, such as `friendica/circle_show`.
  return [{ name, alias: Object.values(families).flat().includes(family) ? family : "" }];
}
