/**
 * The one table of names that documents from elsewhere are read through (federation contract 9, rule 6). Whatever the
 * spelling (plain, with a prefix, a full address), a property or type has one name here.
 */

/** Where a vocabulary lives, all spellings that are in use, and the prefix that is usual for it. */
const vocabularies = {
  as: ["https://www.w3.org/ns/activitystreams#", "http://www.w3.org/ns/activitystreams#"],
  ldp: ["http://www.w3.org/ns/ldp#"],
  sec: ["https://w3id.org/security#", "https://w3id.org/security/v1#"],
  toot: ["http://joinmastodon.org/ns#"],
  schema: ["http://schema.org#", "http://schema.org/", "https://schema.org#", "https://schema.org/"],
  ostatus: ["http://ostatus.org#"],
  litepub: ["http://litepub.social/ns#"],
  misskey: ["https://misskey-hub.net/ns#", "https://misskey.io/ns#"],
  fedibird: ["http://fedibird.com/ns#"],
  gts: ["https://gotosocial.org/ns#"],
  quotes: ["https://w3id.org/fep/044f#"],
  pt: ["https://joinpeertube.org/ns#"],
  lemmy: ["https://join-lemmy.org/ns#"],
  mz: ["https://joinmobilizon.org/ns#"],
  zot: ["http://purl.org/zot#"],
  containers: ["https://w3id.org/fep/171b/"],
  vcard: ["http://www.w3.org/2006/vcard/ns#"],
  wf: ["https://purl.archive.org/socialweb/webfinger#"],
  fep: ["https://w3id.org/fep#"],
  mitra: ["http://jsonld.mitra.social#"],
  hubbub: ["urn:uuid:9d367e07-dea8-4bdc-b6e2-4c1569a6b695#"],
} as const;

type Prefix = keyof typeof vocabularies;

/** What the hub reads, by vocabulary: properties, then types. */
const names = {
  as: words(`
    actor alsoKnownAs anyOf attachment attributedTo audience bcc bto cc closed content contentMap context current
    deleted duration endTime endpoints featured first followers following formerType generator height href hreflang icon
    image inReplyTo instrument items last latitude liked likes location longitude manuallyApprovesFollowers mediaType
    movedTo name nameMap next object oneOf orderedItems origin outbox partOf preferredUsername prev preview published
    quoteUrl radius rel replies result sensitive sharedInbox shares source startTime streams summary summaryMap tag target
    to totalItems updated url width
    Accept Activity Add Announce Application Arrive Article Audio Block Collection CollectionPage Create Delete Dislike
    Document Event Flag Follow Group Hashtag Ignore Image Invite Join Leave Like Link Listen Mention Move Note Object
    Offer OrderedCollection OrderedCollectionPage Organization Page Person Place Profile Public Question Read Reject
    Relationship Remove Service TentativeAccept TentativeReject Tombstone Travel Undo Update Video View`),
  ldp: words("inbox"),
  sec: words(`
    assertionMethod controller created cryptosuite digestMultibase owner proof proofPurpose proofValue publicKey publicKeyMultibase
    publicKeyPem signature signatureValue verificationMethod
    CryptographicKey DataIntegrityProof Key Multikey`),
  toot: words(`
    attributionDomains blurhash discoverable featured featuredTags focalPoint indexable memorial suspended votersCount
    Emoji`),
  schema: words(`
    address addressCountry addressLocality addressRegion postalCode streetAddress value
    PostalAddress PropertyValue`),
  ostatus: words("atomUri conversation inReplyToAtomUri"),
  litepub: words("directMessage ChatMessage EmojiReact"),
  misskey: words("_misskey_content _misskey_quote _misskey_reaction _misskey_summary isCat"),
  fedibird: words("expiry quoteUri"),
  gts: words(`
    always announceAuthorization approvalRequired approvedBy automaticApproval canAnnounce canLike canQuote canReply
    interactingObject interactionPolicy interactionTarget likeAuthorization manualApproval replyAuthorization
    AnnounceAuthorization AnnounceRequest LikeAuthorization LikeRequest ReplyAuthorization ReplyRequest`),
  quotes: words("quote quoteAuthorization QuoteAuthorization QuoteRequest"),
  pt: words("commentsEnabled commentPolicy language"),
  lemmy: words("moderators stickied"),
  mz: words("joinMode timezone"),
  zot: words("commentPolicy contextHistory directMessage expires"),
  containers: words("contextHistory"),
  vcard: words("bday Address"),
  wf: words("webfinger"),
  fep: words("subject VerifiableIdentityStatement"),
  mitra: words("subject VerifiableIdentityStatement"),
  hubbub: words("guid guidSignature"),
} as const satisfies Record<Prefix, readonly string[]>;

const keywords: Readonly<Record<string, string>> = { "@id": "id", "@type": "type" };

const known: ReadonlySet<string> = new Set(["id", "type", ...Object.values(names).flat()]);

/** The full address of each name, in every spelling, with the name. */
const byAddress: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabularies).flatMap(([prefix, places]) =>
    places.flatMap((place) => names[prefix as Prefix].map((name) => [place + name, name] as const)),
  ),
);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The name that a property or type has here; undefined for one that the hub does not read. */
export function nameOf(term: string): string | undefined {
  if (known.has(term)) return term;
  return keywords[term] ?? byAddress.get(expanded(term, usualPrefixes));
}

/** The name behind a full address. */
export function nameAt(address: string): string | undefined {
  return keywords[address] ?? byAddress.get(address.replace(ownVocabulary, vocabularies.zot[0]));
}

/** Hubzilla, Streams and Forte each have a vocabulary of their own, at their own address. */
const ownVocabulary = /^https?:\/\/[^/]+\/apschema#/;

const usualPrefixes: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabularies).map(([prefix, [place]]) => [prefix, place] as const),
);

/** A term with a prefix as a full address; anything else as it is. */
export function expanded(term: string, prefixes: ReadonlyMap<string, string>): string {
  const at = term.indexOf(":");
  if (at < 0 || term.startsWith("//", at + 1)) return term;
  const place = prefixes.get(term.slice(0, at)) ?? usualPrefixes.get(term.slice(0, at));
  return place === undefined ? term : place + term.slice(at + 1);
}
