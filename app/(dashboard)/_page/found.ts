import { notFound } from "next/navigation";
import { Problem } from "#lib/problem.ts";

/** Returns the record that a verb finds. Shows the not-found page for a record that does not exist or belongs to another merchant. */
export async function found<Thing>(reading: Promise<Thing>): Promise<Thing> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Problem && error.code === "RESOURCE_NOT_FOUND") notFound();
    throw error;
  }
}
