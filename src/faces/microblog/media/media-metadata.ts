import { z } from "zod";
import { describePhoto } from "../../../domain/cloud/describe.ts";
import { describeUpload } from "../../../domain/cloud/pieces.ts";
import type { File } from "../../../domain/files/types.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { fileOfMedia } from "../../../domain/items/media/media-ids.ts";
import { renditionsOf } from "../../../domain/photos/find.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { kind } from "../../../http/input.ts";
import { asText, lastOf } from "../../../http/values.ts";
import { mediaIdIn } from "./media-input.ts";
import { isRecord } from "../../../record-of.ts";

/** The JSON body as a whole; undefined when there is none. */
const body = () => {
  const description = '`{"media_id": …, "alt_text": {"text": …}}`.';
  return kind({ description, type: "object" }, (values) =>
    values === undefined ? undefined : { value: lastOf(values) },
  );
};

/** Microblog contract 8.11. */
export const describeMedia = endpoint({
  path: "media/metadata/create",
  methods: ["POST"],
  access: "channel",
  writes: true,
  alwaysJson: true,
  jsonBody: "post_data",
  summary: "Gives a picture its alternative text; the body is JSON, whatever its type says.",
  answer: "Nothing",
  errors: {
    bad_parameter: "Invalid post data",
    unknown_media: "Metadata not found.",
    missing: [400, "Metadata not found."],
  },
  example: { post_data: '{"media_id": "88", "alt_text": {"text": "An old tree"}}' },
  input: z.object({ post_data: body() }),
  async handle(hub, { channel }, { post_data }) {
    const { id, words } = readMetadata(post_data);
    if (await describeUpload(hub, channel, id, words)) return {};
    const file = await fileOfMedia(hub, channel, id);
    await describePhoto(hub, channel, channel, file.hash, {
      title: await titleOf(hub, channel, file),
      description: words,
    });
    return {};
  },
  xml: "media",
});

function readMetadata(sent: { value: unknown } | undefined): { id: number; words: string } {
  if (!sent) throw fault("No post data");
  const fields = sent.value;
  if (!isRecord(fields)) throw fault("Invalid post data");
  const id = asText(fields["media_id"]);
  const alt = fields["alt_text"];
  if (!id || !isRecord(alt)) throw fault("Missing post data values");
  const words = asText(alt["text"]);
  if (!words?.trim()) throw fault("No alt text.");
  return { id: mediaIdIn(id), words };
}

/** The words of the caption stay as they are. */
async function titleOf(hub: Hub, { channel_id }: Channel, { hash }: File): Promise<string> {
  return (await renditionsOf(hub, channel_id, hash))[0]?.title ?? "";
}

function fault(sentence: string): HubError {
  return new HubError("invalid", sentence);
}
