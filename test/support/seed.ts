import fc from "fast-check";

/** With HUBBUB_TEST_SEED (a 32-bit number) all property tests try the same cases in each run; without it, others each time. */
const seed = process.env["HUBBUB_TEST_SEED"];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
