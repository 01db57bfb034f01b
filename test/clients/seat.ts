import { createECDH, randomBytes } from "node:crypto";

/** What a client for Mastodon is told, and what others do while it runs. */
export type Seat = {
  nick: string;
  url: string;
  picture: string;
  friend: string;
  friend_id: string;
  /** The post of the friend, by the id that the client sees. */
  friends_post: string;
  /** Says yes on the page at this address; answers the code. */
  agree: (address: string) => Promise<string>;
  /** The friend posts. */
  friendPosts: (body: string) => Promise<void>;
};

/** Where a device of a client wants to be told of things, as clients name it. */
export function newDevice(): { endpoint: string; keys: { p256dh: string; auth: string } } {
  const keys = createECDH("prime256v1");
  return {
    endpoint: "https://push.example/device",
    keys: { p256dh: keys.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") },
  };
}

/** In an hour. */
export function later(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

/** A token for programs that cannot log in themselves. */
export async function bearerOf({ url, agree }: Seat): Promise<string> {
  const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
  const scope = "read write follow push";
  const form = (path: string, fields: Record<string, string>) =>
    fetch(url + path, { method: "POST", body: new URLSearchParams(fields) }).then((answer) => answer.json());
  const asked = { client_name: "A script", redirect_uris: redirect_uri, scopes: scope };
  const { client_id, client_secret } = (await form("/api/v1/apps", asked)) as Record<string, string>;
  const question = { response_type: "code", client_id: client_id!, redirect_uri, scope };
  const code = await agree(`${url}/oauth/authorize?${new URLSearchParams(question).toString()}`);
  const proof = { client_id: client_id!, client_secret: client_secret!, redirect_uri };
  const token = await form("/oauth/token", { grant_type: "authorization_code", code, ...proof });
  return (token as { access_token: string }).access_token;
}
