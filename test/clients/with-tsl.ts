import { API } from "tsl-mastodon-api";
import type { JSON as Json } from "tsl-mastodon-api";
import { bearerOf } from "./seat.ts";
import type { Seat } from "./seat.ts";

/** What a script built on this library does: it sends multipart, and parameters in the address. */
export async function driveTsl(seat: Seat): Promise<Record<string, unknown>> {
  const api = new API({ access_token: await bearerOf(seat), api_url: `${seat.url}/api/v1/` });
  const said: Record<string, unknown> = { login: (await api.getAccount()).json.username };
  const posted = (await api.postStatus({ status: "tsl é 😀 & <b>", sensitive: true })).json as Json.Status;
  said["text"] = posted.content;
  const reply = (await api.postStatus({ status: "tsl answers", in_reply_to_id: seat.friends_post }))
    .json as Json.Status;
  said["reply_to"] = reply.in_reply_to_id;
  said["context"] = (await api.getStatusContext(reply.id)).json.ancestors.map(({ id }) => id);
  said["home"] = (await api.getStatusesOfHome({ limit: 2 })).json.map(({ id }) => id);
  said["posted"] = [reply.id, posted.id];
  said["notified"] = (await api.getNotifications({ exclude_types: ["follow"] })).json.map(({ type }) => type);
  said["deleted"] = (await api.deleteStatus(posted.id)).json.id === posted.id;
  said["gone"] = (await api.get(`statuses/${posted.id}`)).status;
  return said;
}
