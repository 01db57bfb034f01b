import { textIn } from "../../identity/records/portable-fields.ts";
import { bareSignature, networkName } from "../sources/legacy.ts";
import { isRecord } from "../../../record-of.ts";

/** Who somebody is, as items and mails of exports say it. */
export type Short = {
  name: string;
  address: string;
  url: string;
  network: string;
  guid: string;
  guidSignature: string;
  /** A hint only. */
  hash: string;
  photo: string;
  photoType: string;
  key: string;
};

/** Reads a short xchan; `id`, `id_sig` and `key` are what later versions call it. */
export function readShort(value: unknown): Short | undefined {
  if (!isRecord(value)) return undefined;
  const photo = isRecord(value["photo"]) ? value["photo"] : {};
  return {
    name: textIn(value, "name"),
    address: textIn(value, "address"),
    url: textIn(value, "url"),
    network: networkName(textIn(value, "network")),
    guid: textIn(value, "guid") || textIn(value, "id"),
    guidSignature: bareSignature(textIn(value, "guid_sig") || textIn(value, "id_sig")),
    hash: textIn(value, "hash"),
    photo: textIn(photo, "src"),
    photoType: textIn(photo, "mimetype"),
    key: textIn(value, "key"),
  };
}
