/** Is this the media type of a document of ActivityPub (federation contract 2.1)? Parameters say nothing more. */
export function isDocumentType(type: string): boolean {
  return /^application\/(activity\+json|ld\+json)\s*(;|$)/i.test(type);
}
