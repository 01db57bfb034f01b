import type { ServerResponse } from "node:http";

/** What answers requests; beside each it gets the response as Node has it. */
type Answering = (request: Request, env?: unknown) => Response | Promise<Response>;

const year = 365 * 24 * 3600;

/** Tells browsers that a hub which is reached over https is never to be asked without encryption (RFC 6797). */
export function strictTransport(answering: Answering): Answering {
  return (request, env) => {
    const { outgoing } = env as { outgoing: ServerResponse };
    outgoing.setHeader("strict-transport-security", `max-age=${year}`);
    return answering(request, env);
  };
}
