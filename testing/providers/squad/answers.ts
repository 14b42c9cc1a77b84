import type { Answer } from "../faulty-server.ts";

export const refuse = (status: number, message: string): Answer => ({ status, body: { status, success: false, message, data: {} } });
export const found = (data: object): Answer => ({ status: 200, body: { status: 200, success: true, message: "Success", data } });
