import fc from "fast-check";

/**
 * With HUBBUB_TEST_SEED (a 32-bit number) all property tests try the same cases in each run; without it, others each time. What is
 * tried on one engine is other than on the other: so together they try twice as much.
 */
const seed = process.env["HUBBUB_TEST_SEED"];
const shift = process.env["HUBBUB_TEST_ENGINE"] === "postgres" ? 1 : 0;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) + shift });
