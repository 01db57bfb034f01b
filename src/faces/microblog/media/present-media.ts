import type { File } from "../../../domain/files/types.ts";
import { atScale } from "../../../domain/photos/scales.ts";
import type { Photo } from "../../../domain/photos/columns.ts";
import { photoFileUrl } from "../../../domain/photos/urls.ts";
import type { Exchange } from "../../../http/exchange.ts";

/** An upload on its way out; nothing of it for a piece that has been taken. */
export type MediaAnswers = {
  /** Send the address under its `friendica_` name too. */
  aliases?: boolean;
  id?: number;
  size?: number;
  /** Set when it is complete. */
  file?: File;
  renditions?: readonly Photo[];
  /** How much of an upload in pieces is here, in percent; where that was asked. */
  progress?: number;
};

/** Seconds for which uploads that nothing uses are there at least. */
const kept = { whole: 86_400, unfinished: 3600 } as const;

/** The media record. */
export function presentMedia(shown: MediaAnswers, { baseUrl }: Exchange): object {
  const { id, size, file, progress } = shown;
  if (id === undefined) return {};
  return {
    media_id: id,
    media_id_string: String(id),
    size,
    image: imageOf(baseUrl, shown),
    expires_after_secs: file ? kept.whole : kept.unfinished,
    processing_info: progress === undefined ? undefined : processing(progress, file !== undefined),
  };
}

function imageOf(baseUrl: string, { renditions = [], aliases }: MediaAnswers): object | undefined {
  const [original] = renditions;
  if (!original) return undefined;
  const url = photoFileUrl(baseUrl, atScale(renditions, "medium") ?? original);
  return {
    w: original.width,
    h: original.height,
    image_type: original.mimetype,
    svc_preview_url: url,
    friendica_preview_url: aliases ? url : undefined,
  };
}

function processing(progress_percent: number, done: boolean): object {
  return done ? { state: "succeeded", progress_percent } : { state: "pending", progress_percent, check_after_secs: 1 };
}
