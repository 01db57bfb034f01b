import type { Xchan } from "../identity/xchans/xchans.ts";

/** The portable xchan. */
export function portableXchan(xchan: Xchan): object {
  return {
    hash: xchan.xchan_hash,
    guid: xchan.xchan_guid,
    guid_sig: xchan.xchan_guid_sig,
    pubkey: xchan.xchan_pubkey,
    photo_mimetype: xchan.xchan_photo_mimetype,
    photo_l: xchan.xchan_photo_l,
    photo_m: xchan.xchan_photo_m,
    photo_s: xchan.xchan_photo_s,
    address: xchan.xchan_addr,
    url: xchan.xchan_url,
    connurl: xchan.xchan_connurl,
    follow: xchan.xchan_follow,
    connpage: xchan.xchan_connpage,
    name: xchan.xchan_name,
    network: xchan.xchan_network,
    instance_url: xchan.xchan_instance_url,
    flags: String(xchan.xchan_flags),
    photo_date: xchan.xchan_photo_date,
    name_date: xchan.xchan_name_date,
    hidden: String(xchan.xchan_hidden),
    orphan: String(xchan.xchan_orphan),
    censored: String(xchan.xchan_censored),
    selfcensored: String(xchan.xchan_selfcensored),
    system: String(xchan.xchan_system),
    pubforum: String(xchan.xchan_pubforum),
    deleted: String(xchan.xchan_deleted),
  };
}

/** The columns of an xchan that joined records show. */
export type XchanColumns = Omit<
  Xchan,
  "xchan_id" | "xchan_created" | "xchan_hearsay" | "xchan_about" | "xchan_emoji" | "xchan_location" | "statuses_count"
>;

/** The xchan record with its own column names, as joined records carry it. */
export function xchanRecord(xchan: XchanColumns): Record<keyof XchanColumns, string> {
  return {
    xchan_hash: xchan.xchan_hash,
    xchan_guid: xchan.xchan_guid,
    xchan_guid_sig: xchan.xchan_guid_sig,
    xchan_pubkey: xchan.xchan_pubkey,
    xchan_photo_mimetype: xchan.xchan_photo_mimetype,
    xchan_photo_l: xchan.xchan_photo_l,
    xchan_photo_m: xchan.xchan_photo_m,
    xchan_photo_s: xchan.xchan_photo_s,
    xchan_addr: xchan.xchan_addr,
    xchan_url: xchan.xchan_url,
    xchan_connurl: xchan.xchan_connurl,
    xchan_follow: xchan.xchan_follow,
    xchan_connpage: xchan.xchan_connpage,
    xchan_name: xchan.xchan_name,
    xchan_network: xchan.xchan_network,
    xchan_instance_url: xchan.xchan_instance_url,
    xchan_flags: String(xchan.xchan_flags),
    xchan_photo_date: xchan.xchan_photo_date,
    xchan_name_date: xchan.xchan_name_date,
    xchan_hidden: String(xchan.xchan_hidden),
    xchan_orphan: String(xchan.xchan_orphan),
    xchan_censored: String(xchan.xchan_censored),
    xchan_selfcensored: String(xchan.xchan_selfcensored),
    xchan_system: String(xchan.xchan_system),
    xchan_pubforum: String(xchan.xchan_pubforum),
    xchan_deleted: String(xchan.xchan_deleted),
  };
}

/** The short xchan that portable items carry. */
export function shortXchan(xchan: Xchan): object {
  return {
    name: xchan.xchan_name,
    address: xchan.xchan_addr,
    url: xchan.xchan_url,
    network: xchan.xchan_network,
    photo: { mimetype: xchan.xchan_photo_mimetype, src: xchan.xchan_photo_m },
    guid: xchan.xchan_guid,
    guid_sig: xchan.xchan_guid_sig,
    hash: xchan.xchan_hash,
  };
}
