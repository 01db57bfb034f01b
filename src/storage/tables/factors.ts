import type { Generated } from "kysely";

/** A secret that lets somebody do one thing once, such as choosing a new password. */
export type AccountTokenTable = {
  id: Generated<number>;
  token_digest: string;
  /** What it is good for. */
  purpose: string;
  account_id: number;
  /** What it is about, such as the new address; what it means depends on the purpose. */
  about: Generated<string>;
  created: string;
  expires: string;
};

/** The secret that an account shares with an app for codes (TOTP); one for each account. */
export type TotpTable = {
  id: Generated<number>;
  account_id: number;
  /** Base32. */
  secret: string;
  /** The step of time of the last code that was taken: neither it nor an earlier one is taken again. */
  last_step: number;
  /** 0 until a first code has shown that the app has the secret. */
  confirmed: Generated<number>;
  created: string;
};

/** A code for those who have lost their second factor; its row goes with its use. */
export type RecoveryCodeTable = {
  id: Generated<number>;
  account_id: number;
  code_digest: string;
};

/** A key of a device with which somebody logs in (WebAuthn). */
export type PasskeyTable = {
  id: Generated<number>;
  account_id: number;
  /** Its id, base64url. */
  credential: string;
  /** COSE, base64url. */
  public_key: string;
  name: string;
  counter: number;
  /** How the browser reaches it, with spaces between. */
  transports: Generated<string>;
  created: string;
  used: string;
};
