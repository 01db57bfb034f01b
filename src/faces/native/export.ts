import { z } from "zod";
import { exportChannel } from "../../domain/export/export-channel.ts";
import { exportFile, exportFilesPage } from "../../domain/export/file-form.ts";
import { exportItemsPage } from "../../domain/export/items-page.ts";
import { storedDate } from "../../http/dates.ts";
import type { DateInput } from "../../http/dates.ts";
import { endpoint } from "../../http/endpoint.ts";
import { JsonStream } from "../../http/json-text.ts";
import { amount, date, flag, requiredText, words } from "./parameters.ts";

const mostRecords = 1000;
const usualRecords = 10;

/** Native contract 6.1, 6.8 and 6.17. */
export const exportRows = [
  endpoint({
    path: "channel/export/basic",
    methods: ["GET", "POST"],
    access: "channel",
    ownPassword: true,
    secure: true,
    summary: "The channel with everything that makes it up, its private key included: what another hub imports.",
    answer: "ChannelExport",
    example: { posts: "true" },
    input: z.object({
      sections: words("Which parts to export; without any, all but `items` and `elsewhere`."),
      posts: flag("Adds the posts of the last three months to the usual sections."),
    }),
    handle: (hub, { channel }, input) => exportChannel(hub, channel, input),
    present: (pieces) => new JsonStream(pieces),
  }),
  endpoint({
    path: "item/export_page",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_stream",
    secure: true,
    summary: "The channel's own content page by page, oldest first.",
    answer: "ItemPage",
    example: { page: "0", records: "100" },
    input: z.object({
      page: amount("Which page, counted from 0."),
      records: amount("How many a page has, from 1 to 1000.", mostRecords),
      since: date("Only what was written at or after this time."),
      until: date("Only what was written at or before this time."),
    }),
    handle(hub, { channel }, { page = 0, records = usualRecords, since, until }) {
      const stored = (moment: DateInput | undefined) => storedDate(moment, channel.channel_timezone, hub.clock());
      return exportItemsPage(hub, channel, {
        page,
        records: Math.max(records, 1),
        since: stored(since),
        until: stored(until),
      });
    },
    present: (pieces) => new JsonStream(pieces),
  }),
  endpoint({
    path: "file/export",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    secure: true,
    summary: "Everything that another hub needs to make a file again; its bytes come from `filedata`.",
    answer: "FileExport",
    example: { file_id: "7d93b1e4c05a2286f" },
    input: z.object({ file_id: requiredText("Hash of the file or directory.") }),
    handle: (hub, { channel }, { file_id }) => exportFile(hub, channel, file_id),
  }),
  endpoint({
    path: "file/export_page",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    secure: true,
    summary: "The same for one file or directory after the other, in the order of `files`.",
    answer: "FileExportPage",
    example: { page: "0" },
    input: z.object({ page: amount("Which page, counted from 0.") }),
    handle: (hub, { channel }, { page = 0 }) => exportFilesPage(hub, channel, page),
    present: ({ total, file }) => ({ success: file !== undefined, total, results: file ? [file] : [] }),
  }),
];
