/** What the hub uses of this library, which has no types of its own. */
declare module "jsonld" {
  type Load = (url: string) => Promise<{ contextUrl: undefined; documentUrl: string; document: object }>;

  const jsonld: {
    expand(document: object, options: { documentLoader: Load }): Promise<object[]>;
    compact(expanded: object, context: object, options: { documentLoader: Load }): Promise<object>;
    canonize(
      expanded: object,
      options: { algorithm: "RDFC-1.0"; format: "application/n-quads"; safe: boolean; documentLoader: Load },
    ): Promise<string>;
  };
  // oxlint-disable-next-line import/no-default-export
  export default jsonld;
}
