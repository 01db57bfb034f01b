import { z } from "zod";
import { uploadPhotoFor, uploadProfilePhoto } from "../../../domain/cloud/channel-photos.ts";
import { findProfile } from "../../../domain/identity/channels/profiles.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { mediaErrors, mediaInput, sentMedia } from "../media/media-input.ts";
import { text } from "../parameters.ts";
import { skip_status } from "../shared-input.ts";
import { oneUser, showUser } from "../people/user-answers.ts";

/** Microblog contract 8.1. */
export const profileImageRows = [
  endpoint({
    path: "account/update_profile_image",
    methods: ["POST"],
    access: "channel",
    writes: true,
    files: ["image", "media"],
    base64: true,
    summary: "Gives the channel, or one of its further profiles, another picture.",
    errors: { ...mediaErrors, missing: [400, "profile_id not available"] },
    example: {
      media_data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    },
    input: z.object({
      ...mediaInput,
      image: text("The picture; as text in base64."),
      profile_id: text("Id of the profile; the default one unless named."),
      skip_status,
    }),
    async handle(hub, caller, { image, media, media_data, profile_id, skip_status }, exchange) {
      const [sent] = await sentMedia(hub, exchange, { image, media, media_data });
      if (!sent) throw new HubError("invalid", "no media data submitted", { field: "image" });
      const { channel } = caller;
      const profile = profile_id?.trim() ?? "";
      if (profile === "") await uploadPhotoFor(hub, "profile", channel, sent.staged, sent);
      else {
        const { id } = await findProfile(hub, channel.channel_id, profileIdIn(profile));
        await uploadProfilePhoto(hub, channel, id, sent.staged, sent);
      }
      return showUser(hub, caller, channel.xchan_id, { skip_status, include_entities: false }, exchange);
    },
    ...oneUser,
  }),
];

function profileIdIn(value: string): number {
  return /^\d{1,15}$/.test(value) ? Number(value) : 0;
}
