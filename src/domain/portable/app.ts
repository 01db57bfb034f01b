import type { App } from "../identity/belongings/apps.ts";

/** An app with its category terms, as exports carry it. */
export function appRecord(app: App, aid: number): object {
  return {
    id: String(app.id),
    app_channel: String(app.app_channel),
    app_id: app.app_id,
    app_sig: app.app_sig,
    app_page: app.app_page,
    app_requires: app.app_requires,
    app_price: app.app_price,
    app_version: app.app_version,
    app_plugin: app.app_plugin,
    app_author: app.app_author,
    app_addr: app.app_addr,
    app_name: app.app_name,
    app_desc: app.app_desc,
    app_url: app.app_url,
    app_photo: app.app_photo,
    app_options: String(app.app_options),
    app_deleted: String(app.app_deleted),
    app_system: String(app.app_system),
    app_created: app.app_created,
    app_edited: app.app_edited,
    term: app.terms.map((term) => ({
      tid: String(term.tid),
      aid: String(aid),
      uid: String(term.uid),
      oid: String(term.oid),
      otype: String(term.otype),
      ttype: String(term.ttype),
      term: term.term,
      url: term.url,
      imgurl: term.imgurl,
      term_hash: term.term_hash,
      parent_hash: term.parent_hash,
    })),
  };
}
