const activityStreams = "https://www.w3.org/ns/activitystreams";

/** What the words of collections and tombstones mean. */
export const plainContext = activityStreams;

const gotosocial = "https://gotosocial.org/ns#";
const toot = "http://joinmastodon.org/ns#";
const zot = "http://purl.org/zot#";

const fep = "https://w3id.org/fep#";
/** An address that nobody can fetch (federation contract 1.2). */
const hubbub = "urn:uuid:9d367e07-dea8-4bdc-b6e2-4c1569a6b695#";

/** What the words of integrity proofs mean. */
const dataIntegrity = "https://w3id.org/security/data-integrity/v1";

/** What the words of an actor's document mean. Those beyond the known contexts stand here, so that nobody has to fetch them. */
export const actorContext = [
  activityStreams,
  "https://w3id.org/security/v1",
  "https://w3id.org/security/multikey/v1",
  dataIntegrity,
  {
    manuallyApprovesFollowers: "as:manuallyApprovesFollowers",
    alsoKnownAs: { "@id": "as:alsoKnownAs", "@type": "@id" },
    movedTo: { "@id": "as:movedTo", "@type": "@id" },
    discoverable: `${toot}discoverable`,
    featured: { "@id": `${toot}featured`, "@type": "@id" },
    featuredTags: { "@id": `${toot}featuredTags`, "@type": "@id" },
    attributionDomains: { "@id": `${toot}attributionDomains`, "@container": "@list" },
    indexable: `${toot}indexable`,
    PropertyValue: "http://schema.org#PropertyValue",
    value: "http://schema.org#value",
    // The known contexts have it for proofs alone.
    assertionMethod: { "@id": "https://w3id.org/security#assertionMethod", "@type": "@id", "@container": "@set" },
    webfinger: "https://purl.archive.org/socialweb/webfinger#webfinger",
    interactionPolicy: { "@id": `${gotosocial}interactionPolicy`, "@type": "@id" },
    canQuote: { "@id": `${gotosocial}canQuote`, "@type": "@id" },
    automaticApproval: { "@id": `${gotosocial}automaticApproval`, "@type": "@id" },
    VerifiableIdentityStatement: `${fep}VerifiableIdentityStatement`,
    subject: `${fep}subject`,
    guid: `${hubbub}guid`,
    guidSignature: `${hubbub}guidSignature`,
    implements: { "@id": "https://w3id.org/fep/844e/implements", "@type": "@id" },
  },
] as const;

/** What the words of posts and comments mean. */
export const objectContext = [
  activityStreams,
  {
    Hashtag: "as:Hashtag",
    sensitive: "as:sensitive",
    conversation: "ostatus:conversation",
    contextHistory: { "@id": "https://w3id.org/fep/171b/contextHistory", "@type": "@id" },
    ostatus: "http://ostatus.org#",
    votersCount: `${toot}votersCount`,
    quote: { "@id": "https://w3id.org/fep/044f#quote", "@type": "@id" },
    quoteAuthorization: { "@id": "https://w3id.org/fep/044f#quoteAuthorization", "@type": "@id" },
    QuoteRequest: "https://w3id.org/fep/044f#QuoteRequest",
    QuoteAuthorization: "https://w3id.org/fep/044f#QuoteAuthorization",
    interactingObject: { "@id": `${gotosocial}interactingObject`, "@type": "@id" },
    interactionTarget: { "@id": `${gotosocial}interactionTarget`, "@type": "@id" },
    quoteUrl: "as:quoteUrl",
    _misskey_quote: "https://misskey-hub.net/ns#_misskey_quote",
    interactionPolicy: { "@id": `${gotosocial}interactionPolicy`, "@type": "@id" },
    canReply: { "@id": `${gotosocial}canReply`, "@type": "@id" },
    canLike: { "@id": `${gotosocial}canLike`, "@type": "@id" },
    canAnnounce: { "@id": `${gotosocial}canAnnounce`, "@type": "@id" },
    canQuote: { "@id": `${gotosocial}canQuote`, "@type": "@id" },
    automaticApproval: { "@id": `${gotosocial}automaticApproval`, "@type": "@id" },
    manualApproval: { "@id": `${gotosocial}manualApproval`, "@type": "@id" },
    Emoji: `${toot}Emoji`,
    blurhash: `${toot}blurhash`,
    focalPoint: { "@id": `${toot}focalPoint`, "@container": "@list" },
    digestMultibase: {
      "@id": "https://w3id.org/security#digestMultibase",
      "@type": "https://w3id.org/security#multibase",
    },
    expires: `${zot}expires`,
    commentPolicy: `${zot}commentPolicy`,
    EmojiReact: "http://litepub.social/ns#EmojiReact",
    directMessage: "http://litepub.social/ns#directMessage",
    joinMode: "https://joinmobilizon.org/ns#joinMode",
    timezone: "https://joinmobilizon.org/ns#timezone",
  },
] as const;

/** The same in activities, with the words for what vouches for them. */
export const signedContext = [
  activityStreams,
  "https://w3id.org/security/v1",
  dataIntegrity,
  objectContext[1],
] as const;
