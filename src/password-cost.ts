/** What the slow hash of a password takes: the parameters of scrypt. */
export type PasswordCost = { N: number; r: number; p: number };

/** A tenth of a second of a processor, and 32 MB. */
export const passwordCost: PasswordCost = { N: 2 ** 15, r: 8, p: 1 };
