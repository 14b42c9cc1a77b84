import { open } from "node:fs/promises";
import type { z } from "zod";

/** Heads that were kept outside of the database: lines of `--heads` or of the log. */
export class KeptHeads<Head> {
  /** How many were read. */
  count = 0;
  readonly #file: string;
  readonly #shape: z.ZodType<Head>;

  constructor(file: string, shape: z.ZodType<Head>) {
    this.#file = file;
    this.#shape = shape;
  }

  /** Yields the heads, line by line. Skips lines without one. Throws an Error for a file without any head: it is a wrong file. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Head> {
    const opened = await open(this.#file);
    for await (const line of opened.readLines()) {
      const head = this.#shape.safeParse(parsed(line));
      if (!head.success) continue;
      this.count += 1;
      yield head.data;
    }
    if (this.count === 0) throw new Error(`There is no head in ${this.#file}.`);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
