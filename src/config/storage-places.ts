import { resolve } from "node:path";

/** Where blobs live, as the settings say it. */
export type BlobsPlace = Readonly<{ kind: "directory" }> | S3Place;

/** Where backups are kept. */
export type BackupsPlace = Readonly<{ kind: "folder"; folder: string }> | S3Place;

export type S3Place = Readonly<{
  kind: "s3";
  bucket: string;
  /** What all names in the bucket begin with: empty, or with a slash at its end. */
  prefix: string;
  endpoint: string;
  region: string;
  /** Where the bucket stands in addresses: in the path, or before the host. */
  style: "path" | "host";
  /** The keys, or the file that holds them as `KEY:SECRET`. */
  keys: Readonly<{ id: string; secret: string } | { file: string }>;
}>;

const options = ["endpoint", "region", "style", "keys"];

/** `directory`, or an address on S3; undefined for anything else. */
export function readBlobsPlace(text: string): BlobsPlace | undefined {
  return text === "directory" ? { kind: "directory" } : readS3Place(text);
}

/** A folder, or an address on S3; undefined for one that cannot be read. */
export function readBackupsPlace(text: string): BackupsPlace | undefined {
  return text.startsWith("s3:") ? readS3Place(text) : { kind: "folder", folder: resolve(text) };
}

/** `s3://KEY:SECRET@BUCKET/PREFIX?endpoint=URL&region=REGION&style=path|host&keys=FILE`; undefined for anything else. */
export function readS3Place(text: string): S3Place | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:" || url.hostname === "" || url.port !== "" || url.hash !== "") return undefined;
  const given = Object.fromEntries(url.searchParams);
  if (Object.keys(given).some((name) => !options.includes(name))) return undefined;
  const { region = "us-east-1", endpoint = `https://s3.${region}.amazonaws.com`, style = "path", keys: file } = given;
  const server = URL.parse(endpoint);
  if (!server || !/^https?:$/.test(server.protocol) || server.pathname !== "/" || server.search !== "")
    return undefined;
  if (style !== "path" && style !== "host") return undefined;
  const named = url.username !== "" && url.password !== "";
  if (named === (file !== undefined && file !== "")) return undefined;
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  return Object.freeze({
    kind: "s3",
    bucket: url.hostname,
    prefix: path === "" ? "" : `${path}/`,
    endpoint: server.origin,
    region,
    style,
    keys: named ? { id: decodeURIComponent(url.username), secret: decodeURIComponent(url.password) } : { file: file! },
  });
}
