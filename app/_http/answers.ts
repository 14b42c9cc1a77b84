/** A handler's answer. `JSON.stringify` must accept the body, so it contains no bigint. */
export interface Answer<Body = unknown> {
  status: number;
  body: Body;
}

export const ok = <Body>(body: Body): Answer<Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<Body> => ({ status: 201, body });
export const accepted = <Body>(body: Body): Answer<Body> => ({ status: 202, body });

export const toResponse = ({ status, body }: Answer, headers: Record<string, string>): Response => Response.json(body, { status, headers });
