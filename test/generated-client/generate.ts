import openapiTS, { astToString } from "openapi-typescript";

/** The types of a client for this OpenAPI document, as the text of a TypeScript file. */
export async function typesOf(document: string): Promise<string> {
  return astToString(await openapiTS(document));
}
