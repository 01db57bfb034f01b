import { createHash } from "node:crypto";

export const activityType = "application/activity+json";
export const jsonType = "application/json";

/** What is sent: made once, and the same bytes for everybody who asks. */
export type Document = {
  status: number;
  type: string;
  bytes: Buffer<ArrayBuffer>;
  /** Changes exactly when the bytes do. */
  etag: string;
};

/** A text as a document. */
export function textDocument(text: string, type: string, status = 200): Document {
  const bytes = Buffer.from(text);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { status, type, bytes, etag: `"${digest}"` };
}

/** A value as a JSON document. */
export function jsonDocument(value: object, type: string = activityType, status = 200): Document {
  return textDocument(JSON.stringify(value), type, status);
}
