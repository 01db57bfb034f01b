import { Parser } from "htmlparser2";

/** One page of the listing of a bucket; `next` is what the following one is asked for by. */
type Listing = { keys: { key: string; since: Date }[]; next: string | undefined };

/** Reads what a server answers to ListObjectsV2. */
export function readListing(xml: string): Listing {
  const keys: Listing["keys"] = [];
  let next: string | undefined;
  let [key, since, words] = ["", "", ""];
  const parser = new Parser(
    {
      onopentag: () => void (words = ""),
      ontext: (text) => void (words += text),
      onclosetag(name) {
        if (name === "Key") key = words;
        else if (name === "LastModified") since = words;
        else if (name === "NextContinuationToken") next = words;
        else if (name === "Contents") keys.push({ key, since: new Date(since) });
        words = "";
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { keys, next };
}
