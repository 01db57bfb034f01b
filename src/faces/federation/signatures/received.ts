/** A request as it came, as far as signatures are concerned. */
export type Received = {
  method: string;
  /** Path and query exactly as they were sent. */
  target: string;
  /** Names and values by turns, as Node has them: what comes twice is there twice. */
  rawHeaders: readonly string[];
  /** The host that was asked for: the header `Host`, or what the operator's own proxy hands on. */
  host: string;
  /** The hub's own address, without a path. */
  base: string;
  /** The bytes as they were sent. */
  body: Uint8Array;
};

/** The values of each header, by its name in small letters. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export function fieldsOf({ rawHeaders }: Received): Fields {
  const fields = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    const value = rawHeaders[at + 1]!.trim();
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/** Is one of these headers there twice? */
export function isDoubled(fields: Fields, names: Iterable<string>): boolean {
  for (const name of names) if ((fields.get(name)?.length ?? 0) > 1) return true;
  return false;
}

/** Is it this hub that was asked? The usual port may be named. */
export function isOwnHost({ host, base }: Received): boolean {
  const { protocol, host: own } = new URL(base);
  return host.toLowerCase().replace(protocol === "https:" ? /:443$/ : /:80$/, "") === own;
}

/** How the host may have been signed: as it was asked for, or, where a proxy has written it otherwise, as the hub's own. */
export function hostsOf(received: Received): string[] {
  const { host } = received;
  return isOwnHost(received) ? [...new Set([host, new URL(received.base).host])] : [host];
}

/** The bytes of a text that is made of headers: Node reads each byte of those as one character. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** The bytes behind base64 in its one right form; undefined for any other text. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}
