import { type Call, type Reply, send, TIMEOUT_MS } from "../bearer-calls.ts";
import { NotSent } from "../not-sent.ts";
import { Login } from "./replies.ts";

export interface MonnifyKeys {
  url: string;
  apiKey: string;
  secretKey: string;
}

interface Token {
  text: string;
  endsAtMs: number;
}

/** A token is replaced before its end, by this much, so that it does not end on its way. */
const MARGIN_MS = 60_000;
/** Of the time of a call, the request itself keeps the rest. */
const LOGIN_TIMEOUT_MS = TIMEOUT_MS / 2;

/**
 * Returns a function that calls Monnify. It logs in for a token, which calls share until it ends, and logs in once more where Monnify refuses the token.
 * It rejects as `bearerCalls` does, and with `NotSent` where no login gave a token for the first try.
 */
export function monnifyCalls(keys: MonnifyKeys): Call {
  let token: Token | undefined;
  let login: Promise<Token> | undefined;

  /** Returns the token of a login that all waiting calls share. */
  function newToken(): Promise<Token> {
    login ??= logIn(keys)
      .then((given) => {
        token = given;
        return given;
      })
      .finally(() => {
        login = undefined;
      });
    return login;
  }
  const currentToken = async () => (token && token.endsAtMs > Date.now() ? token : newToken());

  return async (method, path, body) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sendWith = ({ text }: Token): Promise<Reply> =>
      send({ method, url: `${keys.url}${path}`, authorization: `Bearer ${text}`, body, signal });
    const used = await currentToken();
    const reply = await sendWith(used);
    if (reply.status !== 401) return reply;
    // Another call may have replaced the refused token meanwhile.
    if (token === used) token = undefined;
    // The order has left once. Where it does not leave again, the refusal is the answer, and whether it was executed is for a reading to say.
    return currentToken()
      .then(sendWith)
      .catch(() => reply);
  };
}

/** Throws `NotSent` where that gives no token. */
async function logIn({ url, apiKey, secretKey }: MonnifyKeys): Promise<Token> {
  const basic = Buffer.from(`${apiKey}:${secretKey}`).toString("base64");
  const nowMs = Date.now();
  const signal = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
  const login = { method: "POST", url: `${url}/api/v1/auth/login`, authorization: `Basic ${basic}`, signal } as const;
  const reply = await send(login).catch((cause) => {
    throw new NotSent("a login has no answer", { cause });
  });
  const given = Login.safeParse(reply.body);
  if (reply.status !== 200 || !given.success) throw new NotSent(`a login was answered by ${reply.status}`);
  const { accessToken, expiresIn } = given.data.responseBody;
  return { text: accessToken, endsAtMs: nowMs + expiresIn * 1_000 - MARGIN_MS };
}
