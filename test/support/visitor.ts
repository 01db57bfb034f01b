/** A browser without a window: it keeps cookies and sends forms with the token of the page that it looks at. */
export type Visitor = {
  get(path: string, headers?: Record<string, string>): Promise<VisitedPage>;
  /** Sends a form; the token is that of the last page with a form, unless the fields say otherwise. */
  post(
    path: string,
    fields: Record<string, string | string[] | Blob>,
    headers?: Record<string, string>,
  ): Promise<VisitedPage>;
  logIn(login: string, password: string): Promise<VisitedPage>;
  token(): string;
  cookies: Map<string, string>;
};

/** What a visitor asks: a hub in memory, or one that listens. */
type Asked = { request(url: string, init: RequestInit): Response | Promise<Response> };

/** The page without what differs each time: the tokens of its forms, and the names of new drafts. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/(?<=name="(?:form_security_token|sketch)" value=")[^"]*/g, "");
}

export type VisitedPage = { status: number; location: string; text: string; headers: Headers };

/** A visitor of these pages who has never been here. */
export function visitorOf(app: Asked, host = "hub.example"): Visitor {
  const cookies = new Map<string, string>();
  let token = "";
  const send = async (path: string, init: RequestInit): Promise<VisitedPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { host, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await app.request(`http://${host}${path}`, { ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const text = await textOf(response);
    token = /name="form_security_token" value="([^"]*)"/.exec(text)?.[1] ?? token;
    return {
      status: response.status,
      location: response.headers.get("location") ?? "",
      text,
      headers: response.headers,
    };
  };
  const visitor: Visitor = {
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields, headers = {}) =>
      send(path, { method: "POST", body: formOf({ form_security_token: token, ...fields }), headers }),
    async logIn(login, password) {
      await visitor.get("/login");
      return visitor.post("/login", { login, password });
    },
    token: () => token,
    cookies,
  };
  return visitor;
}

/** What is packed, such as the source of the program, nobody looks into. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get("content-type") !== "application/gzip") return response.text();
  await response.body?.cancel();
  return "";
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/max-age=0\b/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

function formOf(fields: Record<string, string | string[] | Blob>): URLSearchParams | FormData {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const),
  );
  if (!entries.some(([, value]) => value instanceof Blob))
    return new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]));
  const form = new FormData();
  for (const [name, value] of entries) {
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, value);
  }
  return form;
}
