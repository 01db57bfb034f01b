import { Parser } from "htmlparser2";

/** One page of the listing of a bucket; `next` is what the following one is asked for by. */
type Listing = { objects: { key: string; since: Date; size: number }[]; next: string | undefined };

/** Reads what a server answers to ListObjectsV2. */
export function readListing(xml: string): Listing {
  const { found, words } = read(xml, "Contents");
  const objects = found.map((of) => ({
    key: of["Key"] ?? "",
    since: new Date(of["LastModified"] ?? ""),
    size: Number(of["Size"]),
  }));
  return { objects, next: words["NextContinuationToken"] };
}

/** Reads what a server answers to ListMultipartUploads: its first page. */
export function readUploads(xml: string): { key: string; uploadId: string; since: Date }[] {
  return read(xml, "Upload").found.map((of) => ({
    key: of["Key"] ?? "",
    uploadId: of["UploadId"] ?? "",
    since: new Date(of["Initiated"] ?? ""),
  }));
}

type Words = Record<string, string>;

/** The elements of that name, as the words of what is in each, and the words outside of them. */
function read(xml: string, element: string): { found: Words[]; words: Words } {
  const found: Words[] = [];
  const outside: Words = {};
  let [inside, text] = [outside, ""];
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === element) found.push((inside = {}));
        text = "";
      },
      ontext: (more) => void (text += more),
      onclosetag(name) {
        if (name === element) inside = outside;
        else inside[name] = text;
        text = "";
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { found, words: outside };
}
