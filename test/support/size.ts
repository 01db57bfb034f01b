/**
 * How much of something a test tries (cases of a property, rounds of kills, bytes of a file): a little in `npm test`, which
 * everybody waits for, and all in `npm run test:deep`. Files that call this are the ones that the deep run consists of.
 */
export function size(usual: number, deep: number): number {
  return process.env["HUBBUB_TEST_SIZE"] === "deep" ? deep : usual;
}
