import { once } from "node:events";
import { createInterface } from "node:readline";
import { TwitterApi } from "twitter-api-v2";
import type { ITwitterApiClientPlugin } from "twitter-api-v2";

/** What a person does with a client built on Node's twitter-api-v2; prints one JSON object for test/clients/clients.test.ts. */

const place = JSON.parse(process.env["HUBBUB_CLIENT"]!) as Record<
  "key" | "secret" | "host" | "picture" | "friend",
  string
> & {
  friends_post: number;
};

/** The library knows one server; what it sends there goes to the hub. */
const toHub: ITwitterApiClientPlugin = {
  onBeforeRequestConfig({ url, params }) {
    const isOAuth = url.pathname.startsWith("/oauth/");
    params.url = `https://${place.host}${isOAuth ? "" : "/api"}${url.pathname}`;
    // By the server's name it would know these itself.
    if (isOAuth) params.forceParseMode = "url";
    if (url.pathname.endsWith("/media/upload.json")) params.forceBodyMode = "form-data";
  },
};

function clientWith(tokens: { accessToken?: string; accessSecret?: string }): TwitterApi {
  return new TwitterApi({ appKey: place.key, appSecret: place.secret, ...tokens }, { plugins: [toHub] });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The dance with a PIN: the address goes out, the PIN comes in by a line each. */
async function logIn(): Promise<TwitterApi> {
  const asked = await clientWith({}).generateAuthLink("oob", { linkMode: "authorize" });
  print(asked.url.replace(new URL(asked.url).host, place.host));
  const [pin] = (await once(createInterface(process.stdin), "line")) as [string];
  const middle = clientWith({ accessToken: asked.oauth_token, accessSecret: asked.oauth_token_secret });
  const { accessToken, accessSecret } = await middle.login(pin.trim());
  return clientWith({ accessToken, accessSecret });
}

const api = (await logIn()).v1;
const said: Record<string, unknown> = { login: (await api.verifyCredentials()).screen_name };

const posts = [];
for (let number = 0; number < 7; number++) posts.push(await api.tweet(`Node ${number} é 😀 & <b>`));
said["posted"] = posts.map(({ id_str }) => Number(id_str));
said["text"] = posts[0]!.text;
const paged = await api.homeTimeline({ count: 3 });
await paged.fetchLast(200);
said["paged"] = paged.tweets.map(({ id_str }) => Number(id_str));
const since = await api.homeTimeline({ since_id: posts[4]!.id_str });
said["since"] = since.tweets.map(({ id_str }) => Number(id_str));

const media = await api.uploadMedia(place.picture);
await api.createMediaMetadata(media, { alt_text: { text: "A test picture" } });
const pictured = await api.tweet("Node with a picture", { media_ids: [media] });
said["pictures"] = pictured.extended_entities!.media!.map(({ type }) => type);
said["alt"] = pictured.extended_entities!.media!.map(({ ext_alt_text }) => ext_alt_text);

const friends = String(place.friends_post);
const reply = await api.reply("Node answers", friends);
said["reply_to"] = reply.in_reply_to_status_id;
await api.post("favorites/create.json", { id: friends });
said["favorites"] = (await api.favoriteTimelineByUsername("alice")).tweets.map(({ id }) => id);
const shared = await api.post<{ retweeted_status: { id: number } }>("statuses/retweet/:id.json", undefined, {
  params: { id: friends },
});
said["retweeted"] = shared.retweeted_status.id;
said["looked_up"] = (await api.tweets([posts[1]!.id_str, posts[2]!.id_str])).map(({ id }) => id);

const group = await api.createList({ name: "Node's circle" });
await api.addListMembers({ list_id: group.id_str, screen_name: place.friend });
said["members"] = (await api.listMembers({ list_id: group.id_str })).users.map(({ screen_name }) => screen_name);
said["list"] = (await api.listStatuses({ list_id: group.id_str })).tweets.map(({ id }) => id);
said["lists"] = (await api.lists()).map(({ name }) => name);
await api.removeListMembers({ list_id: group.id_str, screen_name: place.friend });
said["left"] = (await api.listMembers({ list_id: group.id_str })).users.map(({ screen_name }) => screen_name);
await api.removeList({ list_id: group.id_str });

said["friends"] = (await api.userFriendList()).users.map(({ screen_name }) => screen_name);
said["followers"] = (await api.userFollowerList()).users.map(({ screen_name }) => screen_name);
said["friend_ids"] = (await api.userFollowingIds()).ids.length;
said["follows"] = (
  await api.friendship({ source_screen_name: "alice", target_screen_name: place.friend })
).relationship.source.following;
said["about"] = (await api.updateAccountProfile({ description: "Drives by Node" })).description;
await api.updateAccountProfileImage(place.picture);
said["settings"] = (await api.accountSettings()).screen_name;
said["limits"] = "/statuses/home_timeline" in (await api.rateLimitStatuses()).resources["statuses"]!;

const sent = await api.post<{ text: string }>("direct_messages/new.json", {
  screen_name: place.friend,
  text: "Node writes",
});
said["message"] = sent.text;
const received = await api.get<{ text: string }[]>("direct_messages.json");
said["received"] = received.map(({ text }) => text);

await api.deleteTweet(posts[0]!.id_str);
said["gone"] = await api.singleTweet(posts[0]!.id_str).then(
  () => "It is still there",
  (error: { data: { error: string } }) => error.data.error,
);
print(JSON.stringify(said));
// Standard input is still open.
process.exit();
