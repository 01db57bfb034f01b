import { Hono } from "hono";
import type { Context } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { isAdministrator } from "../../domain/identity/accounts/accounts.ts";
import { refuseMoved } from "../../domain/identity/channels/moved.ts";
import { nobody } from "../../domain/identity/channels/observer.ts";
import type { Observer } from "../../domain/identity/channels/observer.ts";
import { hasAccounts } from "../../domain/identity/accounts/setup.ts";
import { siteSettings } from "../../domain/identity/site/site-settings.ts";
import type { SiteSettings } from "../../domain/identity/site/site-settings.ts";
import { HubError, missing, refusal } from "../../errors.ts";
import { mayBeStale } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addressOf, arrivalOf, targetOf } from "../../http/arrival.ts";
import type { Arrival } from "../../http/arrival.ts";
import { dropFiles } from "../../http/multipart.ts";
import type { Form } from "../../http/multipart.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import type { RateLimits } from "../../http/rate-limits.ts";
import { letIn } from "../../http/entrance.ts";
import { packingFor } from "../../http/packing.ts";
import { endRequest, requestIds } from "../../http/request-log.ts";
import { redirect, sendPlainly } from "./answers.ts";
import { mountAssets } from "./assets.ts";
import { extensionSheets } from "../../extensions/theme-sheet.ts";
import { browserName } from "./browser-name.ts";
import { checkOrigin, formTokenOf, openedAs } from "./csrf.ts";
import { extensionPages } from "./extension-pages.ts";
import { faultOf } from "./faults.ts";
import { Fields } from "./fields.ts";
import { readGuest, tokenParameter } from "./guest.ts";
import { isStranger, keptOr } from "./kept-pages.ts";
import { chooseLanguage } from "./languages/choose-language.ts";
import { localPath, withParameter } from "./local-path.ts";
import type { Member, MemberContext, Page, PageContext } from "./page.ts";
import { logInAgain, unsent } from "./pages/account/log-in-again.ts";
import { hasWords } from "./parts/account/kept-writing.ts";
import { refusal as pageOfRefusal, wrongMethod } from "./pages/site/refusals.ts";
import { pages } from "./pages/table.ts";
import { fieldsOf, readForm } from "./read-form.ts";
import { readDevice, readMember } from "./session.ts";

/** What other faces do for the pages. */
type Neighbours = {
  reference: PageContext["reference"];
  /** Whoever has signed a request as other hubs do (federation contract 8.3); undefined where nobody has. */
  signerOf(arrival: Arrival): Promise<Observer | undefined>;
};

const alone: Neighbours = { reference: () => Promise.resolve([]), signerOf: () => Promise.resolve(undefined) };

type Site = Neighbours & {
  hub: Hub;
  assets: string;
  limits: RateLimits;
  idOf: ReturnType<typeof requestIds>;
  /** The row of the page at this path. */
  rowAt(path: string): Page | undefined;
};

/** The rows of all pages: those of the hub, and of its extensions. */
export function pagesOf(hub: Hub): Page[] {
  return [...pages, ...extensionPages(hub)];
}

/** The pages of the hub. Mount them last: whatever no other face knows gets their page for what does not exist. */
export function webPages(hub: Hub, neighbours = alone): Hono {
  const app = new Hono();
  const assets = mountAssets(app, extensionSheets(hub.extensions));
  const all = pagesOf(hub);
  const site: Site = {
    ...neighbours,
    hub,
    assets,
    limits: rateLimits(hub),
    idOf: requestIds(hub),
    rowAt: rowsByPath(all),
  };
  for (const page of all) app.all(page.path, (incoming) => serve(site, page, incoming));
  app.all("*", (incoming) => serve(site, undefined, incoming));
  return app;
}

/** Hardly any pages but those of channels that have moved away ask this, so the tree of all paths is made when one does. */
function rowsByPath(all: readonly Page[]): Site["rowAt"] {
  let rows: TrieRouter<Page> | undefined;
  const made = (): TrieRouter<Page> => {
    const router = new TrieRouter<Page>();
    for (const page of all) router.add("ALL", page.path, page);
    return router;
  };
  return (path) => (rows ??= made()).match("ALL", path)[0][0]?.[0];
}

async function serve(site: Site, page: Page | undefined, incoming: Context): Promise<Response> {
  const started = performance.now();
  const arrival = arrivalOf(incoming);
  const stranger = receive(site, page, incoming, arrival);
  site.hub.nameWork(`${stranger.method} ${page?.path ?? "no page"} (web)`);
  const response = await respond(site, page, stranger, arrival);
  const answering = { face: "web", row: page?.path };
  endRequest(site.hub, { ...stranger, path: stranger.logged }, answering, response.status, performance.now() - started);
  return response;
}

async function respond(site: Site, page: Page | undefined, stranger: PageContext, arrival: Arrival): Promise<Response> {
  let context = stranger;
  try {
    return await letIn(site.hub, "requests", async () => {
      context = await recognize(site, stranger, arrival.request);
      return perform(site, page, context, arrival);
    });
  } catch (error) {
    return pageOfRefusal(context, error, await formNotTaken(site.hub, page, context, arrival, error));
  }
}

/** What somebody has written into a form that could not even be looked at. */
async function formNotTaken(
  hub: Hub,
  page: Page | undefined,
  { method }: PageContext,
  arrival: Arrival,
  error: unknown,
): Promise<Fields> {
  const isPassing = error instanceof HubError && (error.kind === "too-many" || error.kind === "unavailable");
  if (!isPassing || method !== "POST" || !page?.again) return new Fields();
  const texts: Form["texts"] = [];
  return readForm(hub, arrival, [], { dropped: page.files, texts }).catch(() => fieldsOf(texts));
}

/** The page context as the request tells it, before anybody has looked who it is. */
function receive(
  { hub, assets, reference, idOf }: Site,
  page: Page | undefined,
  incoming: Context,
  arrival: Arrival,
): PageContext {
  const { path, query } = targetOf(arrival);
  const request = arrival.request;
  const accepted = request.headers.get("accept-language") ?? "";
  const typed = new Fields(new URLSearchParams(query));
  const whole = query === "" ? path : `${path}?${query}`;
  return {
    hub,
    assets,
    reference,
    site: unknownSite,
    id: idOf(request.headers.get("x-request-id")),
    now: hub.clock(),
    lasts: () => undefined,
    method: request.method,
    // A guest's token goes no further than it came.
    here: typed.has(tokenParameter) ? withParameter(whole, tokenParameter, "") : whole,
    path,
    from: request.method === "POST" ? fromOf(hub, request) : "",
    params: incoming.req.param() as Record<string, string>,
    query: typed,
    member: undefined,
    guest: undefined,
    observer: nobody(unknownSite),
    ...inLanguage(hub, "", accepted),
    address: addressOf(arrival, hub.config),
    device: readDevice(hub, request),
    browser: browserName(request.headers.get("user-agent") ?? ""),
    logged: page?.path.includes(secretPart) ? page.path : path,
    acceptLanguage: accepted,
    ifNoneMatch: request.headers.get("if-none-match") ?? "",
    ifModifiedSince: request.headers.get("if-modified-since") ?? "",
    readsEvents: (request.headers.get("accept") ?? "").includes("text/event-stream"),
    lastEventId: request.headers.get("last-event-id") ?? "",
    range: request.headers.get("range") ?? "",
    ifRange: request.headers.get("if-range") ?? "",
    refuses: () => false,
    packing: packingFor(request),
    inPlace: request.headers.has("hx-request"),
    openPage: request.headers.get("hub-page") ?? "",
    formToken: "",
    visitorCookie: undefined,
    cookies: [],
  };
}

function inLanguage(hub: Hub, chosen: string, accepted: string): Pick<PageContext, "language" | "say"> {
  const language = chooseLanguage(hub, chosen, accepted);
  return { language, say: language.say };
}

/** Whoever knows this part of an address needs nothing else. */
const secretPart = "/:token";

/** What is shown of the site as long as its settings cannot be read. */
const unknownSite: SiteSettings = { name: "Hubbub", registration: "closed", blockPublic: true };

async function recognize({ rowAt }: Site, context: PageContext, request: Request): Promise<PageContext> {
  const { hub, query } = context;
  const [member, settings, isSetUp] = await Promise.all([
    readMember(hub, request),
    siteSettings(hub),
    hasAccounts(hub),
  ]);
  // The first account comes from the set-up link alone.
  const site = isSetUp ? settings : { ...settings, registration: "closed" as const };
  const { token, cookie } = await formTokenOf(hub, request, member);
  const { guest, cookie: guestCookie } = member ? {} : await readGuest(hub, request, query, site);
  return {
    ...context,
    site,
    member,
    guest,
    observer: (member ?? guest)?.observer ?? nobody(site),
    ...inLanguage(hub, member?.account.account_language ?? "", context.acceptLanguage),
    refuses: (path, what) => {
      const page = rowAt(path);
      return page?.post !== undefined && (what === "form" || page.onlyForm === true) && isRefused(page, member);
    },
    formToken: token,
    visitorCookie: cookie,
    cookies: guestCookie === undefined ? [] : [guestCookie],
  };
}

/** The order of checks: path, method, other sites' forms, who it is, the form's token; the page does the rest. */
async function perform(
  { hub, limits, signerOf }: Site,
  page: Page | undefined,
  context: PageContext,
  arrival: Arrival,
): Promise<Response> {
  if (!page || !isReadable(context)) throw missing("Page");
  const writes = context.method === "POST";
  if (writes ? !page.post : !page.get || !["GET", "HEAD"].includes(context.method)) return wrongMethod(context, page);
  if (writes) checkOrigin(hub, arrival.request);
  limits.count(writes ? "write" : "read", context.member?.channel.channel_id ?? context.address);
  if (!context.member && isForMembers(page, writes)) {
    if (context.inPlace) return sendPlainly(context);
    return (writes && (await keepWords(hub, page, context, arrival))) || redirect(context, logInPath(context, page));
  }
  if (page.access === "administrator" && !isAdministrator(context.member!.account)) throw missing("Page");
  if (writes && isRefused(page, context.member)) refuseMoved(context.member!.channel);
  const signer = writes || context.member || context.guest ? undefined : await signerOf(arrival);
  // The checks above are what makes it the context of a member.
  const known = { ...context, observer: signer ?? context.observer } as MemberContext;
  if (writes) return take(hub, page, known, arrival);
  const show = (context: MemberContext) => (page.kept ? keptOr(context, page.get!) : page.get!(context));
  return page.mayBeStale && isStranger(known) ? mayBeStale(hub, (hub) => show({ ...known, hub })) : show(known);
}

/** A channel that has moved away is only read. What its account does besides, such as to administer the site, it does still. */
function isRefused({ whileMoved = false, access }: Page, member: Member | undefined): boolean {
  return member !== undefined && member.channel.channel_moved !== "" && !whileMoved && access !== "administrator";
}

/** What somebody has written is not lost when their log-in has ended meanwhile; undefined when there is nothing to lose. */
async function keepWords(hub: Hub, page: Page, context: PageContext, arrival: Arrival): Promise<Response | undefined> {
  if (!page.again) return undefined;
  const form = await readForm(hub, arrival, [], { dropped: page.files }).catch(unlessRefused);
  return form && hasWords(form) ? logInAgain(context, page, form) : undefined;
}

/** What cannot be read holds no words. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof HubError)) throw error;
}

async function take(hub: Hub, page: Page, context: MemberContext, arrival: Arrival): Promise<Response> {
  const texts: Form["texts"] = [];
  let form: Fields | undefined;
  try {
    form = await readForm(hub, arrival, page.files ?? [], { texts });
    return await taken(page, context, form);
  } catch (error) {
    const typed = form ?? fieldsOf(texts);
    return (await withoutFiles(page, context, typed, error)) ?? (await pageOfRefusal(context, error, typed));
  } finally {
    await dropFiles(hub, form?.sent ?? []);
  }
}

async function taken(page: Page, context: MemberContext, form: Fields): Promise<Response> {
  if (page.sentByLink) return page.post!(context, form);
  const opened = openedAs(context.formToken, form);
  if (opened === "a stranger") return refuseForm(page, context, form, "form_strange");
  if (opened === "another channel" && !page.asAnyChannel)
    return refuseForm(page, context, form, "form_of_other_channel");
  return page.post!(context, form);
}

/** The form once more with its words, where a file was too large; undefined where it was not that, or there are none. */
async function withoutFiles(
  page: Page,
  context: MemberContext,
  typed: Fields,
  error: unknown,
): Promise<Response | undefined> {
  const fault = error instanceof HubError && error.code === "file_too_large" ? faultOf(context, error) : undefined;
  if (!fault || !page.again || !hasWords(typed)) return undefined;
  return page.again(context, typed, unsent(context, page, fault.sentence, fault.status));
}

/** Scripts send the form as a browser does, so that its page is shown; what was typed is not lost. */
async function refuseForm(
  page: Page,
  context: MemberContext,
  form: Fields,
  code: "form_strange" | "form_of_other_channel",
): Promise<Response> {
  if (context.inPlace) return sendPlainly(context);
  if (!page.again || !hasWords(form)) throw refusal(code);
  const why =
    code === "form_strange"
      ? context.say("account.open-too-long")
      : context.say("account.other-channel-now", { nick: context.member.channel.channel_address });
  try {
    return await page.again(context, form, unsent(context, page, why, 403));
  } catch (error) {
    // The channel of now may not see what the form is about.
    if (error instanceof HubError && error.kind === "missing") throw refusal(code);
    throw error;
  }
}

function isForMembers({ access }: Page, writes: boolean): boolean {
  return access === "reader" ? writes : access !== "anybody";
}

/** Text that no column can hold names nothing. */
function isReadable({ params }: PageContext): boolean {
  return !Object.values(params).some((part) => /[\0-\x1f\x7f]/.test(part) || part.includes("\ufffd"));
}

/** People come back to where they were: the page that they asked for, or that on which they pressed something. */
function logInPath({ here, from }: PageContext, page: Page): string {
  const next = page.get ? here : from;
  return next === "" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}

/** The page of ours from which a form comes; empty where the browser does not say, or names another site. */
function fromOf(hub: Hub, request: Request): string {
  const from = request.headers.get("referer") ?? "";
  if (!URL.canParse(from)) return "";
  const { origin, host, pathname, search } = new URL(from);
  const isOurs = origin === new URL(hub.config.baseUrl).origin || host === request.headers.get("host");
  const path = isOurs ? localPath(pathname + search, "") : "";
  return path === "" ? "" : withParameter(withParameter(path, tokenParameter, ""), "done", "");
}
