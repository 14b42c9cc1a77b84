import { z } from "zod";

/** The password that a signed-in person repeats. Its length is bounded, because hashing a long text takes long. */
export const RepeatedPassword = z.strictObject({
  password: z.string().min(1, "Type your password.").max(128, "Use at most 128 characters."),
});
