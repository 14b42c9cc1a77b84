import { expect } from "vitest";
import { dashboardEndpoints } from "#app/api/dashboard/endpoints.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { ERROR_STATUS, type ErrorCode } from "#lib/problem.ts";
import type { App } from "./app.ts";

interface Keys {
  publicKey: string;
  secretKey: string;
}

// Tests read bodies field by field; the contract check below verifies their shape.
// biome-ignore lint/suspicious/noExplicitAny: a JSON answer
type Json = any;

export interface ApiAnswer {
  status: number;
  body: Json;
  headers: Headers;
}

interface Send {
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent byte for byte instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** Returns a client that calls the API as a merchant's server does, and checks every answer against its endpoint's declaration. */
export function apiClient(app: App, keys: Keys | undefined) {
  const call = async (method: string, path: string, { body, headers = {}, raw }: Send = {}): Promise<ApiAnswer> => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: {
        ...(keys && { "X-Api-Key": keys.publicKey, "X-Api-Secret": keys.secretKey }),
        ...(content !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
      redirect: "manual",
    });
    const answer = { status: response.status, body: await response.json(), headers: response.headers };
    expectToKeepTheContract(method, path, answer);
    return answer;
  };
  return {
    get: (path: string, send?: Send) => call("GET", path, send),
    post: (path: string, body?: unknown, send?: Send) => call("POST", path, { ...send, body }),
    patch: (path: string, body: unknown) => call("PATCH", path, { body }),
    delete: (path: string) => call("DELETE", path),
    call,
  };
}

function expectToKeepTheContract(method: string, path: string, { status, body, headers }: ApiAnswer): void {
  expect(headers.get("request-id")).toMatch(/^req_[0-9A-Z]{26}$/);
  if (status >= 400) {
    expectTheErrorShape(status, body, headers);
    return;
  }
  const pathname = path.split("?")[0] ?? "";
  const endpoint = [...endpoints, ...dashboardEndpoints].find(
    (each) => each.method === method.toLowerCase() && toPattern(each.path).test(pathname),
  );
  const schema = endpoint?.route.declaration.returns[status];
  if (!schema) throw new Error(`${method} ${path} answered ${status}, which it does not declare`);
  // Parsing drops undeclared fields, so equality means that the answer has none.
  expect(schema.parse(body)).toEqual(body);
}

function expectTheErrorShape(status: number, body: Json, headers: Headers): void {
  expect(body).toMatchObject({ success: false, error: { request_id: headers.get("request-id") } });
  const { code, message, outcome, doc_url, ...rest } = body.error;
  expect(ERROR_STATUS[code as ErrorCode]).toBe(status);
  expect(message).toMatch(/^[A-Z].*\.$|^\S+: [A-Z].*\.$/);
  expect(["not_executed", "unknown", "executed"]).toContain(outcome);
  expect(doc_url).toMatch(/\/docs\/errors#[A-Z_]+$/);
  expect(Object.keys(rest).every((key) => ["param", "errors", "request_id"].includes(key))).toBe(true);
  expect(JSON.stringify(body)).not.toMatch(/select |insert |at [\w.]+ \(|node_modules/i);
}

const toPattern = (path: string) => new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+")}$`);

export function expectError({ status, body }: ApiAnswer, code: ErrorCode, outcome = "not_executed"): void {
  expect({ status, code: body.error?.code, outcome: body.error?.outcome }).toEqual({ status: ERROR_STATUS[code], code, outcome });
}
