/** Why a signature is not taken. The words go to whoever sent the request, and into the log. */
export const faults = {
  unsigned: "The request is not signed",
  malformed: "The signature cannot be read",
  doubled_header: "A header that counts is there twice",
  missing_header: "A signed header is missing",
  not_covered: "The signature covers too little of the request",
  wrong_host: "The request was meant for another host",
  date_malformed: "The date cannot be read",
  date_outside: "The date is more than an hour from ours",
  expired: "The signature has expired",
  algorithm: "The algorithm is not supported",
  digest_missing: "There is no digest of the body",
  digest_malformed: "The digest cannot be read",
  digest_unknown: "The digest is of no known kind",
  digest_mismatch: "The digest is not that of the body",
  key_unsuited: "The key is not one for this signature",
  key_unavailable: "The key cannot be had at present",
  key_gone: "The key does not exist",
  key_foreign: "Key and owner do not name each other",
  mismatch: "The signature does not fit the request",
} as const;

export type Fault = keyof typeof faults;
