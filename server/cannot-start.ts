/** An error that the user can correct. Its message is shown in one line, without a stack. */
export class CannotStart extends Error {
  override name = "CannotStart";
}
