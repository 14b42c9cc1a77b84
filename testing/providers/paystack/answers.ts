import type { Answer } from "../faulty-server.ts";

export const refuse = (status: number, message: string): Answer => ({
  status,
  body: { status: false, message, meta: { nextStep: "Check the request" }, type: "validation_error", code: "invalid_params" },
});

export const found = (message: string, data: object): Answer => ({ status: 200, body: { status: true, message, data } });
