import type { Endpoint, Method } from "../endpoint.ts";

/** A call of an endpoint to copy into a shell, with the row's example; curl asks for the password. */
export function curlOf(row: Endpoint, path: string, method: Method, baseUrl: string): string {
  const { [row.pathId ?? ""]: last, ...others } = row.example ?? {};
  const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !inPath.includes(name)));
  const filled = path.replace(/:(\w+)/g, (_segment, name: string) => encodeURIComponent(others[name] ?? ""));
  const url = quoted(`${baseUrl}${filled}${last === undefined ? "" : `/${encodeURIComponent(last)}`}`);
  const credentials = row.givesToken
    ? ` -H ${quoted("Authorization: OAuth …")}`
    : row.access === "channel"
      ? " -u nick"
      : "";
  const parts = [`curl${credentials}${how(row, method, rest)} ${url}`, ...dataOf(row, rest)];
  return parts.join(" \\\n  ");
}

/** Data makes a POST of a call unless it is told otherwise. */
function how(row: Endpoint, method: Method, example: Record<string, string>): string {
  const hasData = dataOf(row, example).length > 0;
  if (method === "GET") return hasData ? " -G" : "";
  return method === "POST" && hasData ? "" : ` -X ${method}`;
}

function dataOf(row: Endpoint, example: Record<string, string>): string[] {
  const entries = Object.entries(example);
  if (row.alwaysJson) return [`--json ${quoted(example[row.jsonBody ?? ""] ?? "{}")}`];
  if (!row.base64) return entries.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  const [file = "media"] = row.files ?? [];
  const texts = entries
    .filter(([name]) => name !== "media_data")
    .map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`);
  return "media_data" in example ? [...texts, `-F ${quoted(`${file}=@picture.jpg`)}`] : texts;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
