/** What a handler answers: a status and a body that `JSON.stringify` takes, which a bigint is not. */
export interface Answer<Body = unknown> {
  status: number;
  body: Body;
}

export const ok = <Body>(body: Body): Answer<Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<Body> => ({ status: 201, body });
export const accepted = <Body>(body: Body): Answer<Body> => ({ status: 202, body });

export const toResponse = ({ status, body }: Answer, headers: Record<string, string>): Response => Response.json(body, { status, headers });
